"""Keeping an open game out of the lobby: for its creator, by their signature or their session key's."""

from fastapi import APIRouter

from frontend.app.api.models import Summary, Unlisting
from frontend.app.api.parameters import GameId, Kind, failures
from frontend.app.connector import reaching
from frontend.app.errors import Conflict, NotPermitted
from frontend.app.index import queries
from frontend.app.index.unlisting import unlist
from frontend.app.services import Needed
from frontend.app.signatures import may_speak_for

router = APIRouter(tags=["games"])


@router.post("/api/unlisted/{kind}/{id}", responses=failures(403, 404, 409, 413, 422, 502))
def unlist_game(services: Needed, kind: Kind, id: GameId, unlisting: Unlisting) -> Summary:
    """Take an open game out of the lobby; whoever has its link can join it.

    `signature`: by personal_sign of `Fogbound: keep {kind} game {id} at {contract} unlisted`.
    """
    services.spec(kind)
    with services.database.reading() as session:
        game = queries.game(session, kind, id)
    table = services.indexing.reader.table(kind)
    text = statement(kind, id, table.contract.address)
    with reaching():
        permitted = may_speak_for(table, game.creator, text, unlisting.signature)
    if not permitted:
        raise NotPermitted("only who opened the game may take it out of the lobby")
    if game.status != "open":
        raise Conflict("the game is not open any more")
    row = unlist(services.database, kind, id)
    services.hub.publish()
    return Summary.model_validate(row)


def statement(kind: str, game_id: int, contract: str) -> str:
    """What the creator signs."""
    return f"Fogbound: keep {kind} game {game_id} at {contract} unlisted"
