"""Two accounts of ours that play game after game: with each other, and with the server's bots."""

import random
import threading
import time
from dataclasses import dataclass
from typing import Any

import httpx
from eth_account.signers.local import LocalAccount

from battleship.bots import random_fleet
from fogbound.connection import Connection
from fogbound.game import Game, Outcome, Phase
from fogbound.games import find_game
from scripts.soaking.gate import Gate
from scripts.soaking.notes import NOTES
from scripts.soaking.patience import attempt, patiently
from scripts.soaking.report import Report
from scripts.soaking.stack import FAST, NORMAL, SoakedStack

STAKES = (0, 10**17)
ENDINGS = ("played", "played", "resigned", "drawn", "cancelled", "timed out")
STUCK_SECONDS = 300.0
LOOK_SECONDS = 0.1
BATTLESHIP_SIZE, BUNKERWAR_SIZE = 6, (3, 3, False)


@dataclass(frozen=True)
class Plan:
    """What is to become of a game. `moves`: after which it ends, unless it is played out."""

    kind: str
    stake: int
    ending: str
    with_bot: bool
    matched: bool
    moves: int

    @classmethod
    def choose(cls, chosen: random.Random) -> "Plan":
        ending = chosen.choice(ENDINGS)
        with_bot = ending in ("played", "resigned") and chosen.random() < 0.3
        return cls(
            kind=chosen.choice(sorted(NOTES)),
            stake=chosen.choice(STAKES),
            ending=ending,
            with_bot=with_bot,
            matched=not with_bot and chosen.random() < 0.3,
            moves=chosen.randrange(6),
        )

    @property
    def control(self) -> int:
        return FAST if self.ending == "timed out" else NORMAL


class Pair:
    """Plays in one thread. `number` tells pairs apart: each has a stake of its own, so that a quick match
    meets nobody else's game."""

    def __init__(  # noqa: PLR0917 - all are of one run
        self,
        number: int,
        connection: Connection,
        accounts: list[LocalAccount],
        stack: SoakedStack,
        gate: Gate,
        report: Report,
        chosen: random.Random,
    ) -> None:
        self._number, self._stack, self._gate, self._report = number, stack, gate, report
        self._chosen = chosen
        self._clients: dict[str, list[Any]] = {
            kind: [connection.client(find_game(kind), account) for account in accounts]
            for kind in NOTES
        }

    def run(self, stop: threading.Event) -> None:
        """Until told to stop; what nobody expects is reported, and the next game begins."""
        while not stop.is_set():
            plan = Plan.choose(self._chosen)
            try:
                self._play(plan)
            except Exception as error:  # noqa: BLE001 - reported
                self._report.failed(f"pair {self._number}, {plan}", error)

    def _play(self, plan: Plan) -> None:
        host, guest = self._clients[plan.kind]
        with self._gate.passing():
            game_id = self._open(plan, host, guest)
        if game_id is None:
            return
        seated = [host] if plan.with_bot else [host, guest]
        notes = NOTES[plan.kind](self._chosen)
        game = self._to_the_end(plan, seated, notes, game_id)
        if game.phase is Phase.ENDED:
            notes.check(seated, game_id, self._report)
            self._check_record(plan.kind, host, game_id)
        self._check_outcome(plan, game)
        self._report.count(f"games {plan.ending}")

    def _open(self, plan: Plan, host: Any, guest: Any) -> int | None:
        """A game, with all its seats taken unless it is to be cancelled; None where that failed."""
        stake = plan.stake + self._number * bool(plan.stake)
        terms = {"stake": stake, "control": plan.control}
        size = BUNKERWAR_SIZE if plan.kind == "bunkerwar" else self._fleet()
        if plan.matched and plan.ending != "cancelled":
            opened, joined = (attempt(each.quick_match, *size, **terms) for each in (host, guest))
            return opened if opened and opened == joined else None
        opponent = self._bot(plan.kind) if plan.with_bot else guest.player
        return opponent and (attempt(host.open, *size, opponent=opponent, **terms) or None)

    def _fleet(self) -> tuple[Any, ...]:
        return BATTLESHIP_SIZE, random_fleet(BATTLESHIP_SIZE, self._chosen)

    def _to_the_end(self, plan: Plan, seated: list[Any], notes: Any, game_id: int) -> Game:
        until = time.monotonic() + STUCK_SECONDS
        while True:
            game = patiently(seated[0].game, game_id)
            if game.phase.final and not self._owing(notes, seated, game):
                return game
            if time.monotonic() > until:
                raise AssertionError(f"{plan.kind} game {game_id} is stuck: {game}")
            with self._gate.passing():
                acted = self._act(plan, seated, notes, game)
            if not acted:
                time.sleep(LOOK_SECONDS)

    def _owing(self, notes: Any, seated: list[Any], game: Game) -> bool:
        """Whether somebody still proves, or shows, a board."""
        if game.phase is Phase.CANCELLED:
            return False
        with self._gate.passing():
            return any(attempt(notes.act, each, game) for each in seated)

    def _act(self, plan: Plan, seated: list[Any], notes: Any, game: Game) -> bool:
        """One thing that somebody does now, as planned; whether anything was."""
        if game.phase is Phase.OPEN:
            return self._begin(plan, seated, game)
        ending = plan.ending if game.phase is Phase.PLAYING else "played"
        if ending != "played" and game.move_number >= plan.moves:
            return self._end(ending, seated, game)
        return any(attempt(notes.act, each, game) for each in seated)

    def _begin(self, plan: Plan, seated: list[Any], game: Game) -> bool:
        """Whoever did not come through yet is seated; or nobody is to be."""
        if plan.ending == "cancelled":
            return attempt(seated[0].cancel, game.id)
        if plan.with_bot:
            return self._ask_bot(plan.kind, game.id)
        return attempt(seated[1].join, game.id)

    def _end(self, ending: str, seated: list[Any], game: Game) -> bool:
        if ending == "resigned":
            return attempt(self._chosen.choice(seated).resign, game.id)
        if ending == "drawn":
            offered = [attempt(each.offer_draw, game.id) for each in seated]
            return all(offered)
        waiting = next(each for each in seated if not game.is_turn_of(each.player))
        return attempt(waiting.claim_timeout, game.id)

    def _check_outcome(self, plan: Plan, game: Game) -> None:
        """A game may end sooner than planned, but in no other way."""
        ends = {
            "played": {Outcome.WON, Outcome.DRAWN, Outcome.NULL},
            "resigned": {Outcome.RESIGNED},
            "drawn": {Outcome.DRAWN},
            "cancelled": {Outcome.NONE},
            "timed out": {Outcome.TIMED_OUT},
        }
        if game.outcome not in ends[plan.ending] | ends["played"]:
            self._report.differ(f"{plan.kind} game {game.id} was to be {plan.ending}: {game}")

    def _check_record(self, kind: str, client: Any, game_id: int) -> None:
        """What is exported of it is valid, with every decryption asked for again."""
        spec = find_game(kind)
        record = patiently(spec.export, client, game_id, client.account)
        spec.verify(record, client.fhevm.domains)
        self._report.count("records")

    # ── the server's bots ──

    def _bot(self, kind: str) -> str | None:
        try:
            bots = httpx.get(f"{self._stack.web}/api/bots", timeout=10).json()["bots"]
        except (httpx.HTTPError, ValueError, KeyError):
            return None
        return next((bot["address"] for bot in bots if bot["kind"] == kind), None)

    def _ask_bot(self, kind: str, game_id: int) -> bool:
        try:
            url = f"{self._stack.web}/api/bots/{kind}"
            return httpx.post(url, json={"id": game_id}, timeout=40).is_success
        except httpx.HTTPError:
            return False
