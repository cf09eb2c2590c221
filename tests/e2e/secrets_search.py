"""Secrets, looked for in whatever was recorded, in every form in which they could have been written."""

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator, Mapping

from battleship.board_keys import BoardKeys
from battleship.commitment import Commitment, GameKey
from tests.e2e.people import Person

SECRET_NAMES = {"secret", "privateKey"}
SECRET_STORES = ("fogbound.keys", "fogbound.session.")
KEY = re.compile(r"0x[0-9a-f]{64}")


def forms(secret: bytes) -> Iterator[bytes]:
    """Raw, hex, decimal, a list of numbers, base64 wherever it begins in what is encoded."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    yield str(int.from_bytes(secret)).encode()
    yield ",".join(map(str, secret)).encode()
    yield ", ".join(map(str, secret)).encode()
    for skipped in range(3):
        whole = secret[skipped : skipped + (len(secret) - skipped) // 3 * 3]
        yield b64encode(whole)
        yield urlsafe_b64encode(whole)


def found(secrets: Mapping[str, bytes], recorded: bytes) -> list[str]:
    """The names of the secrets that stand in it."""
    return [
        name for name, secret in secrets.items() if any(each in recorded for each in forms(secret))
    ]


def browser_secrets(person: Person) -> dict[str, bytes]:
    """Every key that this person's browser keeps: their own, session keys, board keys, permits'."""
    secrets = {}
    for name, stored in person.stored().items():
        texts = [stored] if name.startswith(SECRET_STORES) else secret_fields(stored)
        for index, text in enumerate(key for each in texts for key in KEY.findall(each)):
            secrets[f"{person.name}: {name} {index}"] = bytes.fromhex(text[2:])
    return secrets


def secret_fields(stored: str) -> list[str]:
    """Those of what is kept as a JSON object."""
    if not stored.startswith("{"):
        return []
    return [str(value) for name, value in json.loads(stored).items() if name in SECRET_NAMES]


def commitment_of(person: Person, game_id: int) -> Commitment:
    """This person's board in a game of Battleship, opened with the board keys of their browser."""
    game = person.stack.api(f"games/battleship/{game_id}")
    config = person.stack.api("config")
    address = person.battleship.address()
    seat = game["players"].index(address)
    made = next(
        event["arguments"]
        for event in game["events"]
        if event["name"] == "BoardCommitted" and event["arguments"]["seat"] == str(seat)
    )
    contract = config["games"]["battleship"]["contract"]
    key = GameKey(
        config["chainId"], contract, address, int(made["nonce"]), game["parameters"]["size"]
    )
    stored = next(
        json.loads(value)
        for name, value in person.stored().items()
        if name.startswith("fogbound.boards.") and address in name
    )
    keys = BoardKeys(bytes.fromhex(stored["secret"][2:]), recoverable=stored["recoverable"])
    root, sealed = (bytes.fromhex(made[name][2:]) for name in ("root", "sealedPlacement"))
    return keys.recover(key, root, sealed)


def board_secrets(name: str, board: Commitment, opened: frozenset[int]) -> dict[str, bytes]:
    """What tells anything of the cells that were not opened."""
    secrets = {f"{name}: seed": board.seed, f"{name}: placement": board.placement}
    secrets[f"{name}: board key"] = board.board_key
    for cell in set(range(board.game_key.size**2)) - opened:
        secrets[f"{name}: salt {cell}"] = board.salt(cell)
    return secrets
