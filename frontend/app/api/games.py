"""Games: the lobby, one game with its events, and keeping one out of the lobby."""

from typing import Annotated

from fastapi import APIRouter, Query

from frontend.app.api.models import Detail, EventModel, GameList, Status, Summary
from frontend.app.api.parameters import (
    GameId,
    InvitedQuery,
    Kind,
    KindQuery,
    Limit,
    PlayerQuery,
    failures,
)
from frontend.app.index import queries
from frontend.app.index.queries import Wanted
from frontend.app.services import Needed

router = APIRouter(tags=["games"])

StatusQuery = Annotated[
    Status | None,
    Query(description="open: a seat is free; live: begun; finished: played to an end."),
]
Before = Annotated[
    str | None, Query(description="The `next` of the page before.", pattern=r"^[0-9]{1,18}$")
]


@router.get("/api/games", responses=failures(404, 422))
def list_games(  # noqa: PLR0917 - each is a parameter of the query
    services: Needed,
    kind: KindQuery = None,
    status: StatusQuery = None,
    player: PlayerQuery = None,
    invited: InvitedQuery = None,
    before: Before = None,
    limit: Limit = 50,
) -> GameList:
    """Games, those opened last first. Open games that are unlisted are told to those only who ask for their
    player's or their invited player's.
    """
    if kind is not None:
        services.spec(kind)
    place = None if before is None else int(before)
    wanted = Wanted(kind, status, player, invited, place, limit + 1)
    with services.database.reading() as session:
        found = queries.games(session, wanted)
        sequence = queries.sequence(session)
    shown = found[:limit]
    following = str(shown[-1].opened) if len(found) > limit else None
    summaries = [Summary.model_validate(row) for row in shown]
    return GameList(sequence=sequence, games=summaries, next=following)


@router.get("/api/games/{kind}/{id}", responses=failures(404, 422))
def read_game(services: Needed, kind: Kind, id: GameId) -> Detail:
    """One game with all its events."""
    services.spec(kind)
    with services.database.reading() as session:
        row = queries.game(session, kind, id)
        events = queries.events(session, kind, id)
        summary = Summary.model_validate(row).model_dump() | {"sequence": queries.sequence(session)}
    return Detail(**summary, events=[EventModel.model_validate(each) for each in events])
