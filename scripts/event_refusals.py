"""What no contract can have told: for each reason a game that was played, with something wrong at its end."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from battleship.reasons import BattleshipReason
from bunkerwar.reasons import BunkerWarReason
from fogbound.events import Event
from fogbound.reasons import Reason, TableReason
from scripts.matches import CLOCKS, CONTROLS, PEOPLE

Games = Mapping[str, tuple[str, list[Event]]]
"""Rules and events of each game by its title."""
Refused = tuple[Reason, str, list[Event]]
OUTSIDER = PEOPLE[8].address
MOVE = CONTROLS[0].move


def upto(events: list[Event], name: str, number: int = 0) -> list[Event]:
    """The events up to the n-th of that name."""
    places = [place for place, event in enumerate(events) if event.name == name]
    return events[: places[number] + 1]


def forged(
    events: list[Event], place: Mapping[str, Any] | None = None, **given: Any
) -> list[Event]:
    """The last event with other arguments, or in another place."""
    *before, last = events
    return [*before, replace(last, arguments={**last.arguments, **given}, **place or {})]


def then(
    events: list[Event], name: str, *, seconds: int = 1, blocks: int = 1, **given: Any
) -> list[Event]:
    """One more event, in a block of its own."""
    last = events[-1]
    return [
        *events,
        Event(
            name,
            {"id": last.arguments["id"], **given},
            last.block + blocks,
            0,
            f"0x{last.block + blocks:064x}",
            last.time + seconds,
        ),
    ]


def table(games: Games) -> Iterator[Refused]:
    """Of any game."""
    for reason, (title, events) in _table(games).items():
        yield reason, games[title][0], events


def _table(games: Games) -> dict[Reason, tuple[str, list[Event]]]:
    def of(title: str, *where: Any) -> list[Event]:
        return upto(games[title][1], *where)

    four, three = "won by two of four", "drawn by three"
    late, early, void = "timed out", "resigned before the draw", "voided"
    drawn = of(late, "FirstSeatDrawn")
    on_turn = drawn[-1].arguments["seat"]
    waiting = of(void, "WaitBegun")
    asked = of("proved", "ProofAsked", 1)
    seated = of(early, "SeatTaken")
    offered = of(three, "DrawOffered")
    opened = of(four, "GameOpened")
    ended = of(four, "GameEnded")
    announced = of(void, "VoidAnnounced")
    credited = of("cancelled and credited", "PaymentCredited")
    player = PEOPLE[0].address
    target = seated[-1].block + 2
    late_wait = then(waiting, "VoidAnnounced", seconds=1, voidTime=0)
    return {
        TableReason.EVENTS_UNORDERED: (late, forged(drawn, {"block": drawn[-2].block, "index": 0})),
        TableReason.TIME_UNORDERED: (late, forged(drawn, {"time": drawn[-2].time - 1})),
        TableReason.EVENT_OF_OTHER_GAME: (late, forged(drawn, id=drawn[0].arguments["id"] + 1)),
        TableReason.EVENT_UNKNOWN: (late, then(drawn, "Rested", seat=on_turn)),
        TableReason.EVENT_MISSING: (early, then(of(early, "Resigned"), "Resigned", seat=0)),
        TableReason.EVENT_UNCAUSED: (
            early,
            then(seated, "GameEnded", outcome=1, winners=1, amounts=[200, 0], rake=2),
        ),
        TableReason.BROKEN_OFF: (early, of(early, "Resigned")),
        TableReason.WRONG_PHASE: (
            late,
            then(drawn, "SeatTaken", player=OUTSIDER, seat=1, target=0),
        ),
        TableReason.RULES_BROKEN: (
            "a race of three",
            forged(of("a race of three", "Rolled"), die=7),
        ),
        TableReason.WRONG_SEATS: (four, forged(opened, seats=5)),
        TableReason.UNKNOWN_SEAT: (late, then(drawn, "Resigned", seat=2)),
        TableReason.CONTROL_UNKNOWN: (four, forged(opened, control=2)),
        TableReason.STAKE_TOO_LARGE: (four, forged(opened, stake=2**96)),
        TableReason.OPPONENT_REFUSED: (four, forged(opened, opponent=OUTSIDER)),
        TableReason.SEAT_REFUSED: (four, forged(of(four, "SeatTaken"), player=player)),
        TableReason.SEAT_NOT_TAKEN: (four, then(opened, "SeatLeft", player=player, seat=0)),
        TableReason.CANCEL_REFUSED: (
            four,
            then(_host_left(of(four, "SeatTaken", 1)), "GameCancelled"),
        ),
        TableReason.WRONG_TARGET: (early, forged(seated, target=target + 1)),
        TableReason.DRAW_NOT_YET: (
            early,
            then(seated, "FirstSeatDrawn", blocks=2, seat=0, word=2, deadline=0),
        ),
        TableReason.DRAW_NOT_MISSED: (
            early,
            then(seated, "DrawRescheduled", blocks=258, target=target + 258),
        ),
        TableReason.WRONG_FIRST_SEAT: (late, forged(drawn, seat=1 - on_turn)),
        TableReason.NOT_ON_TURN: (
            late,
            then(drawn, "ClockExtended", seat=1 - on_turn, deadline=0),
        ),
        TableReason.WRONG_DEADLINE: (
            late,
            forged(drawn, deadline=drawn[-1].arguments["deadline"] + 1),
        ),
        TableReason.NO_KEEP_ALIVE: (
            late,
            _extended(of(late, "ClockExtended", 2)),
        ),
        TableReason.DEADLINE_NOT_PASSED: (
            late,
            then(drawn, "TimedOut", seconds=MOVE, seat=on_turn),
        ),
        TableReason.STALE_OFFER: (three, forged(offered, moveNumber=1)),
        TableReason.OFFERED_TWICE: (three, then(offered, "DrawOffered", seat=0, moveNumber=0)),
        TableReason.PROOF_ASKED_TWICE: (
            "proved",
            forged(asked, seat=0),
        ),
        TableReason.PROOF_NOT_OWED: (
            "not proved",
            then(
                of("not proved", "ProofAsked"),
                "ProofMissed",
                seconds=CLOCKS.proof + 1,
                seat=1,
            ),
        ),
        TableReason.VOID_TOO_EARLY: (void, late_wait),
        TableReason.VOID_ANNOUNCED_TWICE: (void, then(announced, "VoidAnnounced", voidTime=0)),
        TableReason.VOID_NOT_ANNOUNCED: (void, then(waiting, "GameVoided", seconds=10**6)),
        TableReason.WRONG_ENDING: (early, forged(of(early, "GameEnded"), outcome=4)),
        TableReason.WRONG_WINNERS: (early, forged(of(early, "GameEnded"), winners=2)),
        TableReason.WRONG_PAYMENT: (four, forged(ended, amounts=[0, 199, 0, 201])),
        TableReason.POT_NOT_PAID: (four, forged(ended, rake=ended[-1].arguments["rake"] + 1)),
        TableReason.WRONG_CREDIT: ("cancelled and credited", forged(credited, amount=1)),
    }


def _host_left(events: list[Event]) -> list[Event]:
    return then(events, "SeatLeft", player=PEOPLE[0].address, seat=0)


def _extended(events: list[Event]) -> list[Event]:
    seat, deadline = (events[-1].arguments[name] for name in ("seat", "deadline"))
    return then(events, "ClockExtended", seat=seat, deadline=deadline + MOVE)


def bunkerwar(games: Games) -> Iterator[Refused]:
    """Of Bunker War Z."""

    def of(title: str, *where: Any) -> list[Event]:
        return upto(games[title][1], *where)

    counted, flying = "counted", "resigned in flight"
    sent = of(flying, "MissileSent")
    first = of(counted, "BuildingPlaced")
    second = of("timed out", "BuildingPlaced")
    mover = 1 - second[-1].arguments["seat"]
    known = of("drawn", "MissileResolved")
    settled = of(counted, "ResultSettled")
    counting = of(counted, "CountingStarted")
    landed = of(counted, "MissileResolved")
    handle = {"stop": bytes(32)}
    cases: dict[Reason, list[Event]] = {
        BunkerWarReason.PARAMETERS_MALFORMED: forged(
            of(counted, "GameOpened"), parameters=b"".join(n.to_bytes(32) for n in (9, 2, 0))
        ),
        BunkerWarReason.UNKNOWN_LANE: forged(sent, lane=2),
        BunkerWarReason.NOT_ARMED: _sent_twice(known),
        BunkerWarReason.STOP_KNOWN: then(first, "MissileSent", seat=_next(first), lane=1, **handle),
        BunkerWarReason.WRONG_STOP: then(second, "MissileResolved", seat=mover, lane=1, stop=1),
        BunkerWarReason.OTHER_MISSILE: forged(landed, lane=1),
        BunkerWarReason.NOTHING_AWAITED: then(counting, "MissileResolved", seat=0, lane=0, stop=0),
        BunkerWarReason.UNKNOWN_RESULT: forged(settled, result=3),
        TableReason.WRONG_SEATS: forged(of(counted, "GameOpened"), seats=3),
        TableReason.EVENT_UNCAUSED: then(first, "CountingStarted", result=bytes(32)),
        TableReason.EVENT_MISSING: then(
            upto(counting[:-1], "BuildingPlaced", -1), "Resigned", seat=0
        ),
        TableReason.NOT_ON_TURN: forged(sent, seat=1 - sent[-1].arguments["seat"]),
        TableReason.RULES_BROKEN: forged(first, depth=2),
        TableReason.WRONG_PHASE: then(sent, "BuildingPlaced", seat=0, lane=1, depth=1),
        TableReason.WRONG_ENDING: forged(upto(games[counted][1], "GameEnded"), outcome=3),
    }
    yield from ((reason, "bunkerwar", events) for reason, events in cases.items())


def _next(events: list[Event]) -> int:
    return 1 - int(events[-1].arguments["seat"])


def _sent_twice(events: list[Event]) -> list[Event]:
    """The seat that sent a missile sends the next one without a build between."""
    seat = int(events[-1].arguments["seat"])
    built = then(events, "BuildingPlaced", seat=1 - seat, lane=1, depth=1)
    return then(built, "MissileSent", seat=seat, lane=1, stop=bytes(32))


def battleship(games: Games) -> Iterator[Refused]:
    """Of Battleship."""

    def of(title: str, *where: Any) -> list[Event]:
        return upto(games[title][1], *where)

    fired = of("fair", "ShotFired")
    shooter = int(fired[-1].arguments["seat"])
    answered = of("drawn", "ShotAnswered")
    both = of("fair", "BoardRevealed", 1)
    ended = of("fair", "GameEnded")
    board = {"placement": bytes(16), "seed": bytes(32), "honest": True}
    unproved = of("opened falsely for nobody", "ProofMissed")
    other = int(unproved[-1].arguments["seat"])
    cases: dict[Reason, list[Event]] = {
        BattleshipReason.NOT_BATTLESHIP: forged(
            of("fair", "GameOpened"), parameters=(7).to_bytes(32)
        ),
        BattleshipReason.ANSWER_DUE: then(fired, "ShotFired", seat=1 - shooter, cell=0),
        BattleshipReason.NOTHING_TO_ANSWER: forged(answered, cell=1),
        BattleshipReason.NO_BOARD_TO_PROVE: then(fired, "BoardRevealed", seat=0, **board),
        BattleshipReason.REVEALED_TWICE: then(ended, "BoardRevealed", seat=0, **board),
        BattleshipReason.REVEALED_LATE: forged(both, {"time": ended[-1].time + CLOCKS.proof + 1}),
        TableReason.WRONG_SEATS: forged(of("fair", "GameOpened"), seats=3),
        TableReason.EVENT_UNCAUSED: then(
            of("drawn", "DrawOffered", 1),
            "GameEnded",
            outcome=2,
            winners=0,
            amounts=[101] * 2,
            rake=0,
        ),
        TableReason.EVENT_MISSING: [
            *unproved,
            replace(
                unproved[-1],
                name="ProofAsked",
                index=unproved[-1].index + 1,
                arguments={
                    "id": unproved[-1].arguments["id"],
                    "seat": 1 - other,
                    "deadline": unproved[-1].time + CLOCKS.proof,
                },
            ),
        ],
        TableReason.BROKEN_OFF: of("fair", "GameOpened"),
        TableReason.NOT_ON_TURN: forged(fired, seat=1 - shooter),
        TableReason.RULES_BROKEN: forged(fired, cell=36),
        TableReason.WRONG_WINNERS: forged(ended, winners=2),
    }
    yield from ((reason, "battleship", events) for reason, events in cases.items())


REFUSED: dict[str, Callable[[Games], Iterator[Refused]]] = {
    "table": table,
    "bunkerwar": bunkerwar,
    "battleship": battleship,
}
