"""A whole game between two bots, on a chain of its own that is gone afterwards."""

import hashlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bunkerwar.bots import Bot, SensibleBot
from bunkerwar.client import BunkerWarClient
from bunkerwar.game import GAME
from bunkerwar.record import export
from bunkerwar.replay import Played
from bunkerwar.rules import Outcome, State
from fhevm.devchain import dev_accounts
from fogbound.game import Game, Phase
from fogbound.progress import Progress
from fogbound.records import write_record
from fogbound.stack import LocalStack

STAKE = 10**18
PLAYERS = dev_accounts()[1:3]

Watcher = Callable[[State, Played | None], None]
"""Is shown both boards as their players know them, and the last action."""


@dataclass(frozen=True)
class DemoOptions:
    """`record`: a file to export the game to; `control`: as of `open`."""

    lanes: int = 4
    depth: int = 4
    seed: int = 0
    stacked: bool = False
    backend: str = "concrete"
    record: Path | None = None
    control: int | None = None


def run_demo(
    options: DemoOptions, progress: Progress, watch: Watcher | None = None
) -> dict[str, Any]:
    """Play the game; what it came to, as the command's `--json` prints it. Raises as LocalStack does."""
    State.new(options.lanes, options.depth)  # refuses the size before anything starts
    begun = time.monotonic()
    seed = hashlib.sha256(f"bunkerwar demo {options.seed}".encode()).digest()
    with LocalStack(options.backend, seed=seed, games=[GAME], progress=progress) as stack:
        progress("drawing who begins")
        match = _Match(stack, options)
        ready = time.monotonic()
        match.play(watch)
        if options.record:
            write_record(export(match.clients[0], match.id, PLAYERS[0]), options.record)
        result = match.summary()
        work = stack.fhevm_local.coprocessor.statistics
    result |= {"operations": work.operations, "bootstraps": work.bootstraps}
    seconds = (ready - begun, work.seconds, time.monotonic() - begun)
    names = ("setup", "compute", "total")
    return result | {"seconds": dict(zip(names, (round(each, 3) for each in seconds), strict=True))}


class _Match:
    """One game on the stack, with a client and a bot a seat."""

    def __init__(self, stack: LocalStack, options: DemoOptions) -> None:
        self._options = options
        self._stack = stack
        self.clients: list[BunkerWarClient] = [stack.client(GAME, each) for each in PLAYERS]
        seeds = random.Random(options.seed)
        self._bots: list[Bot] = [SensibleBot(seeds.getrandbits(64)) for _ in PLAYERS]
        opener, joiner = self.clients
        self.id = opener.open(
            options.lanes, options.depth, options.stacked, stake=STAKE, control=options.control
        )
        joiner.join(self.id)
        self.first = self._settled().on_turn
        self._moves: list[Played] = []

    def play(self, watch: Watcher | None) -> None:
        """Act for whoever is on turn until the game is over."""
        if watch:
            watch(self._known(), None)
        while not (game := self._settled()).phase.final:
            seat = game.on_turn
            client, bot = self.clients[seat], self._bots[seat]
            move = bot.choose(client.view(self.id))
            client.act(self.id, move)
            self._settled()
            stop = client.moves(self.id)[-1].stop
            self._moves.append(Played(seat, move, stop))
            if watch:
                watch(self._known(), self._moves[-1])

    def summary(self) -> dict[str, Any]:
        """The finished game; each score is what its player's own decryption gives."""
        result = self.clients[0].replay(self.id).result
        assert isinstance(result, Outcome), "a game that was played to its end has a result"
        return {
            "game": GAME.name,
            "backend": self._options.backend,
            "lanes": self._options.lanes,
            "depth": self._options.depth,
            "stacked": self._options.stacked,
            "first": self.first,
            "moves": [move.to_json() for move in self._moves],
            "result": str(result),
            "scores": [client.score(self.id) for client in self.clients],
        }

    def _settled(self) -> Game:
        """The game once nobody waits for a draw or a decryption."""
        client = self.clients[0]
        return client.wait_for(
            self.id, lambda game: game.phase not in (Phase.DRAWING, Phase.WAITING)
        )

    def _known(self) -> State:
        """Both boards, each as its player knows it."""
        first, second = (client.view(self.id) for client in self.clients)
        return replace(first, boards=(first.boards[0], second.boards[1]))
