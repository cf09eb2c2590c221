"""What players have achieved: one account's results, and the leaderboard."""

from typing import Annotated

from fastapi import APIRouter, Query

from frontend.app.api.models import Leaderboard, PlayerModel, RankedModel, RatingModel, ResultsModel
from frontend.app.api.parameters import Address, Limit, failures
from frontend.app.index import queries
from frontend.app.index.schema import StandingRow
from frontend.app.services import Needed

router = APIRouter(tags=["players"])
NOTHING_YET = ResultsModel(rating=None, played=0, won=0, lost=0, drawn=0)


@router.get("/api/players/{address}", responses=failures(422))
def read_player(services: Needed, address: Address) -> PlayerModel:
    """An account's results in every kind of game. One that has never played has none."""
    with services.database.reading() as session:
        standings = queries.standings(session, address)
        running = queries.running(session, address)
        sequence = queries.sequence(session)
    kinds = dict.fromkeys(services.specs, NOTHING_YET)
    return PlayerModel(
        address=address,
        sequence=sequence,
        bot=address in services.bot_addresses(),
        kinds=kinds | {kind: _results(row) for kind, row in standings.items()},
        running=running,
    )


@router.get("/api/leaderboard", responses=failures(404, 422))
def read_leaderboard(
    services: Needed,
    kind: Annotated[str, Query(description="Of which game.", max_length=40)],
    limit: Limit = 50,
) -> Leaderboard:
    """Whoever has played a rated game; the best first: by the rating less three deviations.

    Rated are games for the configuration's `leastRatedStake` or more that were won or drawn; the n-th
    between the same two accounts counts 1/n, those against accounts of which nothing is known next to
    nothing, and those between accounts that the chain shows to be one owner's nothing.
    """
    services.spec(kind)
    with services.database.reading() as session:
        rows = queries.leaderboard(session, kind, limit)
        sequence = queries.sequence(session)
    bots = services.bot_addresses()
    players = [_ranked(rank, row, row.player in bots) for rank, row in enumerate(rows, start=1)]
    return Leaderboard(kind=kind, sequence=sequence, players=players)


def _results(row: StandingRow) -> ResultsModel:
    rating = RatingModel(
        value=round(row.rating, 1), deviation=round(row.deviation, 1), games=row.rated
    )
    return ResultsModel(
        rating=rating if row.rated else None,
        played=row.played,
        won=row.won,
        lost=row.lost,
        drawn=row.drawn,
    )


def _ranked(rank: int, row: StandingRow, bot: bool) -> RankedModel:
    return RankedModel(
        rank=rank,
        address=row.player,
        bot=bot,
        rating=round(row.rating, 1),
        deviation=round(row.deviation, 1),
        games=row.rated,
        won=row.won,
        lost=row.lost,
        drawn=row.drawn,
    )
