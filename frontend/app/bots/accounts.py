"""The bots of this server: who they are. All their keys come from one file in its folder."""

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eth_account.signers.local import LocalAccount
from web3 import Web3

from fhevm.keyfiles import write_private
from fogbound.bots import Act
from fogbound.connection import Connection
from fogbound.errors import SettingsInvalid
from fogbound.games import GameSpec
from fogbound.table import TableClient
from fogbound.transactions import account_from_key

KEY_FILE, KEY_BYTES = "bots.key", 32


@dataclass(frozen=True)
class Bot:
    """One bot. `secret` (32 bytes) is its account's key, and decides what it does by chance."""

    spec: GameSpec = field(repr=False)
    name: str
    secret: bytes = field(repr=False)

    @property
    def kind(self) -> str:
        """Which game it plays."""
        return self.spec.name

    @property
    def account(self) -> LocalAccount:
        """Who signs for it."""
        return account_from_key(self.secret)

    @property
    def address(self) -> str:
        """Its account."""
        return str(self.account.address)

    def client(self, connection: Connection) -> Any:
        """The game's client for its account."""
        return connection.client(self.spec, self.account)

    def act(self, client: TableClient, game_id: int) -> Act:
        """How it plays one game; its chance there is the same again after a restart."""
        seed = int.from_bytes(Web3.keccak(self.secret + game_id.to_bytes(8)))
        return self.spec.bots[self.name](client, seed)


def make_bots(folder: Path, specs: Iterable[GameSpec]) -> list[Bot]:
    """Every game's bots, the default one of each first. The same accounts again from the same folder.

    Raises SettingsInvalid where their key file is damaged.
    """
    root = _root(folder)
    return [
        Bot(spec, name, bytes(Web3.keccak(root + f"{spec.name}/{name}".encode())))
        for spec in specs
        for name in spec.bots
    ]


def _root(folder: Path) -> bytes:
    """Made on first use; of two processes that make it at once, both take the first one's."""
    file = folder / KEY_FILE
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        mine = folder / f"{KEY_FILE}.{os.getpid()}"
        write_private(mine, secrets.token_hex(KEY_BYTES).encode())
        with suppress(FileExistsError):
            os.link(mine, file)
        mine.unlink()
    try:
        root = bytes.fromhex(file.read_text())
    except (OSError, ValueError):
        root = b""
    if len(root) != KEY_BYTES:
        raise SettingsInvalid(f"{file} holds no key: restore it, or remove it for new bots")
    return root
