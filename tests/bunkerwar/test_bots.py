"""The bots: legal moves from their own view, the same ones for the same seed, and one plays better."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunkerwar.bots import Bot, RandomBot, SensibleBot
from bunkerwar.rules import Cell, Missile, Outcome, State, apply, legal_moves, outcome, view
from tests.bunkerwar.strategies import starts

BOTS = (RandomBot, SensibleBot)


def play(state: State, bots: tuple[Bot, Bot]) -> State:
    while not state.finished:
        state = apply(state, bots[state.turn].choose(view(state, state.turn)))
    return state


@pytest.mark.parametrize("bot", BOTS)
@given(start=starts(), seed=st.integers(0, 2**64))
def test_every_move_is_legal(bot: type[RandomBot | SensibleBot], start: State, seed: int) -> None:
    player, opponent = bot(seed), RandomBot(seed)
    state = start
    while not state.finished:
        move = (player if state.turn == 0 else opponent).choose(view(state, state.turn))
        assert move in legal_moves(state)
        state = apply(state, move)


@pytest.mark.parametrize("bot", BOTS)
def test_a_seed_decides_every_choice(bot: type[RandomBot | SensibleBot]) -> None:
    start = State.new(4, 4)
    games = {seed: play(start, (bot(seed), bot(seed + 1))) for seed in range(20)}
    assert games == {seed: play(start, (bot(seed), bot(seed + 1))) for seed in range(20)}
    assert len(set(map(str, games.values()))) > 10


@pytest.mark.parametrize("stacked", [False, True])
@pytest.mark.parametrize(("lanes", "depth"), [(4, 4), (8, 8), (2, 3), (3, 2), (1, 8)])
def test_the_sensible_bot_wins_clearly(lanes: int, depth: int, stacked: bool) -> None:
    wins = losses = 0
    for seed in range(60):
        seat = seed % 2
        bots = (SensibleBot(seed), RandomBot(1000 + seed))
        start = State.new(lanes, depth, first=seed // 2 % 2, stacked=stacked)
        result = outcome(play(start, bots if seat == 0 else bots[::-1]))
        assert result is not None
        wins += result.winner == seat
        losses += result.winner == 1 - seat
    assert wins >= 45
    assert wins > 5 * losses


def test_two_sensible_bots_play_games_that_either_can_win() -> None:
    results = {
        outcome(play(State.new(4, 4, first=seed % 2), (SensibleBot(seed), SensibleBot(-seed))))
        for seed in range(1, 100)
    }
    assert results == set(Outcome)


@pytest.mark.parametrize("seed", range(20))
def test_it_fires_where_the_expected_loss_is_greatest(seed: int) -> None:
    seen = State.parse("......../......../........ ???...../????????/?????B?? 0 20 01 -")
    assert SensibleBot(seed).choose(seen) == Missile(1)


@pytest.mark.parametrize("seed", range(20))
def test_it_protects_before_it_stacks_up(seed: int) -> None:
    seen = State.parse("hh../..../b... ..../..../.... 0 8 01 -")
    move = SensibleBot(seed).choose(seen)
    assert not isinstance(move, Missile)
    assert (move.lane, move.cell) == (0, Cell.BUNKER)


@pytest.mark.parametrize("seed", range(20))
def test_it_builds_under_cover(seed: int) -> None:
    seen = State.parse("h..b/..../.... ..../..../.... 0 8 01 -")
    move = SensibleBot(seed).choose(seen)
    assert not isinstance(move, Missile)
    assert (move.lane, move.cell) == (0, Cell.HOUSE)
