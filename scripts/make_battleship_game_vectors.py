"""Writes tests/vectors/battleship-games.json: whole games as events, to be replayed alike everywhere.

Arguments are as the web API gives them: integers as decimal strings, bytes as 0x-hex.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from battleship.bots import DensityBot, HuntBot, random_fleet
from battleship.commitment import pack_fleet
from battleship.fleets import Fleet, fleet_text
from battleship.replay import RULES, Replay
from battleship.rules import Attack, Outcome, State, apply, truthful, view
from fhevm.devchain import dev_accounts
from fogbound import fold
from fogbound.clocks import Clocks, TimeControl
from fogbound.events import Event, parse_arguments, to_json
from fogbound.game import NOBODY
from fogbound.game import Outcome as Ending
from fogbound.replay import after, start
from fogbound.steps import End
from fogbound.terms import Terms

FILE = Path(__file__).parent.parent / "tests" / "vectors" / "battleship-games.json"
PLAYERS = [account.address for account in dev_accounts()[1:3]]
STAKE = 10**18
TERMS = Terms(Clocks(600, 100, 200), (TimeControl(60),))


class Table:
    """One game's events as a contract would emit them, each in a transaction of its own but where two
    belong together.
    """

    def __init__(self, size: int, seed: int) -> None:
        self.size, self.random = size, Random(seed)
        self.fleets: tuple[Fleet, Fleet] = (self._fleet(), self._fleet())
        self.first = self.random.randrange(2)
        self.state = State.new(size, self.fleets, first=self.first)
        self.events: list[Event] = []
        self.block, self.time, self.index = 0, 1_000, 0
        self.seen = start(RULES)
        for name, arguments in self._opening():
            self.emit(name, **arguments)

    def _fleet(self) -> Fleet:
        return random_fleet(self.size, self.random)

    def _opening(self) -> Iterator[tuple[str, dict[str, Any]]]:
        yield (
            "GameOpened",
            {
                "creator": PLAYERS[0],
                "opponent": NOBODY,
                "seats": 2,
                "control": 0,
                "stake": STAKE,
                "parameters": self.size.to_bytes(32),
            },
        )
        yield self._committed(0)
        yield "SeatTaken", {"player": PLAYERS[1], "seat": 1, "target": self.block + 3}
        yield self._committed(1)
        self.block += 2
        drawn = {"seat": self.first, "word": 2**255 + self.first}
        yield "FirstSeatDrawn", {**drawn, "deadline": self.time + 1 + TERMS.controls[0].move}

    def _committed(self, seat: int) -> tuple[str, dict[str, Any]]:
        word = self.random.randbytes
        made = {"seat": seat, "nonce": 3 - seat, "root": word(32), "sealedPlacement": word(32)}
        return "BoardCommitted", made

    def emit(self, name: str, **arguments: Any) -> None:
        """One second later, in the next block; or in the last transaction, if that led to it."""
        if self.seen.table.due is None:
            self.block, self.time, self.index = self.block + 1, self.time + 1, -1
        self.index += 1
        transaction = f"0x{self.block:064x}"
        event = Event(name, {"id": 1, **arguments}, self.block, self.index, transaction, self.time)
        self.seen = after(self.seen, event, RULES, TERMS)
        self.events.append(event)

    def ask(self, seat: int) -> None:
        """A proof of a seat, due to what happened just now."""
        self.emit("ProofAsked", seat=seat, deadline=self.time + TERMS.clocks.proof)

    def miss(self, seat: int) -> None:
        self.time += TERMS.clocks.proof
        self.emit("ProofMissed", seat=seat)

    def fire(self) -> int:
        """One more shot, whose answer is due."""
        bot = (DensityBot if self.size < 10 else HuntBot)(self.random.getrandbits(32))
        attack = bot.choose(view(self.state, self.state.turn))
        self.emit("ShotFired", seat=self.state.turn, cell=attack.cell(self.size))
        return attack.cell(self.size)

    def play(self, shots: int) -> None:
        """At most so many shots with their answers."""
        while shots > 0 and self.state.winner is None:
            shots -= 1
            cell, seat = self.fire(), 1 - self.state.turn
            answer = self.state.boards[seat].answer(cell)
            sunk = int(answer.sunk or 0)
            self.emit("ShotAnswered", seat=seat, cell=cell, hit=answer.hit, sunk=sunk)
            self.state = apply(self.state, Attack.at(self.size, cell))

    def reveal(self, seat: int, *, lie: bool = False) -> None:
        fleet = self._other_fleet(seat) if lie else self.fleets[seat]
        honest = truthful(self.size, fleet, self.state.boards[seat].shots)
        assert honest is not lie
        placement, key = pack_fleet(fleet), self.random.randbytes(32)
        self.emit("BoardRevealed", seat=seat, placement=placement, seed=key, honest=honest)

    def _other_fleet(self, seat: int) -> Fleet:
        shots = self.state.boards[seat].shots
        while truthful(self.size, fleet := self._fleet(), shots):
            pass
        return fleet

    def end(self, outcome: Ending, winners: int) -> None:
        seats = frozenset(seat for seat in range(2) if winners >> seat & 1)
        amounts = list(End(outcome, seats).pays(STAKE, 2))
        rake = 2 * STAKE - sum(amounts)
        self.emit("GameEnded", outcome=int(outcome), winners=winners, amounts=amounts, rake=rake)


def won(size: int, seed: int) -> Table:
    """Played to the end; both boards are shown."""
    table = Table(size, seed)
    table.play(size * size * 2)
    winner = table.state.winner
    assert winner is not None
    table.ask(winner)
    table.reveal(winner)
    table.end(Ending.WON, 1 << winner)
    table.reveal(1 - winner)
    return table


def resigned(size: int, seed: int) -> Table:
    table = Table(size, seed)
    table.play(9)
    table.emit("DrawOffered", seat=0, moveNumber=18)
    table.emit("Resigned", seat=1)
    table.ask(0)
    table.reveal(0)
    table.end(Ending.RESIGNED, 1)
    return table


def timed_out(size: int, seed: int) -> Table:
    """Over an answer that does not come; the other proves nothing either."""
    table = Table(size, seed)
    table.play(4)
    table.fire()
    late = 1 - table.state.turn
    deadline = table.seen.table.deadline + TERMS.controls[0].move
    table.emit("ClockExtended", seat=late, deadline=deadline)
    table.time = deadline
    table.emit("TimedOut", seat=late)
    table.ask(1 - late)
    table.miss(1 - late)
    table.ask(late)
    table.miss(late)
    table.end(Ending.NULL, 0)
    return table


def dishonest(size: int, seed: int) -> Table:
    """The winner's board does not bear out their answers; the loser's does."""
    table = Table(size, seed)
    table.play(size * size * 2)
    winner = table.state.winner
    assert winner is not None
    table.ask(winner)
    table.reveal(winner, lie=True)
    table.ask(1 - winner)
    table.reveal(1 - winner)
    table.end(Ending.WON, 1 << 1 - winner)
    return table


def opened_falsely(size: int, seed: int) -> Table:
    table = Table(size, seed)
    table.play(5)
    cell, cheater = table.fire(), 1 - table.state.turn
    table.emit("OpeningFalse", seat=cheater, cell=cell)
    table.ask(1 - cheater)
    table.reveal(1 - cheater)
    table.end(Ending.WON, 1 << 1 - cheater)
    return table


def drawn(size: int, seed: int) -> Table:
    table = Table(size, seed)
    table.play(6)
    table.emit("DrawOffered", seat=0, moveNumber=12)
    table.emit("DrawOffered", seat=1, moveNumber=12)
    table.end(Ending.DRAWN, 0)
    return table


def told(events: list[Event]) -> list[list[Any]]:
    """As the API tells them: name, arguments, and where and when."""
    return [[each.name, to_json(each.arguments), _place(each)] for each in events]


def _place(event: Event) -> dict[str, Any]:
    return {
        "block": event.block,
        "index": event.index,
        "transaction": event.transaction,
        "time": event.time,
    }


def read(events: list[list[Any]]) -> list[Event]:
    """The inverse of `told`."""
    types = {**fold.EVENTS, **RULES.events}
    return [
        Event(name, parse_arguments(types[name], arguments), **place)
        for name, arguments, place in events
    ]


def game_vector(name: str, table: Table) -> dict[str, Any]:
    seen = table.seen.game
    return {
        "name": name,
        "size": table.size,
        "first": table.first,
        "fleets": [fleet_text(fleet) for fleet in table.fleets],
        "events": told(table.events),
        "shots": [[fired.seat, str(fired.shot)] for fired in seen.fired],
        "position": str(seen.position),
        "known": str(table.state),
        "due": seen.due and list(seen.due),
        "beneficiary": seen.beneficiary,
        "result": _result(seen),
    }


def _result(seen: Replay) -> list[Any] | None:
    if seen.result is None:
        return None
    outcome: Outcome = seen.result[0]
    return [str(outcome), seen.result[1]]


def content() -> dict[str, Any]:
    """The whole file."""
    games = {
        "won on 6 x 6": won(6, 1),
        "won on 8 x 8": won(8, 2),
        "won on 10 x 10": won(10, 3),
        "resigned on 14 x 14": resigned(14, 4),
        "resigned on 20 x 20": resigned(20, 5),
        "timed out": timed_out(12, 6),
        "the winner was dishonest": dishonest(6, 7),
        "opened falsely": opened_falsely(8, 8),
        "drawn": drawn(10, 9),
    }
    return {
        "terms": {
            "clocks": asdict(TERMS.clocks),
            "controls": [asdict(control) for control in TERMS.controls],
        },
        "games": [game_vector(name, table) for name, table in games.items()],
    }


def as_text(whole: dict[str, Any]) -> str:
    """One game a line."""
    games = ",\n".join(map(json.dumps, whole["games"]))
    return f'{{"terms": {json.dumps(whole["terms"])},\n"games": [\n{games}\n]}}\n'


if __name__ == "__main__":
    FILE.write_text(as_text(content()))
