"""One game's row, made from its events and the table's view of it. Pure."""

from collections.abc import Callable, Sequence
from typing import Any

from fogbound.game import Game, Phase
from frontend.app.errors import EventMissing
from frontend.app.index.schema import EventRow, place_of

OPENED, ENDED, CANCELLED = "GameOpened", "GameEnded", "GameCancelled"
STATUS = {Phase.OPEN: "open", Phase.ENDED: "finished", Phase.CANCELLED: "cancelled"}
LIVE = "live"
ON_TURN = {Phase.PLAYING, Phase.WAITING}


def summarise(
    game: Game, events: Sequence[EventRow], parameters: Callable[[bytes], dict[str, Any]]
) -> dict[str, Any]:
    """The columns of GameRow that follow from the chain. `events`: at least the first, the last and the
    final one, in order. Raises EventMissing.
    """
    first, last = events[0], events[-1]
    if first.name != OPENED:
        raise EventMissing(f"{first.kind} game {first.game} has a {first.name} and was not opened")
    final = next((each for each in events if each.name in (ENDED, CANCELLED)), None)
    paid = final.arguments if final and final.name == ENDED else {}
    return {
        **_standing(game),
        "creator": first.arguments["creator"],
        "invited": _invited(game, first.arguments["opponent"]),
        "parameters": parameters(bytes.fromhex(first.arguments["parameters"][2:])),
        "amounts": paid.get("amounts"),
        "rake": paid.get("rake"),
        "opened": place_of(first.block, first.index),
        "opened_block": first.block,
        "opened_at": first.time,
        "updated_block": last.block,
        "updated_at": last.time,
        "ended": place_of(final.block, final.index) if final and paid else None,
        "ended_at": final.time if final else None,
    }


def _invited(game: Game, opponent: str) -> str | None:
    """Also of a game that was cancelled: whoever was invited must hear of it."""
    kept = game.phase in (Phase.OPEN, Phase.CANCELLED) and int(opponent, 16)
    return opponent if kept else None


def _standing(game: Game) -> dict[str, Any]:
    """What the table's view says."""
    return {
        "status": STATUS.get(game.phase, LIVE),
        "phase": game.phase.name.lower(),
        "outcome": game.outcome.name.lower(),
        "players": list(game.players),
        "stake": str(game.stake),
        "on_turn": game.on_turn if game.phase in ON_TURN else None,
        "winners": sorted(game.winners),
        "consents": sorted(game.consents),
        "keep_alives": list(game.keep_alives),
        "void_announced": game.void_announced,
        "move_number": game.move_number,
        "control": game.control,
        "deadline": game.deadline or None,
        "mark": game.mark,
    }
