"""The local stack as a program uses it: in this process (`LocalStack`), or a running one (`Stack`)."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from web3 import Web3

from fhevm.client import FhevmClient
from fhevm.freshchain import end_chain, fresh_chain
from fhevm.local import LocalFhevm
from fogbound.accounts import DEPLOYER, KEEPER
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.games import GameSpec, TableTerms, installed_games
from fogbound.keeper import Keeper
from fogbound.locks import DATA
from fogbound.ports import free_port
from fogbound.progress import Progress, silent
from fogbound.stackinfo import StackInfo
from fogbound.watch import Watch

SEEDED_GENESIS = 1_700_000_000  # so that two seeded runs have equal blocks


class Stack(Connection):
    """A stack that runs in other processes."""

    @classmethod
    def connect(cls, data: Path = DATA) -> Self:
        """The stack on a data folder.

        Raises StackNotRunning, ChainUnreachable, Unavailable; KeyChanged, HostForeign where something
        else answers as its gateway.
        """
        info = StackInfo.read(data)
        chain = Chain.connect(info.rpc, expected=info.chain_id)
        fhevm = FhevmClient.connect(info.gateway, fingerprint=info.fingerprint, w3=chain.web3)
        return cls(chain, Registry(data / "deployments.json"), fhevm)


class LocalStack(Connection):
    """Everything in this process but for a fresh chain, with accounts `dev_accounts()`; a context manager.

    `fogbound up` keeps; this forgets. Whoever waits on `chain` makes it move: what is due is computed and
    settled, and blocks that draws wait for are mined. So one thread can play all seats, and with a
    `seed` (32 bytes) two runs give the same blocks. `fhevm_local.coprocessor.statistics` counts the work.
    """

    fhevm: FhevmClient
    fhevm_local: LocalFhevm

    def __init__(
        self,
        backend: str = "clear",
        *,
        seed: bytes | None = None,
        games: Sequence[GameSpec] | None = None,
        terms: TableTerms | None = None,
        anvil_options: Sequence[str] = (),
        progress: Progress = silent,
    ) -> None:
        """`games`: the installed ones by default. Raises ToolMissing, Unavailable."""
        self._closing = ExitStack()
        with ExitStack() as failing:
            failing.callback(self.close)
            progress("starting a chain")
            chain = Chain(self._fresh_chain(anvil_options))
            progress(f"making {backend} keys, deploying the host contracts")
            self.fhevm_local = LocalFhevm.create(chain.web3, backend, seed)
            self._closing.callback(self.fhevm_local.close)
            super().__init__(chain, Registry(), self.fhevm_local.client)
            progress("deploying the games")
            specs = list(installed_games().values()) if games is None else list(games)
            self.deploy_missing(specs, DEPLOYER, terms or TableTerms(DEPLOYER.address))
            watches = [Watch(each, self.client(each, KEEPER), self.history(each)) for each in specs]
            self.keeper = Keeper(chain, watches, mine_after=0, threads=False)
            chain.idle = self.advance
            failing.pop_all()

    def advance(self) -> None:
        """Compute and settle all that is due by now; mine where a draw waits for blocks."""
        self.fhevm_local.sync()
        self.keeper.tick()

    def _fresh_chain(self, options: Sequence[str]) -> Web3:
        genesis = ["--timestamp", str(SEEDED_GENESIS)]
        web3 = fresh_chain(port=free_port(), options=[*genesis, *options])
        self._closing.callback(end_chain, web3)
        return web3

    def close(self) -> None:
        """End the chain; nothing is kept."""
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
