"""Writes tests/vectors/battleship-commitment.json: commitments that every implementation must make alike."""

import json
from pathlib import Path
from random import Random

from battleship.board_keys import BoardKeys, account_signer
from battleship.bots import random_fleet
from battleship.commitment import Commitment, GameKey, leaf
from battleship.fleets import SIZES, fleet_text
from fhevm.devchain import dev_accounts

FILE = Path(__file__).parent.parent / "tests" / "vectors" / "battleship-commitment.json"
CHAIN_ID = 31337
CONTRACT = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
DEPLOYMENT = bytes(range(32))


def main() -> None:
    """Make them anew; nothing changes unless the scheme has."""
    account = dev_accounts()[1]
    keys = BoardKeys.from_wallet(account_signer(account), CHAIN_ID, CONTRACT, DEPLOYMENT)
    content = {
        "chain_id": CHAIN_ID,
        "contract": CONTRACT,
        "deployment": _hex(DEPLOYMENT),
        "player": account.address,
        "private_key": _hex(bytes(account.key)),
        "secret": _hex(keys.secret),
        "boards": [_board(keys, account.address, nonce, size) for nonce, size in enumerate(SIZES)],
    }
    FILE.write_text(json.dumps(content, indent=1) + "\n")


def _board(keys: BoardKeys, player: str, nonce: int, size: int) -> dict:
    fresh = bytes([size]) * 16
    fleet = random_fleet(size, Random(size))
    game_key = GameKey(CHAIN_ID, CONTRACT, player, nonce, size)
    commitment, sealed = keys.commit(game_key, fleet, lambda count: fresh[:count])
    water = next(cell for cell in range(size * size) if cell not in commitment.ship_cells)
    return {
        "size": size,
        "nonce": nonce,
        "fleet": fleet_text(fleet),
        "fresh": _hex(fresh),
        "placement": _hex(commitment.placement),
        "seed": _hex(commitment.seed),
        "game_key": _hex(game_key.digest()),
        "board_key": _hex(commitment.board_key),
        "root": _hex(commitment.root),
        "sealed": _hex(sealed),
        "openings": [
            _opening(commitment, cell)
            for cell in (0, water, min(commitment.ship_cells), size * size - 1)
        ],
    }


def _opening(commitment: Commitment, cell: int) -> dict:
    opening = commitment.open(cell)
    made = leaf(commitment.game_key.digest(), cell, opening.is_ship, opening.salt)
    return {
        "cell": cell,
        "is_ship": opening.is_ship,
        "salt": _hex(opening.salt),
        "leaf": _hex(made),
        "proof": [_hex(sibling) for sibling in opening.proof],
    }


def _hex(data: bytes) -> str:
    return "0x" + data.hex()


if __name__ == "__main__":
    main()
