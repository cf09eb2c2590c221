"""Hypothesis strategies: whole games of legal moves, on boards of any legal size."""

from dataclasses import dataclass

from hypothesis import strategies as st

from bunkerwar.rules import DEPTHS, LANES, Missile, Move, State, apply, legal_moves


@dataclass(frozen=True)
class Game:
    """The states of a game, first to last, and the moves between them."""

    states: tuple[State, ...]
    moves: tuple[Move, ...]

    @property
    def stops(self) -> tuple[int | None, ...]:
        """Where each missile stopped; None for a build."""
        return tuple(
            before.boards[1 - before.turn].stop(move.lane) if isinstance(move, Missile) else None
            for before, move in zip(self.states, self.moves, strict=False)
        )


def starts(max_lanes: int = LANES[-1], max_depth: int = DEPTHS[-1]) -> st.SearchStrategy[State]:
    """The start of a game of any size and option."""
    return st.builds(
        State.new,
        st.integers(LANES[0], max_lanes),
        st.integers(DEPTHS[0], max_depth),
        first=st.sampled_from((0, 1)),
        stacked=st.booleans(),
    )


@st.composite
def games(draw: st.DrawFn, max_lanes: int = LANES[-1], max_depth: int = DEPTHS[-1]) -> Game:
    """A whole game; missiles are drawn as often as builds, so that there is something to see."""
    states = [draw(starts(max_lanes, max_depth))]
    moves: list[Move] = []
    random = draw(st.randoms(use_true_random=False))
    while not states[-1].finished:
        legal = legal_moves(states[-1])
        missiles = [move for move in legal if isinstance(move, Missile)]
        moves.append(random.choice(missiles if missiles and random.random() < 0.4 else legal))
        states.append(apply(states[-1], moves[-1]))
    return Game(tuple(states), tuple(moves))
