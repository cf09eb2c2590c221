"""Kills of every process, and reorganisations of the chain."""

import json
import random
import threading
import time
from pathlib import Path
from typing import Any

from eth_account.signers.local import LocalAccount

from bunkerwar.game import GAME
from fogbound.connection import Connection
from scripts.soaking.gate import Gate
from scripts.soaking.patience import attempt, patiently
from scripts.soaking.report import Report
from scripts.soaking.stack import PROCESSES, SoakedStack

KILL_SECONDS = (2.0, 8.0)  # between two kills
KILLS_BETWEEN = 10  # two reorganisations
LOST_TRANSFERS = 3
SEEN_SECONDS = 1.0  # in which followers read the blocks that get lost


class Chaos:
    """Kills at random until told to stop, and at times cuts off the newest blocks, as a power cut does.

    The next kill comes when all has worked again for as long as it did not: on a busy machine starts take
    long, and a stack that is never whole shows nothing but that.

    `reckless`: an account whose newest transactions get lost.
    """

    def __init__(  # noqa: PLR0917 - all are of one run
        self,
        stack: SoakedStack,
        connection: Connection,
        gate: Gate,
        report: Report,
        reckless: LocalAccount,
        chosen: random.Random,
    ) -> None:
        self._stack, self._connection = stack, connection
        self._gate, self._report = gate, report
        self._reckless, self._chosen = reckless, chosen

    def run(self, stop: threading.Event) -> None:
        number, missing = 0, 0.0
        while not stop.wait(max(missing, self._chosen.uniform(*KILL_SECONDS))):
            number, begun = number + 1, time.monotonic()
            try:
                if number % KILLS_BETWEEN:
                    self._stack.kill(self._chosen.choice(PROCESSES))
                    self._report.count("kills")
                else:
                    self._reorganise()
                self._stack.wait_until_whole()
            except Exception as error:  # noqa: BLE001 - reported; the others go on
                self._report.failed("chaos", error)
                return
            missing = time.monotonic() - begun

    def _reorganise(self) -> None:
        """Blocks with a game that was opened get lost; others come in their place."""
        with self._gate.closed():
            first = patiently(lambda: self._connection.chain.block_number) + 1
            if not attempt(self._lose):
                return
            cut: list[int] = []
            self._stack.kill_chain(lambda: cut.extend(cut_off(self._journal, first)))
            if cut:
                self._replace(max(cut))
                self._report.count("reorganisations")

    def _lose(self) -> None:
        self._connection.client(GAME, self._reckless).open(2, 3, False, stake=1)
        for _ in range(LOST_TRANSFERS):
            self._transfer(1)
        time.sleep(SEEN_SECONDS)

    def _replace(self, last: int) -> None:
        """A longer chain than the one that was lost."""
        while patiently(lambda: self._connection.chain.block_number) <= last:
            attempt(self._transfer, 2)

    def _transfer(self, wei: int) -> None:
        self._connection.chain.transfer(self._reckless, self._reckless.address, wei)

    @property
    def _journal(self) -> Path:
        return self._stack.data / "chain" / "journal.jsonl"


def cut_off(journal: Path, first: int) -> list[int]:
    """Forget the blocks from `first` on; which. None where the first of them is in the state already."""
    lines = [json.loads(line) for line in journal.read_text().splitlines() if line.strip()]
    kept = [entry for entry in lines if _number(entry) < first]
    lost = sorted({_number(entry) for entry in lines} - {_number(entry) for entry in kept})
    if first not in lost:
        return []
    journal.write_text("".join(f"{json.dumps(entry)}\n" for entry in kept))
    return lost


def _number(entry: dict[str, Any]) -> int:
    """Which block an entry of the journal is of."""
    return int(entry.get("number") or entry.get("mined") or entry["refused"])
