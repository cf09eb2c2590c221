"""What the shared tools must know of Battleship."""

import secrets
from collections.abc import Callable

from battleship.bots import BOTS, Bot
from battleship.client import BattleshipClient
from battleship.record import export, verify
from battleship.replay import RULES, size_of
from fogbound.bots import Act, MakeAct
from fogbound.game import Game
from fogbound.games import GameSpec


def seated(make: Callable[[int], Bot]) -> MakeAct:
    """A bot at a client: it answers, proves and shows its board without being asked, and fires."""

    def make_act(client: BattleshipClient, seed: int) -> Act:
        bot = make(seed)

        def act(game: Game) -> bool:
            if client.serve(game.id, at_once=False):
                return True
            if not game.is_turn_of(client.player):
                return False
            client.fire(game.id, bot.choose(client.view(game.id)))
            return True

        return act

    return make_act


GAME = GameSpec(
    name="battleship",
    contract="Battleship",
    client=BattleshipClient,
    constructor=lambda terms: (*terms.arguments, secrets.token_bytes(32)),
    tend=lambda client, game_id: client.tend(game_id),
    parameters=lambda data: {"size": size_of(data)},
    events=RULES.events,
    export=export,
    verify=lambda record, _domains: verify(record),
    bots={name: seated(BOTS[name]) for name in ("density", "hunt", "random")},
)
