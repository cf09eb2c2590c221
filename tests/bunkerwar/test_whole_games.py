"""Rules = contract on clear values = contract on real ciphertexts, over whole games."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bunkerwar.bots import Bot, RandomBot, SensibleBot
from bunkerwar.rules import Cell, State, apply, legal_moves, outcome, view
from fogbound.stack import LocalStack
from tests.amount import enough
from tests.bunkerwar.conftest import begin, settled

IN_STACK = settings(
    max_examples=enough(4, 30),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def play_and_compare(stack: LocalStack, start: State, bots: tuple[Bot, Bot]) -> None:
    """A whole game by the bots; after each move each seat knows what the rules say that it knows."""
    clients, game_id = begin(stack, start.lanes, start.depth, start.stacked)
    first = settled(clients[0], game_id)
    state = State.new(start.lanes, start.depth, first=first, stacked=start.stacked)
    while not state.finished:
        seat = state.turn
        assert settled(clients[0], game_id) == seat
        assert clients[seat].view(game_id) == view(state, seat)
        move = bots[seat].choose(clients[seat].view(game_id))
        assert move in legal_moves(state)
        clients[seat].act(game_id, move)
        settled(clients[0], game_id)
        state = apply(state, move)
        assert clients[0].replay(game_id).state == view(state, None)
    assert clients[0].replay(game_id).result is outcome(state)
    for seat, client in enumerate(clients):
        assert client.own_board(game_id) == state.boards[seat]
        assert client.score(game_id) == state.boards[seat].score
        assert client.opponent_board(game_id) == state.boards[1 - seat].hidden()
        assert Cell.HOUSE not in client.opponent_board(game_id)


sizes = st.tuples(st.integers(1, 3), st.integers(2, 3)).filter(lambda size: size[0] * size[1] <= 6)


@given(size=sizes, stacked=st.booleans(), seed=st.integers(0, 2**32))
@IN_STACK
def test_rules_and_contract_agree_on_random_games(
    clear_stack: LocalStack, size: tuple[int, int], stacked: bool, seed: int
) -> None:
    start = State.new(*size, stacked=stacked)
    play_and_compare(clear_stack, start, (RandomBot(seed), RandomBot(seed + 1)))


@pytest.mark.parametrize(("lanes", "depth", "stacked"), [(4, 4, False), (2, 8, True)])
def test_rules_and_contract_agree_on_sensible_games(
    clear_stack: LocalStack, lanes: int, depth: int, stacked: bool
) -> None:
    start = State.new(lanes, depth, stacked=stacked)
    play_and_compare(clear_stack, start, (SensibleBot(1), SensibleBot(2)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lanes", "depth", "stacked", "seed"), [(4, 4, False, 1), (2, 3, True, 2), (1, 4, False, 3)]
)
def test_rules_and_contract_agree_on_real_ciphertexts(
    concrete_stack: LocalStack, lanes: int, depth: int, stacked: bool, seed: int
) -> None:
    start = State.new(lanes, depth, stacked=stacked)
    play_and_compare(concrete_stack, start, (RandomBot(seed), SensibleBot(seed)))
