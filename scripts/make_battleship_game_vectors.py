"""Writes tests/vectors/battleship-games.json: whole games as events, to be replayed alike everywhere.

Arguments are as the web API gives them: integers as decimal strings, bytes as 0x-hex.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from battleship.bots import DensityBot, HuntBot, random_fleet
from battleship.commitment import pack_fleet
from battleship.fleets import Fleet, fleet_text
from battleship.replay import Replay, replay
from battleship.rules import Attack, Outcome, State, apply, truthful, view
from fhevm.devchain import dev_accounts
from fogbound.game import NOBODY
from fogbound.game import Outcome as Ending

FILE = Path(__file__).parent.parent / "tests" / "vectors" / "battleship-games.json"
PLAYERS = [account.address for account in dev_accounts()[1:3]]
HEX = {"parameters", "root", "sealedPlacement", "placement", "seed"}
Event = tuple[str, dict[str, Any]]


class Table:
    """One game's events as a contract would emit them."""

    def __init__(self, size: int, seed: int) -> None:
        self.size, self.random = size, Random(seed)
        self.fleets: tuple[Fleet, Fleet] = (self._fleet(), self._fleet())
        self.first = self.random.randrange(2)
        self.state = State.new(size, self.fleets, first=self.first)
        self.events: list[Event] = list(self._opening())

    def _fleet(self) -> Fleet:
        return random_fleet(self.size, self.random)

    def _opening(self) -> Iterator[Event]:
        yield (
            "GameOpened",
            {
                "creator": PLAYERS[0],
                "opponent": NOBODY,
                "seats": 2,
                "stake": 10**18,
                "parameters": self.size.to_bytes(32),
            },
        )
        yield self._committed(0)
        yield "SeatTaken", {"player": PLAYERS[1], "seat": 1, "target": 12}
        yield self._committed(1)
        yield "FirstSeatDrawn", {"seat": self.first, "word": 2**255 + self.first, "deadline": 250}

    def _committed(self, seat: int) -> Event:
        word = self.random.randbytes
        made = {"seat": seat, "nonce": 3 - seat, "root": word(32), "sealedPlacement": word(32)}
        return "BoardCommitted", made

    def emit(self, name: str, **arguments: Any) -> None:
        self.events.append((name, arguments))

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
        amounts = [str(10**18)] * 2
        self.emit("GameEnded", outcome=int(outcome), winners=winners, amounts=amounts, rake=0)


def won(size: int, seed: int) -> Table:
    """Played to the end; both boards are shown."""
    table = Table(size, seed)
    table.play(size * size * 2)
    winner = table.state.winner
    assert winner is not None
    table.emit("ProofAsked", seat=winner, deadline=900)
    table.reveal(winner)
    table.end(Ending.WON, 1 << winner)
    table.reveal(1 - winner)
    return table


def resigned(size: int, seed: int) -> Table:
    table = Table(size, seed)
    table.play(9)
    table.emit("DrawOffered", seat=0, moveNumber=18)
    table.emit("Resigned", seat=1)
    table.emit("ProofAsked", seat=0, deadline=900)
    table.reveal(0)
    table.end(Ending.RESIGNED, 1)
    return table


def timed_out(size: int, seed: int) -> Table:
    """Over an answer that does not come; the other proves nothing either."""
    table = Table(size, seed)
    table.play(4)
    table.fire()
    late = 1 - table.state.turn
    table.emit("ClockExtended", seat=late, deadline=500)
    table.emit("TimedOut", seat=late)
    table.emit("ProofAsked", seat=1 - late, deadline=900)
    table.emit("ProofMissed", seat=1 - late)
    table.emit("ProofAsked", seat=late, deadline=1200)
    table.emit("ProofMissed", seat=late)
    table.end(Ending.NULL, 0)
    return table


def dishonest(size: int, seed: int) -> Table:
    """The winner's board does not bear out his answers; the loser's does."""
    table = Table(size, seed)
    table.play(size * size * 2)
    winner = table.state.winner
    assert winner is not None
    table.emit("ProofAsked", seat=winner, deadline=900)
    table.reveal(winner, lie=True)
    table.emit("ProofAsked", seat=1 - winner, deadline=1200)
    table.reveal(1 - winner)
    table.end(Ending.WON, 1 << 1 - winner)
    return table


def opened_falsely(size: int, seed: int) -> Table:
    table = Table(size, seed)
    table.play(5)
    cell, cheater = table.fire(), 1 - table.state.turn
    table.emit("OpeningFalse", seat=cheater, cell=cell)
    table.emit("ProofAsked", seat=1 - cheater, deadline=900)
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
    """As the API tells them."""
    return [[name, {key: _told(value) for key, value in each.items()}] for name, each in events]


def _told(value: Any) -> Any:
    if isinstance(value, bytes):
        return "0x" + value.hex()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def read(events: list[list[Any]]) -> list[Event]:
    """The inverse of `told`."""
    return [(name, {key: _read(key, each[key]) for key in each}) for name, each in events]


def _read(key: str, value: Any) -> Any:
    if key in HEX:
        return bytes.fromhex(value[2:])
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def game_vector(name: str, table: Table) -> dict[str, Any]:
    seen = replay(table.events)
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


def refused() -> Iterator[dict[str, Any]]:
    """What no game can have emitted, by the last event."""
    table = Table(6, 21)
    table.play(3)
    whole, turn = table.events, table.state.turn
    cell = int(whole[-2][1]["cell"])
    free = next(cell for cell in range(36) if cell not in table.state.boards[1 - turn].fired)
    late: dict[str, Event] = {
        "a shot out of turn": ("ShotFired", {"seat": 1 - turn, "cell": free}),
        "a cell that is none": ("ShotFired", {"seat": turn, "cell": 36}),
        "an answer that nobody asked": _answer(turn, cell),
        "a second draw of the commitments": ("BoardCommitted", whole[1][1]),
        "a reveal that nobody asked": ("BoardRevealed", _board(0)),
        "a proof before the end": ("ProofAsked", {"seat": 0, "deadline": 9}),
        "an ending without a proof": ("GameEnded", {"outcome": 1, "winners": 1}),
    }
    for name, event in late.items():
        yield {"name": name, "events": told([*whole, event])}
    miss_that_sinks = ("ShotAnswered", {"seat": 1 - turn, "cell": free, "hit": False, "sunk": 2})
    fired = ("ShotFired", {"seat": turn, "cell": free})
    yield {"name": "a miss that sinks", "events": told([*whole, fired, miss_that_sinks])}
    yield {"name": "a draw without boards", "events": told([whole[0], whole[4]])}
    yield {"name": "the wrong winner", "events": told(_with_other_winner(won(6, 1).events))}


def _answer(seat: int, cell: int) -> Event:
    return "ShotAnswered", {"seat": seat, "cell": cell, "hit": False, "sunk": 0}


def _board(seat: int) -> dict[str, Any]:
    return {"seat": seat, "placement": bytes(16), "seed": bytes(32), "honest": True}


def _with_other_winner(events: list[Event]) -> list[Event]:
    return [
        (name, {**each, "winners": 3 - each["winners"]}) if name == "GameEnded" else (name, each)
        for name, each in events
    ]


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
        "games": [game_vector(name, table) for name, table in games.items()],
        "refused": list(refused()),
    }


def as_text(whole: dict[str, Any]) -> str:
    """One game a line."""
    parts = [
        f'"{key}": [\n' + ",\n".join(map(json.dumps, entries)) + "\n]"
        for key, entries in whole.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(as_text(content()))
