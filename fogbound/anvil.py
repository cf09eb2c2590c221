"""anvil as a child process: fresh for a test or a demo, or kept in a folder over restarts and kills."""

import os
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import requests

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.rpc import connect_rpc
from fhevm.toolchain import anvil as anvil_binary
from fogbound.errors import ProcessFailed, TransactionRefused
from fogbound.journal import Block, Journal, mine
from fogbound.locks import exclusive
from fogbound.process import Process, free_port, is_listening

READY_SECONDS = 60.0
DUMP_SECONDS = 300.0
DUMP_END = b'"historical_states":null}'  # of anvil 1.7; to read 300 MB takes seconds
START_ATTEMPTS = 10
CHECKPOINT_BLOCKS = 2_000  # a start after a kill mines at most so many again
HARDFORK = (
    "cancun"  # what we compile for; from Prague on a block costs anvil up to 12 ms (EIP-2935)
)


def start_anvil(port: int, log: Path, *, genesis_time: int, options: list[str]) -> Process:
    """Start anvil on 127.0.0.1 and wait until it answers. Raises ProcessFailed, ToolMissing."""
    if is_listening(port):
        raise ProcessFailed(f"port {port} is in use (choose another with --port)")
    command = [str(anvil_binary()), "--host", "127.0.0.1", "--port", str(port), "--silent"]
    command += ["--chain-id", str(LOCAL_CHAIN_ID), "--hardfork", HARDFORK, "--order", "fifo"]
    command += ["--timestamp", str(genesis_time), *options]
    process = Process("anvil", command, log)
    process.wait_until(lambda: is_listening(port), READY_SECONDS)
    return process


class KeptAnvil:
    """A chain kept in `folder`: `state.json` from the last checkpoint, and a journal since.

    anvil mines nothing by itself and listens on a port that only its owner knows (`url`): `mine` is the only
    way that the chain changes. One process at a time holds a folder.

    A checkpoint is a peaceful end and a new start, not just a dump: anvil forgets the hashes that the
    BLOCKHASH opcode gives for blocks of a state that it loads, and what goes on from a state must see the
    same as what mines on top of it again. (So a draw that is pending over one is predictable; the keeper
    settles it within a second.)
    """

    def __init__(self, folder: Path, log: Path) -> None:
        self._folder = folder
        self._log = log
        self.journal = Journal(folder / "journal.jsonl")
        self._port = 0
        self._process: Process | None = None
        self._head = Block(0, 0)
        self._loaded = 0  # the block of the state that the journal goes on from
        self._held = ExitStack()

    @property
    def url(self) -> str:
        """Where it listens, since the last start."""
        return f"http://127.0.0.1:{self._port}"

    def hold(self) -> None:
        """Keep other processes out until `stop` or the process's end. Raises StackRunning."""
        self._held.enter_context(exclusive(self._folder))

    def start(self) -> None:
        """Start with every block that was noted, however the last run ended.

        Raises ProcessFailed, ChainRefused.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        for left in self._folder.glob("dumped-*.json"):  # told to end by nobody who waited for it
            left.unlink()
        for _ in range(START_ATTEMPTS):
            self._start()
            try:
                return self._catch_up()
            except requests.RequestException:  # killed again meanwhile
                self._kill()
        raise ProcessFailed(f"anvil died {START_ATTEMPTS} times at its start")

    def _catch_up(self) -> None:
        self._head = self._newest()
        self._loaded = self._head.number
        for block in self.journal.read():
            if block.number > self._head.number:
                self._mine_again(block)
        if self._head.number - self._loaded >= CHECKPOINT_BLOCKS:
            self._checkpoint()
        self._tell_pid()

    def mine(self, transactions: tuple[str, ...] = ()) -> None:
        """Mine one block of raw transactions, now and once, however often anvil dies over it.

        Once this returns, no kill loses it. Raises TransactionRefused, then nothing has changed.
        """
        timestamp = max(int(time.time()), self._head.timestamp + 1)
        block = Block(self._head.number + 1, timestamp, transactions)
        while self._head.number < block.number:
            self.journal.intend(block)
            try:
                self._finish(block)
            except requests.RequestException:
                self._kill()  # it may be dying still
                self.start()  # which mines what is noted, unless it is refused
        if block.number - self._loaded >= CHECKPOINT_BLOCKS:
            self._checkpoint()
            self._tell_pid()

    def _finish(self, block: Block) -> None:
        """Mine a block that is noted, and note how it went."""
        try:
            found = mine(self.web3, block)
        except TransactionRefused:
            self.journal.refused(block.number)
            raise
        self.journal.mined(block.number, found)
        self._head = block

    def _mine_again(self, block: Block) -> None:
        if block.hash is None:  # a kill came between
            with suppress(TransactionRefused):
                self._finish(block)
        else:
            mine(self.web3, block)
            self._head = block

    def _newest(self) -> Block:
        newest = self.web3.eth.get_block("latest")
        return Block(int(newest["number"]), int(newest["timestamp"]))

    def _tell_pid(self) -> None:
        assert self._process is not None
        partial = self._folder / "anvil.pid.new"
        partial.write_text(str(self._process.pid))
        partial.replace(self._folder / "anvil.pid")

    def is_alive(self) -> bool:
        """Whether anvil runs."""
        return self._process is not None and self._process.is_alive()

    def stop(self) -> None:
        """End anvil. A whole dump replaces the state, and only then the journal goes."""
        self._end()
        self._held.close()

    def _checkpoint(self) -> None:
        self._end()
        self.start()

    def _end(self) -> None:
        if self._process is not None and self._process.is_alive():
            self._process.stop(DUMP_SECONDS)
            if self._process.exit_code == 0 and _is_whole(self._dump):
                self._dump.replace(self._folder / "state.json")
                self.journal.clear()
        self._process = None

    def _kill(self) -> None:
        if self._process is not None:
            self._process.stop(0)
        self._process = None

    @property
    def _dump(self) -> Path:
        return self._folder / f"dumped-{self._port}.json"

    def _start(self) -> None:
        self._port = free_port()
        options = ["--no-mining", "--dump-state", str(self._dump)]
        state = self._folder / "state.json"
        if state.exists():
            options += ["--load-state", str(state)]
        self._process = start_anvil(
            self._port, self._log, genesis_time=self._genesis_time(), options=options
        )
        self.web3 = connect_rpc(self.url)

    def _genesis_time(self) -> int:
        """The first block's time decides its hash, so it is kept."""
        file = self._folder / "genesis-time"
        if not file.exists():
            file.write_text(str(int(time.time())))
        return int(file.read_text())


def _is_whole(dump: Path) -> bool:
    """Whether it ends as every dump does: a full disk or a kill leaves a torso."""
    if not dump.exists():
        return False
    with dump.open("rb") as file:
        file.seek(-min(len(DUMP_END), dump.stat().st_size), os.SEEK_END)
        return file.read() == DUMP_END
