"""The pure rules: what each move does, what is refused, and what a seat knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunkerwar.rules import (
    Board,
    Build,
    Cell,
    CellOccupied,
    CellUnsupported,
    GameFinished,
    HiddenInformation,
    IllegalBoard,
    IllegalMove,
    ImpossibleStop,
    MalformedText,
    Missile,
    MissileNotArmed,
    Outcome,
    OutOfRange,
    State,
    apply,
    legal_moves,
    outcome,
    parse_move,
    public,
    view,
)
from tests.bunkerwar.strategies import Game, games

HOUSE_A1 = Build(0, 0, Cell.HOUSE)


def play(state: State, *texts: str) -> State:
    for text in texts:
        state = apply(state, parse_move(text))
    return state


def count_sequences(state: State, moves: int) -> int:
    """Sequences of so many legal moves (chess calls it perft)."""
    if moves == 0:
        return 1
    return sum(count_sequences(apply(state, move), moves - 1) for move in legal_moves(state))


@pytest.mark.parametrize(
    ("lanes", "depth", "stacked", "counts"),
    [
        (1, 2, False, [1, 5, 25, 84, 288]),
        (1, 2, True, [1, 3, 9, 24, 64]),
        (2, 2, False, [1, 10, 100, 808, 6528]),
        (2, 3, True, [1, 6, 36, 192, 1024]),
    ],
)
def test_the_number_of_games_is_known(
    lanes: int, depth: int, stacked: bool, counts: list[int]
) -> None:
    start = State.new(lanes, depth, stacked=stacked)
    assert [count_sequences(start, moves) for moves in range(len(counts))] == counts


def test_a_missile_destroys_the_houses_outside_the_outermost_bunker() -> None:
    state = State.parse("hbhbhh/...... ....../...... 1 6 01 -")
    assert str(apply(state, Missile(0)).boards[0]) == "hbhB../......"


def test_a_missile_flies_through_a_lane_without_bunker() -> None:
    state = State.parse("h.hh/bhhh ..../.... 1 7 01 -")
    assert str(apply(state, Missile(0)).boards[0]) == "..../bhhh"


def test_a_missile_strikes_the_opponent_and_not_its_sender() -> None:
    state = State.parse("hh hh 0 3 01 -")
    after = apply(state, Missile(0))
    assert [str(board) for board in after.boards] == ["hh", ".."]


def test_an_empty_lane_is_a_legal_target() -> None:
    assert str(play(State.new(1, 2), "M a")) == ".. .. 1 1 1 -"


def test_lanes_and_depths_are_not_mixed_up_on_an_oblong_board() -> None:
    state = play(State.new(2, 5), "H b5", "B a4")
    assert [str(board) for board in state.boards] == ["...../....h", "...b./....."]


def test_a_destroyed_cell_can_be_built_on_again() -> None:
    state = play(State.new(1, 2), "H a2", "M a", "B a2")
    assert str(state.boards[0]) == ".b"


def test_a_missile_is_armed_again_by_an_own_build() -> None:
    state = play(State.new(2, 2), "M a", "H a1", "H a1")
    assert state.armed == (True, True)
    with pytest.raises(MissileNotArmed):
        play(State.new(2, 2), "M a", "H a1", "M b")


@pytest.mark.parametrize("text", ["H e1", "H a5", "M e", "M h"])
def test_no_move_outside_the_board(text: str) -> None:
    with pytest.raises(OutOfRange):
        apply(State.new(4, 4), parse_move(text))


@pytest.mark.parametrize("move", [Missile(-1), Build(-1, 0, Cell.HOUSE), Build(0, -1, Cell.HOUSE)])
def test_negative_places_are_outside_too(move: Build | Missile) -> None:
    with pytest.raises(OutOfRange):
        apply(State.new(4, 4), move)


def test_no_build_on_a_building() -> None:
    state = play(State.new(2, 2), "H a1", "M b")
    with pytest.raises(CellOccupied):
        apply(state, Build(0, 0, Cell.BUNKER))


@pytest.mark.parametrize("cell", [Cell.EMPTY, Cell.SHOWN])
def test_only_houses_and_bunkers_are_built(cell: Cell) -> None:
    with pytest.raises(IllegalMove, match="not a building"):
        apply(State.new(2, 2), Build(0, 0, cell))


def test_stacked_builds_need_support() -> None:
    start = State.new(2, 3, stacked=True)
    with pytest.raises(CellUnsupported):
        apply(start, parse_move("H a2"))
    assert str(play(start, "H a1", "M b", "B a2").boards[0]) == "hb./..."


def test_the_game_stops_after_as_many_rounds_as_a_board_has_cells() -> None:
    state = play(State.new(1, 2), "H a1", "H a1", "H a2")
    assert outcome(state) is None
    state = play(state, "B a2")
    assert outcome(state) is Outcome.FIRST
    assert legal_moves(state) == ()
    with pytest.raises(GameFinished):
        apply(state, Missile(0))


@pytest.mark.parametrize(
    ("boards", "expected"),
    [("hh hb", Outcome.FIRST), ("Bh hh", Outcome.SECOND), ("bh h.", Outcome.TIE)],
)
def test_the_result_compares_both_boards(boards: str, expected: Outcome) -> None:
    assert outcome(State.parse(f"{boards} 0 4 01 -")) is expected


@given(games())
def test_every_text_form_round_trips(game: Game) -> None:
    for state in game.states:
        assert State.parse(str(state)) == state
        assert State.parse(str(view(state, 0))) == view(state, 0)
    for move in game.moves:
        assert parse_move(str(move)) == move
        assert parse_move(str(public(move))) == public(move)


@given(games())
def test_a_game_has_its_rounds_and_a_player_always_has_a_move(game: Game) -> None:
    size = game.states[0].boards[0].size
    assert len(game.moves) == 2 * size
    assert {state.first for state in game.states} == {game.states[0].first}
    assert all(legal_moves(state) for state in game.states[:-1])


@given(games())
def test_exactly_the_legal_moves_are_accepted(game: Game) -> None:
    for state in game.states[:: max(1, len(game.states) // 4)]:
        places = [(lane, depth) for lane in range(-1, 9) for depth in range(-1, 9)]
        moves = {
            *(Missile(lane) for lane in range(-1, 9)),
            *(Build(*place, cell) for place in places for cell in (Cell.HOUSE, Cell.BUNKER)),
        }
        assert {move for move in moves if _accepted(state, move)} == set(legal_moves(state))


def _accepted(state: State, move: Build | Missile) -> bool:
    try:
        apply(state, move)
    except IllegalMove:
        return False
    return True


@given(games())
def test_bunkers_are_never_destroyed_and_houses_only_outside_them(game: Game) -> None:
    for before, after, move in zip(game.states, game.states[1:], game.moves, strict=False):
        for seat in (0, 1):
            assert before.boards[seat].bunkers <= after.boards[seat].bunkers
        if isinstance(move, Missile):
            struck, target = after.boards[1 - before.turn], before.boards[1 - before.turn]
            stop = target.stop(move.lane)
            lost = target.cells[move.lane][stop:].count(Cell.HOUSE)
            assert struck.score == target.score - lost
            assert [*map(str.lower, struck.cells[move.lane][:stop])] == [
                *map(str.lower, target.cells[move.lane][:stop])
            ]


@given(games(), st.sampled_from((0, 1, None)))
def test_a_view_follows_from_what_its_seat_sees(game: Game, seat: int | None) -> None:
    seen = view(game.states[0], seat)
    for before, after, move, stop in zip(
        game.states, game.states[1:], game.moves, game.stops, strict=False
    ):
        known = move if before.turn == seat else public(move)
        seen = apply(seen, known, stop)
        assert seen == view(after, seat)


@given(games())
def test_a_view_shows_no_bunker_that_no_missile_has_stopped_at(game: Game) -> None:
    shown: set[tuple[int, int, int]] = set()
    for before, after, move, stop in zip(
        game.states, game.states[1:], game.moves, game.stops, strict=False
    ):
        if stop:
            shown.add((1 - before.turn, move.lane, stop - 1))
        cells = {
            (seat, lane, depth): cell
            for seat in (0, 1)
            for lane, column in enumerate(view(after, None).boards[seat].cells)
            for depth, cell in enumerate(column)
        }
        assert {place for place, cell in cells.items() if cell == Cell.SHOWN} == shown
        assert Cell.HOUSE not in cells.values()
        assert Cell.BUNKER not in cells.values()


def test_a_view_needs_to_be_told_where_a_missile_stopped() -> None:
    seen = State.parse("?.?/... .../... 1 2 01 -")
    with pytest.raises(HiddenInformation):
        apply(seen, Missile(0))
    assert str(apply(seen, Missile(0), 3).boards[0]) == "?.B/..."
    assert str(apply(seen, Missile(0), 1).boards[0]) == "B../..."
    assert str(apply(seen, Missile(0), 0).boards[0]) == ".../..."


@pytest.mark.parametrize("stop", [-1, 0, 1, 2, 4])
def test_a_stop_that_contradicts_the_board_is_refused(stop: int) -> None:
    seen = State.parse("?.B/... .../... 1 2 01 -")
    with pytest.raises(ImpossibleStop):
        apply(seen, Missile(0), stop)


def test_a_build_has_no_stop() -> None:
    with pytest.raises(ImpossibleStop):
        apply(State.new(2, 2), HOUSE_A1, 0)


def test_a_view_of_a_finished_game_has_no_result() -> None:
    with pytest.raises(HiddenInformation):
        outcome(State.parse("?? hb 0 4 01 -"))


@pytest.mark.parametrize("text", ["", "H a9", "H a0", "h a1", "M i", "M a1", "B a", "B a1 "])
def test_malformed_moves_are_refused(text: str) -> None:
    with pytest.raises(MalformedText):
        parse_move(text)


@pytest.mark.parametrize(
    "text",
    ["", "hh hh 2 0 01 -", "hx hh 0 0 01 -", "hh hh 0 5 01 -", "hh hh 0 0 10 -", "hh hh 0 0 01 x"],
)
def test_malformed_positions_are_refused(text: str) -> None:
    with pytest.raises(MalformedText):
        State.parse(text)


@pytest.mark.parametrize(("lanes", "depth"), [(0, 4), (9, 4), (4, 1), (4, 9)])
def test_board_sizes_have_bounds(lanes: int, depth: int) -> None:
    with pytest.raises(IllegalBoard):
        State.new(lanes, depth)


def test_boards_of_one_game_have_one_size() -> None:
    with pytest.raises(IllegalBoard):
        Board.parse("h./...")
    with pytest.raises(IllegalBoard):
        State.parse("h. h./.. 0 2 01 -")
