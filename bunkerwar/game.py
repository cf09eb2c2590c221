"""What the shared tools must know of Bunker War Z."""

from collections.abc import Callable
from dataclasses import asdict

from bunkerwar.bots import BOTS, Bot
from bunkerwar.client import BunkerWarClient
from bunkerwar.record import export, verify
from bunkerwar.replay import RULES, Parameters
from fogbound.bots import Act, MakeAct
from fogbound.game import Game
from fogbound.games import GameSpec


def seated(make: Callable[[int], Bot]) -> MakeAct:
    """A bot at a client: it moves when it is on turn."""

    def make_act(client: BunkerWarClient, seed: int) -> Act:
        bot = make(seed)

        def act(game: Game) -> bool:
            if not game.is_turn_of(client.player):
                return False
            client.act(game.id, bot.choose(client.view(game.id)))
            return True

        return act

    return make_act


GAME = GameSpec(
    name="bunkerwar",
    contract="BunkerWar",
    client=BunkerWarClient,
    constructor=lambda terms: terms.arguments,
    tend=lambda client, game_id: client.tend(game_id),
    encrypted=True,
    parameters=lambda data: asdict(Parameters.parse(data)),
    events=RULES.events,
    export=export,
    verify=verify,
    bots={name: seated(make) for name, make in BOTS.items()},
)
