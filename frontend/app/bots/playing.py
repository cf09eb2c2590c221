"""The bots at their games.

Which games those are, and whether a bot has to act, the index says: nothing else is remembered, so that they
go on after a restart. They are woken when the index has moved, and look at their own games alone. Of several
processes on one folder, one plays.
"""

import fcntl
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from fogbound.bots import Act
from fogbound.connection import Connection
from fogbound.errors import ContractError
from fogbound.game import Game
from fogbound.history import History
from fogbound.table import TableClient
from fogbound.tasks import Key, Tasks
from frontend.app.bots.accounts import Bot
from frontend.app.bots.seats import Seat, Seats
from frontend.app.connector import Connector
from frontend.app.index.database import Database

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0  # while something is to be done, or has failed
QUIET_SECONDS = 60.0
WORKERS = 3  # of each kind of game
PATIENCE_SECONDS = 900.0  # beyond the clock, before a bot claims the game
HURRY = 2  # in the last half of its time a bot extends its clock before it thinks


class Playing:
    """Plays all games of `bots`; `patience`: seconds beyond the clock."""

    def __init__(
        self,
        connector: Connector,
        database: Database,
        bots: Sequence[Bot],
        *,
        workers: int = WORKERS,
        patience: float = PATIENCE_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._connector = connector
        self._seats = Seats(database, {bot.address: bot for bot in bots})
        self._tasks = {kind: Tasks(f"bots-{kind}", workers) for kind in {bot.kind for bot in bots}}
        self._patience = patience
        self._clock = clock
        self._connection: Connection | None = None
        self._acts: dict[Key, tuple[TableClient, Act]] = {}
        self._woken = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, folder: Path) -> None:
        """Play, in threads of its own, once no other process on this folder does."""
        self._thread = threading.Thread(target=self._run, args=(folder,), name="bots", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Look at the games: the index may have moved."""
        self._woken.set()

    def stop(self) -> None:
        """End, after the moves that are under way."""
        self._stop.set()
        self._woken.set()
        if self._thread:
            self._thread.join()
        for tasks in self._tasks.values():
            tasks.close()

    def tick(self) -> None:
        """Let every bot act that has to. Raises what connecting to the chain raises."""
        self._connect()
        self._seats.refresh()
        seats = self._seats.all()
        for seat in seats:
            if self._clock() >= seat.claimable + self._patience:
                self._offer(seat, self._claim)
            elif seat.to_act:
                self._offer(seat, self._act)
        self._forget_all_but({seat.key for seat in seats})

    # ── one bot in one game ──

    def _offer(self, seat: Seat, work: Callable[[Seat], None]) -> None:
        self._tasks[seat.bot.kind].offer(seat.key, partial(self._work, work, seat))

    def _work(self, work: Callable[[Seat], None], seat: Seat) -> None:
        """What came in meanwhile is looked at as soon as this is done."""
        try:
            work(seat)
        finally:
            self.wake()

    def _act(self, seat: Seat) -> None:
        """The chain, not the index, says whether there is something to do."""
        client, act = self._at(seat)
        game = client.game(seat.row.id)
        self._win_time(client, game)
        if not act(game):
            self._seats.settle(seat)

    def _claim(self, seat: Seat) -> None:
        client, _ = self._at(seat)
        client.claim_timeout(seat.row.id)
        self._seats.settle(seat)

    def _win_time(self, client: TableClient, game: Game) -> None:
        """No bot loses on time because the gateway was away, or the machine busy."""
        move = client.time_controls()[game.control].move
        if game.is_turn_of(client.player) and game.deadline - self._clock() < move / HURRY:
            with suppress(ContractError):  # none is left
                client.keep_alive(game.id)

    def _at(self, seat: Seat) -> tuple[TableClient, Act]:
        """The bot with a client of its own for each game."""
        if seat.key not in self._acts:
            bot, connection = seat.bot, self._connection
            assert connection is not None, "a tick connects first"
            client = bot.client(connection)
            client.history = History(connection.chain, client.contract, seat.row.opened_block)
            self._acts[seat.key] = client, bot.act(client, seat.row.id)
        return self._acts[seat.key]

    # ── all of them ──

    def _connect(self) -> None:
        """What clients remember is of one chain: after a reset they are made anew."""
        connection = self._connector.connection()
        if connection is not self._connection:
            self._connection = connection
            self._acts.clear()
            self._seats.forget()

    def _forget_all_but(self, keys: set[Key]) -> None:
        for key in self._acts.keys() - keys:
            self._tasks[key[0]].forget(key)
            self._acts.pop(key, None)

    def _run(self, folder: Path) -> None:
        with self._alone(folder):
            while not self._stop.is_set():
                self._woken.clear()
                try:
                    self.tick()
                except Exception as error:  # noqa: BLE001 - whatever it is, the games go on after it
                    log.warning("the bots wait: %s", error)
                    self._stop.wait(RETRY_SECONDS)
                self._woken.wait(self._pause())

    def _pause(self) -> float:
        """Until something is to be done, if the index does not move before."""
        seats = self._seats.all()
        if any(seat.to_act for seat in seats):
            return RETRY_SECONDS
        first = min((seat.claimable for seat in seats), default=float("inf")) + self._patience
        return min(max(first - self._clock(), RETRY_SECONDS), QUIET_SECONDS)

    @contextmanager
    def _alone(self, folder: Path) -> Iterator[None]:
        """Wait until no other process plays, or until this is to stop; the lock goes with the process."""
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "bots.lock").open("w") as lock:
            while not self._stop.is_set():
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    self._stop.wait(1.0)
            yield
