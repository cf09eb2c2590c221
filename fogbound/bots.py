"""What every game's bots share: what a bot is to others, and the loop in which it plays a game."""

import time
from collections.abc import Callable
from typing import Any

from fhevm.errors import NotComputedYet, Unavailable
from fogbound.errors import (
    ChainRefused,
    ChainUnreachable,
    NotOnTurn,
    TransactionFailed,
    TransactionLost,
    WrongPhase,
)
from fogbound.game import Game
from fogbound.table import TableClient

PATIENCE_SECONDS = 120.0
Act = Callable[[Game], bool]
"""Does at once one thing that a player owes or chooses in a game; False where there is none."""
MakeAct = Callable[[Any, int], Act]
"""Makes a bot for a client of its game, from a seed that its opponents must not know."""
PASSING = (
    # what was read is no longer so
    NotOnTurn,
    WrongPhase,
    TransactionFailed,
    # a process restarts
    ChainRefused,
    ChainUnreachable,
    TransactionLost,
    NotComputedYet,
    Unavailable,
)


def play(
    client: TableClient,
    game_id: int,
    act: Callable[[Game], object],
    *,
    patience: float = PATIENCE_SECONDS,
) -> Game:
    """Call `act(game)` whenever the client is on turn, until the game is over; the game then.

    `act` chooses and sends one move. What passes by itself (a restart of the chain or the gateway,
    somebody who was faster) is tried again for `patience` seconds, then raised.
    """
    failing_since: float | None = None
    while True:
        try:
            game = client.wait_for_turn(game_id)
            if game.phase.final:
                return game
            act(game)
            failing_since = None
        except PASSING:
            now = time.monotonic()
            failing_since = failing_since or now
            if now - failing_since > patience:
                raise
            client.chain.idle()
