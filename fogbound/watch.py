"""The games of one contract that wait for somebody, followed by their events."""

import json
import logging
import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fogbound.errors import ChainReset
from fogbound.game import Game, Phase
from fogbound.games import GameSpec
from fogbound.history import Cursor, Event, History
from fogbound.table import TableClient

log = logging.getLogger(__name__)

PASSED_OVER = (
    "SeatLeft",
    "ClockExtended",
    "DrawOffered",
    "PaymentCredited",
)
"""Events of a game after which it waits for the same as before. What a resignation does, a game decides."""


@dataclass(frozen=True)
class Duty:
    """What somebody should do for a game now: settle its draw, or tend it. `stake` in wei."""

    game_id: int
    creator: str
    stake: int
    is_draw: bool


@dataclass
class _Draw:
    """A draw by the hash of block `target`. The keeper tries it first in block `not_before`."""

    target: int
    not_before: int
    tries: int = 0
    is_over: bool = False  # as a view showed: the game is to be looked at

    def put_off(self, block: int) -> None:
        """It was tried in `block`: if nothing comes of it, again after 1, 2, 4, … blocks."""
        self.not_before = block + 2**self.tries
        self.tries += 1


class Watch:
    """Knows which games of a contract wait, and for what; events tell, views only where they must.

    Opening and joining cost nothing here but the events, so that nobody who opens a thousand games makes
    it trail. `file` remembers the waiting games over a restart. What it says is checked against the chain.
    """

    def __init__(
        self, spec: GameSpec, client: TableClient, history: History, file: Path | None = None
    ) -> None:
        self.spec = spec
        self._client = client
        self._history = history
        self._file = file
        self._terms: dict[int, tuple[str, int]] = {}  # creator and stake
        self._draws: dict[int, _Draw] = {}
        self._games: dict[int, Game] = {}  # those that wait otherwise
        self._cursor, unfinished = _read(file) or (history.start(), [])
        for game_id in unfinished:
            self._look(game_id)

    @property
    def account(self) -> str:
        """Who pays for what is done."""
        return str(self._client.account.address)

    def refresh(self) -> None:
        """Read new events and what they leave open. Raises ChainUnreachable."""
        try:
            events, cursor = self._history.new_events(self._cursor)
        except ChainReset as error:  # a rewound chain: what is unfinished is read anew
            log.warning("%s: %s", self.spec.name, error)
            for known in (self._terms, self._draws, self._games):
                known.clear()
            events, cursor = self._history.new_events(self._history.start())
        touched = {event.game_id for event in events if event.game_id and self._take(event)}
        touched |= {game_id for game_id, draw in self._draws.items() if draw.is_over}
        for game_id in sorted(touched):
            self._look(game_id)
        self._cursor = cursor
        if events or touched:
            self._save()

    def _take(self, event: Event) -> bool:
        """Learn from an event of a game; whether the game must be looked at."""
        game_id, given = int(event.arguments["id"]), event.arguments
        match event.name:
            case "GameOpened":
                self._terms[game_id] = str(given["creator"]), int(given["stake"])
            case "SeatTaken" | "DrawRescheduled":
                if given["target"]:
                    self._expect_draw(game_id, int(given["target"]))
                    return game_id not in self._terms
            case "FirstSeatDrawn":
                self._draws.pop(game_id, None)
            case "GameEnded" | "GameCancelled" | "GameVoided":
                self._forget(game_id)
            case name:
                return name not in PASSED_OVER
        return False

    def _expect_draw(self, game_id: int, target: int) -> None:
        known = self._draws.get(game_id)
        if known is None or known.target != target:
            self._draws[game_id] = _Draw(target, target + 1)

    def duties(self) -> list[Duty]:
        """What could be done now."""
        block = self._client.chain.block_number if self._draws else 0
        draws = [
            self._duty(game_id, is_draw=True)
            for game_id, draw in self._draws.items()
            if block >= draw.not_before
        ]
        return draws + [self._duty(each, is_draw=False) for each in self._due_games()]

    def _due_games(self) -> list[int]:
        now = self._client.chain.now() if self._games else 0
        return [
            game.id
            for game in self._games.values()
            if game.phase is Phase.WAITING or now > game.deadline
        ]

    def _duty(self, game_id: int, *, is_draw: bool) -> Duty:
        return Duty(game_id, *self._terms[game_id], is_draw)

    def settle(self, game_ids: Sequence[int]) -> None:
        """Settle these draws, or reschedule them: those that views show to be due, in one transaction."""
        block = self._client.chain.block_number
        known = [(each, draw) for each in game_ids if (draw := self._draws.get(each))]
        due = [(each, draw) for each, draw in known if self._is_due(each, draw, block)]
        if not due:
            return
        self._client.settle_draws([game_id for game_id, _ in due])
        for _, draw in due:
            draw.put_off(block)
        log.info("%s: %d draws settled", self.spec.name, len(due))

    def _is_due(self, game_id: int, draw: _Draw, block: int) -> bool:
        game = self._client.game(game_id)
        draw.is_over = game.phase is not Phase.DRAWING
        return not draw.is_over and block > game.mark

    def tend(self, game_id: int) -> bool:
        """Do what is due for a game, if it still is; whether this account did.

        (Only `refresh` changes what is known.)
        """
        done = self.spec.tend(self._client, game_id)
        if done:
            log.info("%s game %d: tended", self.spec.name, game_id)
        return done

    def last_draw_block(self, stake: int = 0) -> int | None:
        """The block from which on every pending draw can be settled, of games for `stake` wei or more.

        None: no such draw is pending.
        """
        targets = [
            draw.target for each, draw in self._draws.items() if self._terms[each][1] >= stake
        ]
        return max(targets) + 1 if targets else None

    def seconds_until_due(self) -> float | None:
        """Until a proof's clock runs out, which no block tells of; None where none runs."""
        ends = [game.deadline + 1 for game in self._games.values() if game.phase is Phase.PROVING]
        return max(min(ends) - time.time(), 0.0) if ends else None

    def _look(self, game_id: int) -> None:
        game = self._client.game(game_id)
        if game.phase.final or game.phase is Phase.NONE:
            return self._forget(game_id)
        self._terms[game_id] = game.players[0] or "", game.stake
        self._games.pop(game_id, None)
        if game.phase is Phase.DRAWING:
            self._expect_draw(game_id, game.mark)
        else:
            self._draws.pop(game_id, None)
        if game.phase in (Phase.WAITING, Phase.PROVING):
            self._games[game_id] = game
        return None

    def _forget(self, game_id: int) -> None:
        self._terms.pop(game_id, None)
        self._draws.pop(game_id, None)
        self._games.pop(game_id, None)

    def _save(self) -> None:
        if self._file is None:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        partial = self._file.with_suffix(f".{os.getpid()}")
        content = {
            "cursor": asdict(self._cursor),
            "unfinished": sorted({*self._games, *self._draws}),
        }
        partial.write_text(json.dumps(content))
        partial.replace(self._file)


def _read(file: Path | None) -> tuple[Cursor, list[int]] | None:
    """A file that is damaged is as good as none: the events are read from the start."""
    try:
        content = json.loads(file.read_text()) if file else None
        return content and (Cursor(**content["cursor"]), list(content["unfinished"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
