"""anvil as a child process: fresh for a test or a demo, or kept in a folder over restarts and kills."""

import time
from pathlib import Path

from web3 import Web3

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.toolchain import anvil as anvil_binary
from fogbound.errors import ProcessFailed
from fogbound.journal import Journal, MinedBlock, ask, mine_again
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
    """A chain kept in `folder`: `state.json` from the last peaceful end, and a journal since.

    It listens on a port that only its owner knows (`url`), so that all that changes it can be noted:
    call `journal.add_sent` before a transaction is sent, and `note_blocks` after each change.
    """

    def __init__(self, folder: Path, log: Path) -> None:
        self._folder = folder
        self._log = log
        self.journal = Journal(folder / "journal.jsonl")
        self._port = 0
        self._process: Process | None = None
        self._noted = 0

    @property
    def url(self) -> str:
        """Where it listens, since the last start."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start with every block that was noted, however the last run ended.

        Raises ProcessFailed, ChainRefused.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        for left in self._folder.glob(
            "dumped-*.json"
        ):  # by an anvil that was told to end by nobody
            left.unlink()
        entries = self.journal.read()
        self._start()
        if entries.blocks or entries.unmined:
            mine_again(self.web3, entries)
            self.stop()
            self._start()
        ask(self.web3, "anvil_setTime", int(time.time()))
        self._noted = int(self.web3.eth.block_number)
        self._tell_pid()

    def _tell_pid(self) -> None:
        assert self._process is not None
        partial = self._folder / "anvil.pid.new"
        partial.write_text(str(self._process.pid))
        partial.replace(self._folder / "anvil.pid")

    def is_alive(self) -> bool:
        """Whether anvil runs."""
        return self._process is not None and self._process.is_alive()

    def stop(self) -> None:
        """End anvil. A whole dump replaces the state; the journal goes after that."""
        if self._process is None or not self._process.is_alive():
            return
        if self._process.stop(DUMP_SECONDS) and self._dump.exists():
            self._dump.replace(self._folder / "state.json")
            self.journal.clear()
        self._process = None

    def note_blocks(self) -> None:
        """Add the blocks that are new since the last call to the journal."""
        head = int(self.web3.eth.block_number)
        if head < self._noted:  # a snapshot was reverted: what is above it counts no more
            self._noted = head - 1
        for number in range(self._noted + 1, head + 1):
            self.journal.add_block(_read_block(self.web3, number))
        self._noted = head

    @property
    def _dump(self) -> Path:
        return self._folder / f"dumped-{self._port}.json"

    def _start(self) -> None:
        self._port = free_port()
        options = ["--dump-state", str(self._dump)]
        state = self._folder / "state.json"
        if state.exists():
            options += ["--load-state", str(state)]
        self._process = start_anvil(
            self._port, self._log, genesis_time=self._genesis_time(), options=options
        )
        self.web3 = Web3(Web3.HTTPProvider(self.url))

    def _genesis_time(self) -> int:
        """The first block's time decides its hash, so it is kept."""
        file = self._folder / "genesis-time"
        if not file.exists():
            file.write_text(str(int(time.time())))
        return int(file.read_text())


def _read_block(web3: Web3, number: int) -> MinedBlock:
    block = web3.eth.get_block(number)
    raw = (web3.eth.get_raw_transaction(each) for each in block["transactions"])  # type: ignore[arg-type]
    return MinedBlock(
        number=number,
        timestamp=int(block["timestamp"]),
        hash=Web3.to_hex(block["hash"]),
        transactions=tuple(Web3.to_hex(each) for each in raw),
    )
