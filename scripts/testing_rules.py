"""The rules of the contracts in contracts/testing, as games plug theirs into the table's fold."""

from dataclasses import dataclass, replace

from fogbound.fold import OUT_OF_REACH
from fogbound.game import Outcome, Phase
from fogbound.replay import Rules
from fogbound.steps import STAY, Ask, End, Step, won_by

# ── Sandbox: each thing that the table offers is a move; endings and proofs are not announced ──


def _passed(game, table, event):
    table.require_phase(event, Phase.PLAYING)
    return game, Step(turn=event.arguments["seat"])


def _wait_begun(game, table, event):
    table.require_phase(event, Phase.PLAYING)
    return game, Step(wait=True)


def _wait_resolved(game, table, event):
    table.require_phase(event, Phase.WAITING)
    return game, Step(turn=event.arguments["seat"])


def _unannounced(game, table, event):
    given = event.arguments
    if event.name == "ProofAsked":
        return Step(due=Ask(given["seat"]))
    if event.name != "GameEnded" or table.phase not in (Phase.PLAYING, Phase.PROVING):
        return STAY
    if given["outcome"] in (Outcome.DRAWN, Outcome.NULL):
        return Step(due=End(Outcome(given["outcome"])))
    if given["outcome"] != Outcome.WON:
        return STAY
    winners = frozenset(seat for seat in range(table.seats) if given["winners"] >> seat & 1)
    if table.phase is Phase.PROVING:
        return _first_to_prove(winners)
    amounts = None if winners else tuple(given["amounts"])
    return Step(due=End(Outcome.WON, winners, amounts=amounts))


def _first_to_prove(winners):
    if len(winners) != 1:
        return STAY
    return Step(due=End(Outcome.WON, winners), proved=min(winners))


SANDBOX = Rules(
    start=None,
    seats=range(2, 5),
    events={
        "Passed": {"id": "uint256", "seat": "uint8"},
        "WaitBegun": {"id": "uint256"},
        "WaitResolved": {"id": "uint256", "seat": "uint8"},
    },
    acts={"Passed": _passed, "WaitBegun": _wait_begun, "WaitResolved": _wait_resolved},
    told={},
    before=_unannounced,
)

# ── DiceRace: the die moves you forward, and whoever arrives has won ──

GOAL = 8


@dataclass(frozen=True)
class Race:
    """`pending`: the block that decides the roll, 0 where there is none."""

    places: tuple[int, ...] = (0,) * 4
    pending: int = 0


def _require(condition, words):
    if not condition:
        raise ValueError(words)


def _roll_asked(game, table, event):
    table.require_turn(event)
    _require(not game.pending, "a roll is pending")
    return _cast(game, table, event)


def _cast(game, table, event):
    target = event.arguments["target"]
    _require(target == event.block + 1, "the next block decides")
    return replace(game, pending=target), Step(turn=table.on_turn)


def _roll_rescheduled(game, table, event):
    table.require_phase(event, Phase.PLAYING)
    _require(game.pending and event.block > game.pending + OUT_OF_REACH, "no roll was missed")
    return _cast(game, table, event)


def _rolled(game, table, event):
    table.require_turn(event)
    seat, die, place = (event.arguments[name] for name in ("seat", "die", "place"))
    _require(game.pending and event.block > game.pending, "no roll is due")
    _require(1 <= die <= 6 and place == game.places[seat] + die, "no such roll")
    places = (*game.places[:seat], place, *game.places[seat + 1 :])
    game = Race(places)
    if place >= GOAL:
        return game, won_by(Outcome.WON, {seat})
    return game, Step(turn=(seat + 1) % table.seats)


def _rested(game, table, event):
    table.require_turn(event)
    _require(not game.pending, "a roll is pending")
    return game, Step(turn=(table.on_turn + 1) % table.seats)


def _timed_out(game, table, event):
    _require(not game.pending, "a roll is pending")
    return game, STAY


RACE = Rules(
    start=Race(),
    seats=range(2, 5),
    events={
        "RollAsked": {"id": "uint256", "seat": "uint8", "target": "uint256"},
        "RollRescheduled": {"id": "uint256", "target": "uint256"},
        "Rolled": {"id": "uint256", "seat": "uint8", "die": "uint8", "place": "uint8"},
        "Rested": {"id": "uint256", "seat": "uint8"},
    },
    acts={
        "RollAsked": _roll_asked,
        "RollRescheduled": _roll_rescheduled,
        "Rolled": _rolled,
        "Rested": _rested,
    },
    told={"TimedOut": _timed_out},
    errors=(ValueError,),
)
