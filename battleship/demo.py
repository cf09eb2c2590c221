"""A whole game between two bots, on a chain of its own that is gone afterwards."""

import hashlib
import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from web3.types import TxReceipt

from battleship.bots import BOTS, Bot, random_fleet
from battleship.client import BattleshipClient
from battleship.fleets import Ship, kinds
from battleship.game import GAME
from battleship.record import export
from battleship.replay import Fired
from battleship.rules import Shot, State
from fhevm.devchain import dev_accounts
from fogbound.game import Phase
from fogbound.games import GameSpec
from fogbound.progress import Progress
from fogbound.records import write_record
from fogbound.stack import LocalStack

STAKE = 10**18
PLAYERS = dev_accounts()[1:3]
CALLS = ("open", "join", "fire", "answerAndFire", "reveal")

Watcher = Callable[[State, int, Shot], None]
"""Is shown both boards as their players know them, who fired last, and that shot."""


@dataclass(frozen=True)
class DemoOptions:
    """`bots`: who plays each seat; `record`: a file to export the game to; `control`: as of `open`."""

    size: int = 10
    seed: int = 0
    bots: tuple[str, str] = ("density", "density")
    record: Path | None = None
    control: int | None = None

    @property
    def bytes(self) -> bytes:
        """The seed as everything takes it: 32 bytes."""
        return hashlib.sha256(f"battleship demo {self.seed}".encode()).digest()


class MeteredClient(BattleshipClient):
    """Notes what each call costs: gas, and the transaction's hash."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.costs: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)

    def _send(self, function: str, *arguments: Any, value: int = 0) -> TxReceipt:
        receipt = super()._send(function, *arguments, value=value)
        spent = int(receipt["gasUsed"]), receipt["transactionHash"].to_0x_hex()
        self.costs[function].append(spent)
        return receipt


def run_demo(
    options: DemoOptions, progress: Progress, watch: Watcher | None = None
) -> dict[str, Any]:
    """Play the game; what it came to, as the command's `--json` prints it.

    Raises IllegalSize, and as LocalStack does.
    """
    kinds(options.size)  # refuses the size before anything starts
    spec = seeded_spec(options.bytes)
    with LocalStack(seed=options.bytes, games=[spec], progress=progress) as stack:
        match = Match(stack, spec, options)
        match.play(watch)
        if options.record:
            write_record(export(match.clients[0], match.id, PLAYERS[0]), options.record)
        return match.summary()


def seeded_spec(seed: bytes) -> GameSpec:
    """The game with a deployment id from the seed, so that two runs give the same chain."""
    return replace(
        GAME,
        client=MeteredClient,
        constructor=lambda terms: (*terms.arguments, seed),
    )


class Match:
    """One game on the stack, with a client and a bot a seat."""

    def __init__(self, stack: LocalStack, spec: GameSpec, options: DemoOptions) -> None:
        self._options = options
        rng = random.Random(options.bytes)
        self.clients: list[MeteredClient] = [stack.client(spec, each) for each in PLAYERS]
        for client in self.clients:
            client.entropy = rng.randbytes
        self._bots: list[Bot] = [BOTS[name](rng.getrandbits(64)) for name in options.bots]
        opener, joiner = self.clients
        fleets = [random_fleet(options.size, rng) for _ in PLAYERS]
        self.id = opener.open(options.size, fleets[0], stake=STAKE, control=options.control)
        joiner.join(self.id, fleets[1])
        self.first = opener.wait_for(self.id, lambda game: game.phase is Phase.PLAYING).on_turn

    def play(self, watch: Watcher | None = None) -> None:
        """Act for whoever is on turn until both boards are proved."""
        told = 0
        while (game := self.clients[0].game(self.id)).phase is Phase.PLAYING:
            client, bot = self.clients[game.on_turn], self._bots[game.on_turn]
            if not client.serve(self.id, at_once=False):
                client.fire(self.id, bot.choose(client.view(self.id)))
            if watch:
                told = self._tell(watch, told)
        for seat in (game.on_turn, 1 - game.on_turn):  # the winner, then the loser
            self.clients[seat].serve(self.id)
        for client in self.clients:
            client.serve(self.id)

    def _tell(self, watch: Watcher, told: int) -> int:
        """Show the shots answered since; how many were shown by now."""
        fired = self.clients[0].replay(self.id).fired
        for each in fired[told:]:
            watch(self._known(), each.seat, each.shot)
        return len(fired)

    def summary(self) -> dict[str, Any]:
        """The finished game."""
        seen = self.clients[0].replay(self.id)
        assert seen.result is not None, "a game that was played to its end has an outcome"
        outcome, winner = seen.result
        fleets = [client.commitment(self.id).fleet for client in self.clients]
        return {
            "game": GAME.name,
            "size": self._options.size,
            "first": self.first,
            "shots": [_shot_json(fired) for fired in seen.fired],
            "outcome": str(outcome),
            "winner": winner,
            "fleets": [[_ship_json(ship) for ship in fleet] for fleet in fleets],
            "gas": {call: self._gas(call) for call in CALLS},
        }

    def _gas(self, call: str) -> int:
        """The median over the game."""
        return int(median(gas for client in self.clients for gas, _ in client.costs[call]))

    def _known(self) -> State:
        """Both boards, each as its player knows it."""
        first, second = (client.position(self.id) for client in self.clients)
        return replace(first, boards=(first.boards[0], second.boards[1]))


def _shot_json(fired: Fired) -> list[Any]:
    sunk = fired.shot.answer.sunk
    return [fired.seat, fired.shot.cell, fired.shot.answer.hit, sunk.code if sunk else ""]


def _ship_json(ship: Ship) -> list[Any]:
    return [ship.kind.code, ship.x, ship.y, "v" if ship.vertical else "h"]
