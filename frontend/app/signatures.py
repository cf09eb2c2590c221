"""Words of a player that need no transaction: signed by personal_sign, by themselves or their session key."""

from eth_account import Account
from eth_account.messages import encode_defunct

from fogbound.table import TableClient


def may_speak_for(table: TableClient, player: str, text: str, signature: str | None) -> bool:
    """Whether `signature` (0x-hexadecimal) of `text` is the player's, or that of a key that acts for them."""
    signer = _signer(text, signature)
    return signer is not None and player in (signer, _player_of(table, signer))


def _signer(text: str, signature: str | None) -> str | None:
    try:
        signer: str = Account.recover_message(encode_defunct(text=text), signature=signature)
    except Exception:  # noqa: BLE001 - the libraries below raise each their own
        return None
    return signer


def _player_of(table: TableClient, key: str) -> str | None:
    """Whom a session key acts for now."""
    session = table.session(key)
    alive = session is not None and session.until >= table.chain.now()
    return session.player if session and alive else None
