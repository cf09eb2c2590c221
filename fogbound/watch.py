"""The unfinished games of one contract, followed by their events."""

import json
import logging
import os
from dataclasses import asdict
from pathlib import Path

from fogbound.errors import ChainReset
from fogbound.game import Game, Phase
from fogbound.games import GameSpec
from fogbound.history import Cursor, History
from fogbound.table import TableClient

log = logging.getLogger(__name__)


class Watch:
    """Knows which games are unfinished and how they stand; re-reads only those that events touch.

    `file` remembers the unfinished games over a restart. What it says is checked against the chain.
    """

    def __init__(
        self, spec: GameSpec, client: TableClient, history: History, file: Path | None = None
    ) -> None:
        self.spec = spec
        self._client = client
        self._history = history
        self._file = file
        self._games: dict[int, Game] = {}
        self._clocks = client.clocks()
        self._cursor, unfinished = _read(file) or (history.start(), [])
        for game_id in unfinished:
            self._look(game_id)

    def refresh(self) -> None:
        """Read new events and the games that they touch. Raises ChainUnreachable."""
        try:
            events, cursor = self._history.new_events(self._cursor)
        except ChainReset as error:  # a rewound chain: what is unfinished is read anew
            log.warning("%s: %s", self.spec.name, error)
            self._games.clear()
            events, cursor = self._history.new_events(self._history.start())
        touched = {event.game_id for event in events if event.game_id is not None}
        for game_id in sorted(touched):
            self._look(game_id)
        self._cursor = cursor
        if touched:
            self._save()

    def waiting(self) -> list[int]:
        """Games for which somebody should do something now."""
        block = self._client.chain.block_number
        return [
            game.id
            for game in self._games.values()
            if game.phase is Phase.WAITING
            or (game.phase is Phase.DRAWING and block > game.mark)
            or (game.phase is Phase.PROVING and block > game.deadline)
        ]

    def tend(self, game_id: int) -> None:
        """Do what is due for a game, if it still is. (Only `refresh` changes what is known.)"""
        game = self._client.game(game_id)
        if game.phase is Phase.DRAWING:
            self._client.settle_draw_if_due(game)
        elif game.phase in (Phase.WAITING, Phase.PROVING) and self.spec.tend(self._client, game_id):
            log.info("%s game %d: tended", self.spec.name, game_id)

    def last_draw_block(self) -> int:
        """The block from which on every pending draw can be settled (0: none is pending)."""
        drawing = (g.mark for g in self._games.values() if g.phase is Phase.DRAWING)
        return max(drawing, default=-1) + 1

    def last_clock_block(self) -> int:
        """The last block that some running clock waits for (0: no clock runs)."""
        return max((self._clock_end(game) for game in self._games.values()), default=0)

    def _clock_end(self, game: Game) -> int:
        if game.phase in (Phase.PLAYING, Phase.PROVING):
            return game.deadline + 1
        if game.phase is Phase.WAITING:
            clocks = self._clocks
            return game.mark + (clocks.notice if game.void_announced else clocks.wait)
        return 0

    def _look(self, game_id: int) -> None:
        game = self._client.game(game_id)
        if game.phase.final or game.phase is Phase.NONE:
            self._games.pop(game_id, None)
        else:
            self._games[game_id] = game

    def _save(self) -> None:
        if self._file is None:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        partial = self._file.with_suffix(f".{os.getpid()}")
        content = {"cursor": asdict(self._cursor), "unfinished": sorted(self._games)}
        partial.write_text(json.dumps(content))
        partial.replace(self._file)


def _read(file: Path | None) -> tuple[Cursor, list[int]] | None:
    """A file that is damaged is as good as none: the events are read from the start."""
    try:
        content = json.loads(file.read_text()) if file else None
        return content and (Cursor(**content["cursor"]), list(content["unfinished"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
