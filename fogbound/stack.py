"""The local stack as a program uses it: in this process (`LocalStack`), or a running one (`Stack`)."""

import json
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from web3 import Web3
from web3.types import RPCEndpoint

from fhevm.client import FhevmClient
from fhevm.devchain import dev_accounts
from fhevm.local import LocalFhevm
from fhevm.rpc import connect_rpc
from fogbound.anvil import start_anvil
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.errors import StackNotRunning
from fogbound.games import GameSpec, TableTerms, installed_games
from fogbound.keeper import Keeper
from fogbound.locks import DATA
from fogbound.process import free_port
from fogbound.progress import Progress, silent
from fogbound.watch import Watch

DEPLOYER, KEEPER = dev_accounts()[0], dev_accounts()[-1]
SEEDED_GENESIS = 1_700_000_000  # so that two seeded runs have equal blocks


@dataclass(frozen=True)
class StackInfo:
    """What `fogbound up` writes to `stack.json` once all is ready, and after a restart of a process.

    `pid` is the supervisor's; `processes` are its children's ids by name; `fingerprint` is that of the
    public keys in the data folder, which its gateway must show.
    """

    pid: int
    rpc: str
    gateway: str
    chain_id: int
    backend: str
    fingerprint: str
    processes: dict[str, int]

    def write(self, data: Path) -> None:
        """Put it into the data folder, all at once."""
        partial = data / f"stack.{self.pid}"
        partial.write_text(json.dumps(asdict(self), indent=1))
        partial.replace(data / "stack.json")

    @classmethod
    def read(cls, data: Path) -> "StackInfo":
        """The running stack's. Raises StackNotRunning."""
        try:
            return cls(**json.loads((data / "stack.json").read_text()))
        except (OSError, ValueError, TypeError):
            raise StackNotRunning(data) from None


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
    """Everything in this process, on a fresh chain, with accounts `dev_accounts()`; a context manager.

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
        anvil: bool = True,
        anvil_options: Sequence[str] = (),
        progress: Progress = silent,
    ) -> None:
        """`games`: the installed ones by default. `anvil=False`: py-evm, in this very process.

        Raises ProcessFailed, ToolMissing.
        """
        self._closing = ExitStack()
        with ExitStack() as failing:
            failing.callback(self.close)
            progress("starting a chain")
            chain = Chain(self._fresh_anvil(anvil_options) if anvil else _in_process())
            progress(f"making {backend} keys, deploying the host contracts")
            self.fhevm_local = LocalFhevm.create(chain.web3, backend, seed)
            self._closing.callback(self.fhevm_local.close)
            super().__init__(chain, Registry(), self.fhevm_local.client)
            progress("deploying the games")
            specs = list(installed_games().values()) if games is None else list(games)
            self.deploy_missing(specs, DEPLOYER, terms or TableTerms(DEPLOYER.address))
            watches = [Watch(each, self.client(each, KEEPER), self.history(each)) for each in specs]
            self.keeper = Keeper(chain, watches, heartbeat=float("inf"), threads=False)
            chain.idle = self.advance
            failing.pop_all()

    def advance(self) -> None:
        """Compute and settle all that is due by now; mine where a draw waits for blocks."""
        self.fhevm_local.sync()
        self.keeper.tick()

    def _fresh_anvil(self, options: Sequence[str]) -> Web3:
        folder = self._closing.enter_context(tempfile.TemporaryDirectory(prefix="fogbound-"))
        port = free_port()
        process = start_anvil(
            port, Path(folder) / "anvil.log", genesis_time=SEEDED_GENESIS, options=[*options]
        )
        self._closing.callback(process.stop)
        web3 = connect_rpc(f"http://127.0.0.1:{port}")
        web3.provider.make_request(RPCEndpoint("anvil_setBlockTimestampInterval"), [1])
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


def _in_process() -> Web3:
    from fhevm.pyevm import in_process_chain  # needs what players do not install

    return in_process_chain()
