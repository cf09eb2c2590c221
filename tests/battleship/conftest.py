"""A local stack on a fresh anvil, and clients by role."""

from collections.abc import Callable, Iterator

import pytest
from eth_account.signers.local import LocalAccount

from battleship.client import BattleshipClient
from battleship.fleets import parse_fleet
from battleship.game import GAME
from battleship.rules import Attack
from fhevm.devchain import dev_accounts
from fogbound.accounts import DEPLOYER
from fogbound.game import Phase
from fogbound.games import TableTerms
from fogbound.stack import LocalStack
from fogbound.table import Clocks, TimeControl

HOST, GUEST, OUTSIDER = dev_accounts()[1:4]
SEED = bytes(range(32))
STAKE = 10**18
FLEETS = (parse_fleet("CR 0 0 h, DE 0 1 h"), parse_fleet("CR 3 5 h, DE 5 3 v"))


@pytest.fixture(scope="module")
def stack() -> Iterator[LocalStack]:
    """One time control, of a minute a move, and a minute for a proof."""
    terms = TableTerms(DEPLOYER.address, Clocks(proof=60), (TimeControl(60),))
    with LocalStack(seed=SEED, games=[GAME], terms=terms) as stack:
        yield stack


@pytest.fixture
def client(stack: LocalStack) -> Callable[[LocalAccount], BattleshipClient]:
    """A new client, as after a restart."""
    return lambda account: stack.client(GAME, account)


@pytest.fixture
def open_game(client) -> Callable[[], tuple[BattleshipClient, BattleshipClient, int]]:
    """Factory: a 6 x 6 game of host (seat 0) and guest that has begun."""

    def open_game() -> tuple[BattleshipClient, BattleshipClient, int]:
        host, guest = client(HOST), client(GUEST)
        game_id = host.open(6, FLEETS[0], opponent=GUEST.address, stake=STAKE)
        guest.join(game_id, FLEETS[1])
        host.wait_for(game_id, lambda game: game.phase is Phase.PLAYING)
        return host, guest, game_id

    return open_game


def finish(players: tuple[BattleshipClient, BattleshipClient], game_id: int, winner: int) -> None:
    """The winner hits all; the other fires at water."""
    cells = sorted(players[1 - winner].commitment(game_id).ship_cells)
    waters = [c for c in range(36) if c not in players[winner].commitment(game_id).ship_cells]
    targets = {winner: iter(cells), 1 - winner: iter(waters)}
    while (game := players[0].game(game_id)).phase is Phase.PLAYING:
        seat = game.on_turn
        if not players[seat].serve(game_id, at_once=False):
            players[seat].fire(game_id, Attack.at(6, next(targets[seat])))
