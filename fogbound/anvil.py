"""anvil as a child process: fresh for a test or a demo, or kept in a folder over restarts and kills."""

import mmap
import os
import random
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import requests

from fhevm.chainrules import CHAIN_OPTIONS, HARDFORK
from fhevm.toolchain import anvil as anvil_binary
from fogbound.anvilrpc import SECONDS, AnvilRpc
from fogbound.errors import ChainRefused, ProcessFailed, TransactionRefused
from fogbound.journal import Block, Journal, mine
from fogbound.locks import exclusive
from fogbound.memory import growth_limited, held_memory, limit_memory
from fogbound.ports import free_port
from fogbound.process import Process, is_listening, wait_for_end

READY_SECONDS = 60.0
DUMP_SECONDS = 300.0
DUMP_END = b'"historical_states":null}'  # of anvil 1.7; to read 300 MB takes seconds
TRACES, TRACES_END = b'"traces":[', b'],"exit":'  # of a transaction, in a dump
START_ATTEMPTS = 10
CHECKPOINT_BLOCKS = 2_000  # a start after a kill mines at most so many again
# anvil keeps a trace of each transaction, with a copy of the input of each call: up to a kilobyte per gas.
MEMORY = 4 << 30  # bytes; beyond it anvil ends (SIGABRT), and not the machine
BLOCK_MEMORY = 256 << 20  # bytes that one block may take
CHECKPOINT_MEMORY = 512 << 20  # bytes that blocks may take until their traces are forgotten
# A start after a kill takes as long again as the blocks since the checkpoint did: so long, or as long as the
# last checkpoint took; by chance up to twice as long, so that nobody chooses the block after which the node
# forgets older hashes.
CHECKPOINT_SECONDS = 2.0
# What it keeps for ever (logs above all) is read at each start, with as much garbage again: beyond this much
# it could not start any more.
FULL_MEMORY = 5 << 29
OWN_FAULTS = {
    -signal.SIGABRT,
    -signal.SIGSEGV,
    -signal.SIGBUS,
    -signal.SIGILL,
}  # nobody sends these
END_SECONDS = 0.5  # from the end of a connection to that of the process


def start_anvil(port: int, log: Path, *, genesis_time: int, options: list[str]) -> Process:
    """Start anvil on 127.0.0.1 and wait until it answers. Raises ProcessFailed, ToolMissing."""
    if is_listening(port):
        raise ProcessFailed(f"port {port} is in use (choose another with --port)")
    command = [str(anvil_binary()), "--host", "127.0.0.1", "--port", str(port), "--silent"]
    command += [*CHAIN_OPTIONS, "--hardfork", HARDFORK, "--timestamp", str(genesis_time), *options]
    process = Process("anvil", command, log)
    limit_memory(process.pid, MEMORY)
    process.wait_until(lambda: is_listening(port), READY_SECONDS)
    return process


class KeptAnvil:
    """A chain kept in `folder`: `state.json` from the last checkpoint, and a journal since.

    A block's time is the machine's, or its parent's where that is later: never ahead of the clock.

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
        self._ready_port = 0
        self._process: Process | None = None
        self._head = Block(0, 0)
        self._loaded = 0  # the block of the state that the journal goes on from
        self._loaded_memory = 0  # bytes that anvil held then
        self._grown, self._worked = 0, 0.0  # bytes and seconds that blocks took since
        self._patience = CHECKPOINT_SECONDS
        self._pause = 0.0  # seconds that the last checkpoint took
        self._lethal: Block | None = None  # the last that ended anvil
        self._held = ExitStack()

    @property
    def url(self) -> str:
        """Where it listens, once it has every block; where nobody answers, while it starts."""
        return f"http://127.0.0.1:{self._ready_port}"

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
        self._loaded_memory = held_memory(self._running.pid)
        self._grown, self._worked = 0, 0.0
        least = max(CHECKPOINT_SECONDS, self._pause)
        self._patience = random.uniform(least, 2 * least)
        for block in self.journal.read():
            if block.number > self._head.number:
                self._mine_again(block)
        self._ready_port = self._port
        self._tell_pid()

    def mine(self, transactions: tuple[str, ...] = (), *, suspect: bool = False) -> None:
        """Mine one block of raw transactions, now and once, however often anvil dies over it.

        Once this returns, no kill loses it. Raises TransactionRefused, then nothing has changed; also where
        the block ends anvil (SIGABRT: no memory) twice, the second time with nobody else asking it anything,
        and where the chain is full. `suspect`: where anvil ends by itself, this is why, the first time.
        """
        if transactions and self._loaded_memory > FULL_MEMORY:
            raise _no_room()
        timestamp = max(int(time.time()), self._head.timestamp)
        block = Block(self._head.number + 1, timestamp, transactions)
        while self._head.number < block.number:
            if self._lethal == block:
                raise _ended_the_node()
            self.journal.intend(block)
            try:
                self._finish(block)
            except requests.ReadTimeout:
                self._give_up(block)
                self._kill()
                self.start()
            except requests.RequestException:
                if suspect and self._ended_by_itself():
                    self._give_up(block)
                self._kill()  # it may be dying still
                self.start()  # which mines what is noted, unless it is refused
            except TransactionRefused:
                raise
            except ChainRefused:
                self._kill()  # it may have mined another block than it was told
                raise
        if self._is_checkpoint_due():
            self._checkpoint()
            self._tell_pid()

    def _is_checkpoint_due(self) -> bool:
        return (
            self._head.number - self._loaded >= CHECKPOINT_BLOCKS
            or self._grown > CHECKPOINT_MEMORY
            or self._worked > self._patience
        )

    def _finish(self, block: Block) -> None:
        """Mine a block that is noted, and note how it went.

        Where that cannot be noted (a full disk), all is well: it goes the same way after a kill.
        """
        try:
            with growth_limited(self._running.pid, BLOCK_MEMORY), self._measured():
                found = mine(self._rpc, block)
        except TransactionRefused:
            with suppress(OSError):
                self.journal.refused(block.number)
            raise
        self._head = block
        with suppress(OSError):
            self.journal.mined(block.number, found)

    @contextmanager
    def _measured(self) -> Iterator[None]:
        """What blocks take adds up: in memory only while they are mined, since answers take some as well."""
        held, begun = held_memory(self._running.pid), time.monotonic()
        try:
            yield
        finally:
            self._grown += max(0, held_memory(self._running.pid) - held)
            self._worked += time.monotonic() - begun

    def _mine_again(self, block: Block) -> None:
        if block.hash is not None:
            self._mine_what_was(block)
            return
        try:  # a kill came between, or it ended anvil
            self._finish(block)
        except TransactionRefused:
            pass
        except requests.RequestException as problem:
            # Nobody else asks it anything yet: the block is why.
            if isinstance(problem, requests.ReadTimeout) or self._ended_by_itself():
                self._give_up(block)
            raise

    def _mine_what_was(self, block: Block) -> None:
        """However long it takes now, on a machine that is busier perhaps."""
        self._rpc.seconds = None
        with self._measured():
            mine(self._rpc, block)
        self._rpc.seconds = SECONDS
        self._head = block

    def _give_up(self, block: Block) -> None:
        """Where the refusal cannot be noted, the block is tried again at the next start."""
        self._lethal = block
        with suppress(OSError):
            self.journal.refused(block.number)

    def _ended_by_itself(self) -> bool:
        """Whether anvil ended by a fault of its own, such as no memory, and was not killed from outside."""
        wait_for_end([self._running], END_SECONDS)
        return self._running.exit_code in OWN_FAULTS

    def _newest(self) -> Block:
        newest = self._rpc.ask("eth_getBlockByNumber", "latest", False)
        return Block(int(newest["number"], 16), int(newest["timestamp"], 16))

    @property
    def _running(self) -> Process:
        assert self._process is not None
        return self._process

    def _tell_pid(self) -> None:
        with suppress(OSError):
            _write(self._folder / "anvil.pid", str(self._running.pid))

    @property
    def head(self) -> Block:
        """The newest block."""
        return self._head

    def wait_for_end(self) -> None:
        """Block until the anvil that runs now has ended."""
        process = self._process
        if process is not None:
            wait_for_end([process])

    def is_alive(self) -> bool:
        """Whether anvil runs."""
        return self._process is not None and self._process.is_alive()

    def stop(self) -> None:
        """End anvil. A whole dump replaces the state, and only then the journal goes."""
        self._end()
        self._held.close()

    def _checkpoint(self) -> None:
        begun = time.monotonic()
        self._end()
        self.start()
        self._pause = time.monotonic() - begun

    def _end(self) -> None:
        if self._process is not None and self._process.is_alive():
            self._process.stop(DUMP_SECONDS)
            if self._process.exit_code == 0 and _is_whole(self._dump):
                self._keep_dump()
        self._process = None

    def _keep_dump(self) -> None:
        """The state is replaced, and the journal goes; on a full disk both stay as they are."""
        short = self._dump.with_name(self._dump.stem + "-short.json")
        with suppress(OSError):
            forget_traces(self._dump, short)
            short.replace(self._folder / "state.json")
            self.journal.clear()
        for left in (self._dump, short):
            left.unlink(missing_ok=True)

    def _kill(self) -> None:
        if self._process is not None:
            self._process.stop(0)
        self._process = None

    @property
    def _dump(self) -> Path:
        return self._folder / f"dumped-{self._port}.json"

    def _start(self) -> None:
        self._port, self._ready_port = free_port(), 0
        states = self._folder / "states"  # of past blocks; by default they are in the home folder
        shutil.rmtree(states, ignore_errors=True)  # of one that was killed
        options = ["--no-mining", "--dump-state", str(self._dump), "--cache-path", str(states)]
        state = self._folder / "state.json"
        if state.exists():
            options += ["--load-state", str(state)]
        self._process = start_anvil(
            self._port, self._log, genesis_time=self._genesis_time(), options=options
        )
        self._rpc = AnvilRpc(f"http://127.0.0.1:{self._port}")

    def _genesis_time(self) -> int:
        """The first block's time decides its hash, so it is kept."""
        file = self._folder / "genesis-time"
        if not file.exists():
            _write(file, str(int(time.time())))
        return int(file.read_text())


def forget_traces(dump: Path, short: Path) -> None:
    """Write a dump without its transactions' traces, which only debugging wants. Quotes inside of strings are
    escaped, so nothing that a user wrote looks like a key.
    """
    with (
        dump.open("rb") as source,
        short.open("wb") as kept,
        mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ) as text,
    ):
        done = 0
        while (begin := text.find(TRACES, done)) >= 0:
            end = text.find(TRACES_END, begin)
            if end < 0:
                break
            kept.write(text[done : begin + len(TRACES)])
            done = end
        kept.write(text[done:])


def _ended_the_node() -> TransactionRefused:
    words = "this transaction ended the node; it is forgotten"
    return TransactionRefused({"code": -32000, "message": words})


def _no_room() -> TransactionRefused:
    words = (
        f"the chain is full: its node keeps {FULL_MEMORY >> 20} MiB; no more transactions are taken"
    )
    return TransactionRefused({"code": -32000, "message": words})


def _write(file: Path, text: str) -> None:
    """All of it or nothing."""
    partial = file.with_name(file.name + ".new")
    partial.write_text(text)
    partial.replace(file)


def _is_whole(dump: Path) -> bool:
    """Whether it ends as every dump does: a full disk or a kill leaves a torso."""
    if not dump.exists():
        return False
    with dump.open("rb") as file:
        file.seek(-min(len(DUMP_END), dump.stat().st_size), os.SEEK_END)
        return file.read() == DUMP_END
