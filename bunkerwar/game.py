"""What the shared tools must know of Bunker War Z."""

from dataclasses import asdict

from bunkerwar.client import BunkerWarClient
from bunkerwar.record import export, verify
from bunkerwar.replay import Parameters
from fogbound.games import GameSpec

GAME = GameSpec(
    name="bunkerwar",
    contract="BunkerWar",
    client=BunkerWarClient,
    constructor=lambda terms: (terms.pool_owner, terms.clocks),
    tend=lambda client, game_id: client.tend(game_id),
    encrypted=True,
    parameters=lambda data: asdict(Parameters.parse(data)),
    export=export,
    verify=verify,
)
