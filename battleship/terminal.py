"""The terminal client: a player against another one, on any chain; nothing is kept but their key.

While the player types, a second thread answers shots and proves boards, and tells what happens.
"""

import re
import secrets
import shlex
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal

from rich.console import Console
from web3 import Web3

from battleship.bots import random_fleet
from battleship.client import BattleshipClient
from battleship.errors import BattleshipError, MalformedText
from battleship.fleets import Fleet, Ship, check_fleet, fleet_text, kinds, missing, place
from battleship.replay import Replay
from battleship.rules import Answer, Attack, Board
from battleship.waters import draw_boards
from fogbound.clocks import time_left
from fogbound.errors import FogboundError
from fogbound.game import NOBODY, Game, Phase

PAUSE_SECONDS = 0.2
TELL_FAILURE = 10  # failures one after the other
WEI = 10**18
HELP = """\
open SIZE [STAKE] [OPPONENT]   open a game (6, 8, 10, 12, 14 or 20; stake in ether; an address)
join ID                        take a free seat, or go on there    games   those that wait for you
match SIZE [STAKE]             join the longest-waiting game, or open one
place SHIP X Y h|v             place a ship, like: place CR 1 2 h  random  place the rest at random
attack X Y                     fire, like: attack 1 0
boards                         both boards                         turn    whose turn it is
claim                          end the game when their time is over
resign                         give the game up                    quit    leave; it goes on later"""


class Left(Exception):
    """The player leaves; the game stays as it is."""


@dataclass(frozen=True)
class Plan:
    """A seat to be taken once the fleet is whole."""

    size: int
    take: Callable[[Fleet], int]


class Terminal:
    """One player's session. `ask(prompt)` gives a line, and raises EOFError where there is none.

    `control`: the time control of games that are opened here; by default the client's.
    """

    def __init__(
        self,
        client: BattleshipClient,
        screen: Console,
        ask: Callable[[str], str],
        *,
        control: int | None = None,
        pause: float = PAUSE_SECONDS,
    ) -> None:
        self._client = client
        self._screen = screen
        self._ask = ask
        self._control = control
        self._pause = pause
        self._plan: Plan | None = None
        self._fleet: Fleet = ()
        self._id: int | None = None
        self._teller = Teller(client, screen.print)
        self._stop = threading.Event()
        self._commands: dict[str, tuple[Callable[..., None], range]] = {
            "open": (self._open, range(1, 4)),
            "join": (self._join, range(1, 2)),
            "match": (self._match, range(1, 3)),
            "games": (self._games, range(1)),
            "place": (self._place, range(4, 5)),
            "random": (self._random, range(1)),
            "attack": (self._attack, range(2, 3)),
            "boards": (self._boards, range(1)),
            "turn": (self._turn, range(1)),
            "claim": (self._claim, range(1)),
            "resign": (self._resign, range(1)),
            "help": (self._help, range(1)),
            "quit": (self._quit, range(1)),
        }

    def play(self) -> None:
        """Until the player leaves."""
        self._screen.print(f"You are {self._client.player}. Type help for the commands.")
        if not self._client.keys.recoverable:
            self._screen.print(
                "This wallet does not sign twice alike: keep this program open until your games are over."
            )
        if running := self._client.unfinished():
            self._go_on(running[-1].id)
            if others := ", ".join(str(game.id) for game in running[:-1]):
                self._screen.print(f"Not over either: {others}; join one to go on with it.")
        thread = threading.Thread(target=self._serve, daemon=True)
        thread.start()
        with suppress(Left, EOFError, KeyboardInterrupt):
            while True:
                self._obey(self._ask("> "))
        self._stop.set()
        thread.join()
        self._screen.print("Your games stay as they are: the same key goes on from here.")

    def _serve(self) -> None:
        """What this player owes is done, and news told, while they type.

        Somebody may be faster, or a node restart: then the next round will do. What lasts is told, since
        who does not answer loses on time.
        """
        failures = 0
        while not self._stop.wait(self._pause):
            if self._id is None:
                continue
            try:
                self._client.serve(self._id)
                self._teller.tell(self._id)
                failures = 0
            except (FogboundError, BattleshipError) as error:
                failures += 1
                if failures == TELL_FAILURE:
                    self._screen.print(f"Your game stands still: {error}", markup=False)

    def _obey(self, line: str) -> None:
        try:
            name, *words = shlex.split(line.strip()) or ["help"]
            action, counts = self._commands.get(name.lower(), (None, range(0)))
            if action is None or len(words) not in counts:
                raise MalformedText(f"{line.strip()!r} is no command; type help")
            action(*words)
        except (BattleshipError, FogboundError, ValueError) as error:
            self._screen.print(str(error), markup=False)

    # ── taking a seat ──

    def _open(self, size: str, stake: str = "0", opponent: str = NOBODY) -> None:
        wei, named = _wei(stake), _address(opponent)
        columns = _number(size)
        self._prepare(
            columns,
            lambda fleet: self._client.open(
                columns,
                fleet,
                opponent=None if named == NOBODY else named,
                stake=wei,
                control=self._control,
            ),
        )

    def _match(self, size: str, stake: str = "0") -> None:
        columns, wei = _number(size), _wei(stake)
        self._prepare(
            columns,
            lambda fleet: self._client.quick_match(
                columns, fleet, stake=wei, control=self._control
            ),
        )

    def _join(self, game: str) -> None:
        game_id = _number(game)
        found = self._client.game(game_id)
        if found.seat_of(self._client.player) is not None and not found.phase.final:
            self._go_on(game_id)
            return
        if found.phase is not Phase.OPEN:
            raise MalformedText(f"game {game_id} has no free seat")

        def take(fleet: Fleet) -> int:
            self._client.join(game_id, fleet)
            return game_id

        self._prepare(self._client.size(game_id), take)

    def _prepare(self, size: int, take: Callable[[Fleet], int]) -> None:
        self._require_free()
        self._plan, self._fleet = Plan(size, take), ()
        codes = ", ".join(f"{kind.code} ({kind.length})" for kind in kinds(size))
        self._screen.print(f"Place your ships: {codes}; or type random.")

    def _require_free(self) -> None:
        if self._id is not None and not self._client.game(self._id).phase.final:
            raise MalformedText(f"game {self._id} is not over")

    def _place(self, *words: str) -> None:
        plan = self._planned()
        self._fleet = place(plan.size, self._fleet, Ship.parse(" ".join(words)))
        if left := missing(plan.size, self._fleet):
            self._screen.print(f"Still to place: {', '.join(kind.code for kind in left)}")
        else:
            self._take(plan)

    def _random(self) -> None:
        plan = self._planned()
        rng = secrets.SystemRandom()
        self._fleet = random_fleet(plan.size, rng, self._fleet)
        self._take(plan)

    def _planned(self) -> Plan:
        if self._plan is None:
            raise MalformedText(
                "ships are placed before the game starts: open, join or match first"
            )
        return self._plan

    def _take(self, plan: Plan) -> None:
        fleet = check_fleet(plan.size, self._fleet)
        self._screen.print(f"Your fleet: {fleet_text(fleet)}")
        game_id = plan.take(fleet)
        self._follow(game_id)
        waits = self._client.game(game_id).phase is Phase.OPEN
        self._screen.print(f"Game {game_id}{' waits for an opponent' if waits else ' begins'}.")

    def _follow(self, game_id: int) -> None:
        self._teller.begin(game_id)
        self._id, self._plan = game_id, None

    def _go_on(self, game_id: int) -> None:
        self._follow(game_id)
        self._screen.print(f"Game {game_id} goes on.")

    def _games(self) -> None:
        for game in self._client.lobby():
            size, stake = self._client.size(game.id), Decimal(game.stake) / WEI
            self._screen.print(f"{game.id}: {size} x {size}, stake {stake} ether")

    # ── playing ──

    def _attack(self, x: str, y: str) -> None:
        attack = Attack(_number(x), _number(y))
        game_id = self._playing()
        game = self._client.game(game_id)
        if game.phase is not Phase.PLAYING:
            raise MalformedText(f"game {game_id} is {_phase(game)}")
        if not game.is_turn_of(self._client.player):
            raise MalformedText("it is not your turn")
        self._client.fire(game_id, attack)
        self._screen.print(f"You fire at {attack.x} {attack.y} …")

    def _boards(self) -> None:
        if self._plan is not None:
            empty = Board(self._plan.size)
            self._screen.print(draw_boards(Board(self._plan.size, self._fleet), empty))
            return
        game_id = self._playing()
        if self._client.replay(game_id).state is None:
            size = self._client.size(game_id)
            own = Board(size, self._client.commitment(game_id).fleet)
            self._screen.print(draw_boards(own, Board(size)))
            return
        self._screen.print(draw_boards(*self._client.boards(game_id)))

    def _turn(self) -> None:
        game = self._client.game(self._playing())
        if game.phase is not Phase.PLAYING:
            self._screen.print(f"Game {game.id} is {_phase(game)}.")
            return
        whose = "Your turn" if game.is_turn_of(self._client.player) else "Their turn"
        self._screen.print(f"{whose}; {time_left(self._client.seconds_left(game.id))}.")

    def _claim(self) -> None:
        game_id = self._playing()
        if self._client.game(game_id).phase is Phase.PROVING:
            if not self._client.tend(game_id):
                raise MalformedText("the time for the proof is not over")
            return
        self._client.claim_timeout(game_id)

    def _resign(self) -> None:
        game_id = self._playing()
        if self._client.game(game_id).phase is Phase.OPEN:
            self._client.cancel(game_id)
        else:
            self._client.resign(game_id)

    def _playing(self) -> int:
        if self._id is None:
            raise MalformedText("no game yet: open, join or match")
        return self._id

    def _help(self) -> None:
        self._screen.print(HELP, markup=False)

    def _quit(self) -> None:
        raise Left


class Teller:
    """Says once what has happened in a game since it was last asked."""

    def __init__(self, client: BattleshipClient, say: Callable[[str], None]) -> None:
        self._client = client
        self._say = say
        self._fired = 0
        self._phase = Phase.OPEN
        self._turn_told = 0

    def begin(self, game_id: int) -> None:
        """From now on of this game; what has happened before is old."""
        self._phase, self._turn_told = self._client.game(game_id).phase, 0
        self._fired = len(self._client.replay(game_id).fired)

    def tell(self, game_id: int) -> None:
        """What is new."""
        game = self._client.game(game_id)  # first: whatever ended it is in the replay then
        seen, seat = self._client.replay(game_id), self._client.seat(game_id)
        for fired in seen.fired[self._fired :]:
            who = "You" if fired.seat == seat else "They"
            self._say(f"{who}: {_shot(fired.shot.cell, seen.size)} {_answer(fired.shot.answer)}")
        self._fired = len(seen.fired)
        self._tell_phase(game, seen, seat)

    def _tell_phase(self, game: Game, seen: Replay, seat: int) -> None:
        to_fire = game.is_turn_of(self._client.player) and seen.due is None
        turn = 1 + len(seen.fired)  # much may happen between two looks
        if to_fire and self._turn_told != turn:
            self._turn_told = turn
            self._say("Your turn: attack X Y")
        if game.phase is not self._phase:
            self._phase = game.phase
            if game.phase.final:
                self._say(_ending(game, seen, seat))


def _ending(game: Game, seen: Replay, seat: int) -> str:
    if seen.result is None:
        return f"Game {game.id} is over: stakes back."
    outcome, winner = seen.result
    told = "Nobody wins" if winner is None else "You win" if winner == seat else "You lose"
    return f"{told} game {game.id} ({outcome})."


def _shot(cell: int, size: int) -> str:
    return f"{cell % size} {cell // size}"


def _answer(answer: Answer) -> str:
    if answer.sunk:
        return f"hit, {answer.sunk.code} sunk"
    return "hit" if answer.hit else "miss"


def _phase(game: Game) -> str:
    return game.phase.name.lower()


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise MalformedText(f"{text!r} is no number")
    return int(text)


def _wei(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,18})?", text):
        raise MalformedText(f"{text!r} is no stake (in ether)")
    return int(Decimal(text) * WEI)


def _address(text: str) -> str:
    if not Web3.is_address(text):
        raise MalformedText(f"{text!r} is no address")
    return str(Web3.to_checksum_address(text))
