"""What the shared tools must know of Bunker War Z."""

from bunkerwar.client import BunkerWarClient
from fogbound.games import GameSpec

GAME = GameSpec(
    name="bunkerwar",
    contract="BunkerWar",
    client=BunkerWarClient,
    constructor=lambda terms: (terms.pool_owner, terms.clocks),
    tend=lambda client, game_id: client.tend(game_id),
    encrypted=True,
)
