"""A local stack on a fresh anvil for each backend, and clients by role."""

from collections.abc import Callable, Iterator

import pytest

from bunkerwar.client import BunkerWarClient
from bunkerwar.game import GAME
from fhevm.devchain import dev_accounts
from fogbound.game import Phase
from fogbound.stack import LocalStack

HOST, GUEST, OUTSIDER = dev_accounts()[1:4]
SEED = bytes(range(32))
STAKE = 10**18

Pair = tuple[BunkerWarClient, BunkerWarClient]


@pytest.fixture(scope="package")
def clear_stack() -> Iterator[LocalStack]:
    with LocalStack("clear", seed=SEED, games=[GAME]) as stack:
        yield stack


@pytest.fixture(scope="package")
def concrete_stack() -> Iterator[LocalStack]:
    with LocalStack("concrete", seed=SEED, games=[GAME]) as stack:
        yield stack


def seated(stack: LocalStack) -> Pair:
    """Clients of the host (seat 0) and the guest (seat 1)."""
    return stack.client(GAME, HOST), stack.client(GAME, GUEST)


def settled(client: BunkerWarClient, game_id: int) -> int:
    """The seat on turn, once nobody waits for a draw or a decryption."""
    pending = (Phase.DRAWING, Phase.WAITING)
    return client.wait_for(game_id, lambda game: game.phase not in pending).on_turn


def begin(stack: LocalStack, lanes: int, depth: int, stacked: bool = False) -> tuple[Pair, int]:
    """A game that has begun."""
    host, guest = seated(stack)
    game_id = host.open(lanes, depth, stacked, opponent=GUEST.address, stake=STAKE)
    guest.join(game_id)
    settled(host, game_id)
    return (host, guest), game_id


@pytest.fixture
def open_game(clear_stack: LocalStack) -> Callable[..., tuple[Pair, int]]:
    """Factory: a game on the clear backend that has begun."""
    return lambda lanes=2, depth=2, stacked=False: begin(clear_stack, lanes, depth, stacked)
