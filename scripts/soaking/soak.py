"""One soak: start, play, kill, watch; stand still; compare everything."""

import random
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from eth_account import Account
from eth_account.signers.local import LocalAccount

from fhevm.devchain import dev_accounts
from fogbound.game import Phase
from fogbound.games import installed_games
from fogbound.progress import Progress
from fogbound.stack import Stack
from fogbound.table import TableClient
from scripts.soaking.chaos import Chaos
from scripts.soaking.gate import Gate
from scripts.soaking.index import check_index
from scripts.soaking.money import check_money
from scripts.soaking.patience import attempt, patiently
from scripts.soaking.playing import Pair
from scripts.soaking.report import Report
from scripts.soaking.stack import SoakedStack
from scripts.soaking.usage import Usage
from scripts.soaking.watching import Spectator

PAIRS, SPECTATORS = 3, 2
PROGRESS_SECONDS = 10.0
PLAYER_WEI = 100 * 10**18
FUNDER = dev_accounts()[5]
QUIET_SECONDS, STILL_SECONDS = 3.0, 120.0  # how long a chain has to stand still, and may take to


@dataclass(frozen=True)
class Options:
    """`pairs`: of accounts that play at the same time; `calm`: without kills and reorganisations."""

    minutes: float
    backend: str
    seed: int
    pairs: int = PAIRS
    calm: bool = False


def soak(options: Options, say: Progress) -> bool:
    """Whether everything was as it must be; the last line said sums it up."""
    with tempfile.TemporaryDirectory(prefix="soak-", ignore_cleanup_errors=True) as folder:
        run = Run(options, Path(folder), say)
        try:
            run.start()
            run.play()
            run.compare()
        finally:
            run.stop()
        say(run.summary())
        return not run.report.differences


class Run:
    """Its parts, each of which may be looked at alone."""

    def __init__(self, options: Options, folder: Path, say: Progress) -> None:
        self._options, self._say = options, say
        self._chosen = random.Random(options.seed)
        self._stack = SoakedStack(folder, options.backend)
        self._gate, self._stop = Gate(), threading.Event()
        self.report = Report(say)
        self._usage = Usage(self._stack)
        self._spectators = [Spectator(self._stack.web, self.report) for _ in range(SPECTATORS)]
        self._watching = [
            threading.Thread(target=each.run, args=(self._stop,)) for each in self._spectators
        ]

    def start(self) -> None:
        self._say(f"seed {self._options.seed}: starting the {self._options.backend} stack")
        self._stack.start()
        self._connection = Stack.connect(self._stack.data)
        self._pairs = [self._accounts(2) for _ in range(self._options.pairs)]
        (self._reckless,) = self._accounts(1)
        self._say(f"at the start: {self._usage.take()}")
        for thread in self._watching:
            thread.start()

    def _accounts(self, count: int) -> list[LocalAccount]:
        """New accounts, from the seed, with money."""
        made = [Account.from_key(self._chosen.randbytes(32)) for _ in range(count)]
        for account in made:
            self._connection.chain.transfer(FUNDER, account.address, PLAYER_WEI)
        return made

    def play(self) -> None:
        """Until the time is over; players finish their games, kills end at once."""
        over, threads = threading.Event(), [*map(self._player, range(self._options.pairs))]
        parts = self._stack, self._connection, self._gate, self.report, self._reckless
        chaos = Chaos(*parts, self._another())
        killing = threading.Thread(target=chaos.run, args=(over,))
        running = [threading.Thread(target=run, args=(over,)) for run in threads]
        for thread in (*running, *([] if self._options.calm else [killing])):
            thread.start()
        self._tell_until(time.monotonic() + self._options.minutes * 60)
        over.set()
        for thread in (*running, killing):
            if thread.is_alive():
                thread.join()

    def _player(self, number: int) -> Callable[[threading.Event], None]:
        pair = Pair(
            number,
            self._connection,
            self._pairs[number],
            self._stack,
            self._gate,
            self.report,
            self._another(),
        )
        return pair.run

    def _another(self) -> random.Random:
        return random.Random(self._chosen.getrandbits(64))

    def _tell_until(self, end: float) -> None:
        begun, half = time.monotonic(), (time.monotonic() + end) / 2
        while (now := time.monotonic()) < end:
            time.sleep(min(PROGRESS_SECONDS, end - now))
            sample = self._usage.take()
            self._say(f"{time.monotonic() - begun:4.0f} s: {self.report}; {sample}")
            if now < half <= time.monotonic():
                self._say(f"in the middle: {sample}")

    # ── the end ──

    def compare(self) -> None:
        """End what is left, wait until nothing moves, and compare."""
        tables = self._end_games()
        self._stand_still()
        self._say(f"at the end: {self._usage.take()}; comparing")
        time.sleep(1.0)  # for the last messages to spectators
        check_money(self._connection, tables, self.report)
        for spectator in self._spectators:
            spectator.check()
        check_index(self._stack.data, self.report)

    def _end_games(self) -> list[TableClient]:
        """What a kill made players lose sight of is cancelled, or resigned; bots stop for want of games."""
        accounts = [*(account for pair in self._pairs for account in pair), self._reckless]
        tables = [self._connection.client(spec, accounts[0]) for spec in installed_games().values()]
        for spec in installed_games().values():
            for account in accounts:
                _leave_all(self._connection.client(spec, account))
        return tables

    def _stand_still(self) -> None:
        """No block, and the web app has read the last one."""
        self._stack.wait_until(lambda: all(map(self._stack.answers, ("web", "coprocessor", "kms"))))
        until = time.monotonic() + STILL_SECONDS
        head, since = -1, time.monotonic()
        while time.monotonic() < since + QUIET_SECONDS:
            assert time.monotonic() < until, "the chain does not come to rest"
            newest = patiently(lambda: self._connection.chain.block_number)
            if newest != head:
                head, since = newest, time.monotonic()
            time.sleep(0.1)

    def stop(self) -> None:
        self._stop.set()
        self._stack.stop()
        for thread in self._watching:
            if thread.is_alive():
                thread.join()

    def summary(self) -> str:
        options, first, last = self._options, self._usage.samples[0], self._usage.samples[-1]
        found = len(self.report.differences)
        told = f"{found} DIFFERENCES (look at the lines above)" if found else "no difference"
        return (
            f"soak: {told}; seed {options.seed}, {options.minutes:g} min, {options.backend}: {self.report}; "
            f"start: {first}; middle: {self._usage.middle}; end: {last}; {self._usage.verdict()}"
        )


def _leave_all(client: TableClient) -> None:
    for game in patiently(client.unfinished):
        if game.phase is Phase.OPEN:
            attempt(client.cancel, game.id)
        elif game.phase is not Phase.PROVING:
            attempt(client.resign, game.id)
