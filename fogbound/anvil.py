"""anvil as a child process: fresh for a test or a demo, or kept in a folder over restarts and kills."""

import time
from pathlib import Path

from web3 import Web3
from web3.types import RPCEndpoint

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.toolchain import anvil as anvil_binary
from fogbound.errors import ProcessFailed
from fogbound.journal import Follower, Journal, mine_again
from fogbound.process import Process, free_port, is_listening

READY_SECONDS = 60.0
DUMP_SECONDS = 300.0


def start_anvil(port: int, log: Path, *, genesis_time: int, options: list[str]) -> Process:
    """Start anvil on 127.0.0.1 and wait until it answers. Raises ProcessFailed, ToolMissing."""
    if is_listening(port):
        raise ProcessFailed(f"port {port} is in use (choose another with --port)")
    command = [str(anvil_binary()), "--host", "127.0.0.1", "--port", str(port), "--silent"]
    command += ["--chain-id", str(LOCAL_CHAIN_ID), "--hardfork", "prague", "--order", "fifo"]
    command += ["--timestamp", str(genesis_time), *options]
    process = Process("anvil", command, log)
    process.wait_until(lambda: is_listening(port), READY_SECONDS)
    return process


class KeptAnvil:
    """A chain kept in `folder`: `state.json` from the last peaceful end, and the journal since.

    `start` brings back every block, however the last run ended.
    """

    name = "anvil"

    def __init__(self, folder: Path, port: int, log: Path) -> None:
        self._folder = folder
        self._port = port
        self._log = log
        self._journal = Journal(folder / "journal.jsonl")
        self._process: Process | None = None
        self._follower: Follower | None = None

    @property
    def pid(self) -> int | None:
        """anvil's process id."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Mine again what a kill has lost, then serve. Raises ProcessFailed, ChainRefused."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if any(True for _ in self._journal.blocks()):
            self._recover()
        self._process = self._start(self._port)
        web3 = _web3(self._port)
        web3.provider.make_request(RPCEndpoint("anvil_setTime"), [int(time.time())])
        self._follower = Follower(self._port, self._journal)
        self._follower.start()
        self._process.wait_until(self._follower.following.is_set, READY_SECONDS)

    def is_alive(self) -> bool:
        """Whether anvil runs."""
        return self._process is not None and self._process.is_alive()

    def stop(self) -> None:
        """End anvil and keep its whole state."""
        if self._process is None:
            return
        self._end(self._process)
        self._process = None

    def _recover(self) -> None:
        """On a port that nobody knows, so that nobody interferes."""
        port = free_port()
        process = self._start(port)
        try:
            mine_again(_web3(port), self._journal.blocks())
        except BaseException:
            process.stop()
            raise
        self._end(process)

    def _start(self, port: int) -> Process:
        state, dumped = self._folder / "state.json", self._folder / "dumped.json"
        dumped.unlink(missing_ok=True)
        options = ["--dump-state", str(dumped)]
        if state.exists():
            options += ["--load-state", str(state)]
        return start_anvil(port, self._log, genesis_time=self._genesis_time(), options=options)

    def _end(self, process: Process) -> None:
        """A dump replaces the state only when it is whole; the journal goes after that."""
        dumped = self._folder / "dumped.json"
        if process.is_alive() and process.stop(DUMP_SECONDS) and dumped.exists():
            dumped.replace(self._folder / "state.json")
            self._journal.clear()

    def _genesis_time(self) -> int:
        """The first block's time decides its hash, so it is kept."""
        file = self._folder / "genesis-time"
        if not file.exists():
            file.write_text(str(int(time.time())))
        return int(file.read_text())


def _web3(port: int) -> Web3:
    return Web3(Web3.HTTPProvider(f"http://127.0.0.1:{port}"))
