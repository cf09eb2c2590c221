"""Keeping an open game out of the lobby: for its creator, by his signature or his session key's."""

from eth_account import Account
from eth_account.messages import encode_defunct
from fastapi import APIRouter

from fogbound.chain import Chain
from fogbound.table import TableClient
from frontend.app.api.models import Summary, Unlisting
from frontend.app.api.parameters import GameId, Kind, failures
from frontend.app.connector import reaching
from frontend.app.errors import Conflict, NotPermitted
from frontend.app.index import queries
from frontend.app.index.unlisting import unlist
from frontend.app.services import Needed

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
    signer = _signer(statement(kind, id, table.contract.address), unlisting.signature)
    if signer != game.creator and _player_of(table, signer) != game.creator:
        raise NotPermitted("only who opened the game may take it out of the lobby")
    if game.status != "open":
        raise Conflict("the game is not open any more")
    row = unlist(services.database, kind, id)
    services.hub.publish()
    return Summary.model_validate(row)


def statement(kind: str, game_id: int, contract: str) -> str:
    """What the creator signs."""
    return f"Fogbound: keep {kind} game {game_id} at {contract} unlisted"


def _signer(text: str, signature: str) -> str:
    try:
        signer: str = Account.recover_message(encode_defunct(text=text), signature=signature)
    except Exception:  # noqa: BLE001 - the libraries below raise each their own
        raise NotPermitted("that is no signature") from None
    return signer


def _player_of(table: TableClient, key: str) -> str | None:
    """Whom a session key acts for now."""
    chain: Chain = table.chain
    with reaching():
        session = table.session(key)
        alive = session is not None and session.until_block >= chain.block_number
    return session.player if session and alive else None
