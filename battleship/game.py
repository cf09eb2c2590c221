"""What the shared tools must know of Battleship."""

import secrets

from battleship.client import BattleshipClient
from battleship.record import export, verify
from battleship.replay import size_of
from fogbound.games import GameSpec

GAME = GameSpec(
    name="battleship",
    contract="Battleship",
    client=BattleshipClient,
    constructor=lambda terms: (terms.pool_owner, terms.clocks, secrets.token_bytes(32)),
    tend=lambda client, game_id: client.tend(game_id),
    parameters=lambda data: {"size": size_of(data)},
    export=export,
    verify=lambda record, _domains: verify(record),
)
