"""The bots at their games.

Which games those are, and whether a bot has to act, the index says: nothing else is remembered, so that they
go on after a restart. Of several processes on one folder, one plays.
"""

import fcntl
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy import select

from fogbound.bots import Act
from fogbound.connection import Connection
from fogbound.history import History
from fogbound.table import TableClient
from fogbound.tasks import Key, Tasks
from frontend.app.bots.accounts import Bot
from frontend.app.connector import Connector
from frontend.app.index.database import Database
from frontend.app.index.schema import GameRow
from frontend.app.index.summary import LIVE

log = logging.getLogger(__name__)

TICK_SECONDS = 0.1
WORKERS = 3  # of each kind of game
LATE = 50  # ended games that are looked at: a loser may still show his board
PATIENCE_SECONDS = 900.0  # beyond the clock, before a bot claims the game


@dataclass
class Seat:
    """A bot in a game, as the index shows it at `sequence`."""

    bot: Bot
    row: GameRow

    @property
    def key(self) -> Key:
        """The game's."""
        return self.row.kind, self.row.id

    @property
    def to_act(self) -> bool:
        """Whether it has, or may have, to act."""
        if self.row.phase == "playing":
            return self._on_turn
        return self.row.phase in ("proving", "ended")

    def overdue(self, block: int) -> bool:
        """Whether the other could be made to lose on time."""
        late = self.row.phase == "playing" and block > self.row.deadline
        return late and not self._on_turn

    @property
    def _on_turn(self) -> bool:
        return self.row.on_turn == self.row.players.index(self.bot.address)


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
    ) -> None:
        self._connector = connector
        self._database = database
        self._bots = {bot.address: bot for bot in bots}
        self._tasks = {kind: Tasks(f"bots-{kind}", workers) for kind in {bot.kind for bot in bots}}
        self._patience = patience
        self._connection: Connection | None = None
        self._acts: dict[Key, tuple[TableClient, Act]] = {}
        self._done: dict[Key, int] = {}  # the sequence after which nothing is left to do
        self._late_since: dict[Key, float] = {}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, folder: Path) -> None:
        """Play, in threads of its own, once no other process on this folder does."""
        self._thread = threading.Thread(target=self._run, args=(folder,), name="bots", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, after the moves that are under way."""
        self._stop.set()
        if self._thread:
            self._thread.join()
        for tasks in self._tasks.values():
            tasks.close()

    def tick(self) -> None:
        """Let every bot act that has to. Raises what connecting to the chain raises."""
        self._connect()
        block, seats = self._seats()
        for seat in seats:
            if seat.overdue(block):
                self._claim_in_time(seat)
            elif seat.to_act and self._done.get(seat.key) != seat.row.sequence:
                self._tasks[seat.bot.kind].offer(seat.key, partial(self._act, seat))
        self._forget_all_but({seat.key for seat in seats})

    # ── one bot in one game ──

    def _act(self, seat: Seat) -> None:
        """The chain, not the index, says whether there is something to do."""
        client, act = self._at(seat)
        if not act(client.game(seat.row.id)):
            self._done[seat.key] = seat.row.sequence

    def _claim_in_time(self, seat: Seat) -> None:
        since = self._late_since.setdefault(seat.key, time.monotonic())
        if time.monotonic() - since >= self._patience:
            client, _ = self._at(seat)
            work = partial(client.claim_timeout, seat.row.id)
            self._tasks[seat.bot.kind].offer(seat.key, work)

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
            self._done.clear()

    def _seats(self) -> tuple[int, list[Seat]]:
        """The newest block, and where the bots sit: in running games, and in those that ended lately."""
        cursor = self._database.cursor()
        if cursor is None:
            return 0, []
        running = select(GameRow).where(GameRow.status == LIVE)
        ended = select(GameRow).where(GameRow.status == "finished", GameRow.ended.is_not(None))
        with self._database.reading() as session:
            rows = [
                *session.scalars(running),
                *session.scalars(ended.order_by(GameRow.ended.desc()).limit(LATE)),
            ]
        seats = [
            Seat(self._bots[player], row)
            for row in rows
            for player in row.players
            if player in self._bots
        ]
        return cursor.block, seats

    def _forget_all_but(self, keys: set[Key]) -> None:
        for key in self._acts.keys() - keys:
            self._tasks[key[0]].forget(key)
        for known in (self._acts, self._done, self._late_since):
            for key in known.keys() - keys:
                known.pop(key, None)

    def _run(self, folder: Path) -> None:
        with self._alone(folder):
            while not self._stop.wait(TICK_SECONDS):
                try:
                    self.tick()
                except Exception as error:  # noqa: BLE001 - whatever it is, the games go on after it
                    log.warning("the bots wait: %s", error)
                    self._stop.wait(1.0)

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
