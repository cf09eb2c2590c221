"""The rules: fleets, shots, sinking, the end of the shooting, judging; text forms that round-trip."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battleship.bots import RandomBot, random_fleet
from battleship.errors import (
    AlreadyFired,
    AnswerNeeded,
    GameFinished,
    IllegalSize,
    ImpossibleAnswer,
    MalformedText,
    OutOfRange,
    ShipOffBoard,
    ShipsOverlap,
    WrongFleet,
)
from battleship.fleets import (
    SIZES,
    Kind,
    Ship,
    check_fleet,
    fleet_cells,
    fleet_text,
    kinds,
    missing,
    parse_fleet,
    place,
)
from battleship.rules import (
    MISS,
    Answer,
    Attack,
    Board,
    Outcome,
    Proof,
    Shot,
    State,
    apply,
    judge,
    legal_moves,
    truthful,
    view,
)

SMALL = parse_fleet("CR 0 0 h, DE 0 1 h")


def played(size: int, seed: int, shots: int) -> State:
    """A random game after some shots, both fleets known."""
    rng, bot = Random(seed), RandomBot(seed)
    state = State.new(size, [random_fleet(size, rng) for _ in "ab"], first=seed % 2)
    for _ in range(shots):
        if state.winner is None:
            state = apply(state, bot.choose(state))
    return state


games = st.builds(played, st.sampled_from(SIZES), st.integers(0, 2**32), st.integers(0, 120))


@pytest.mark.parametrize(
    ("size", "codes", "cells"),
    [
        (6, "CR DE", 5),
        (8, "CR DE", 5),
        (10, "CA BA CR SU DE", 17),
        # 6 + 5 + 4 + 3 + 3 + 3 + 2 + 2: every cell of the fleet is to be hit
        (12, "SC CA BA CR SU SU DE DE", 28),
        (14, "SC CA BA CR SU SU DE DE", 28),
        (20, "SC CA BA CR SU SU DE DE", 28),
    ],
)
def test_each_size_has_its_fleet(size: int, codes: str, cells: int) -> None:
    assert " ".join(kind.code for kind in kinds(size)) == codes
    assert fleet_cells(size) == cells


def test_ships_have_lengths() -> None:
    assert {kind.code: kind.length for kind in Kind} == {
        "DE": 2,
        "CR": 3,
        "SU": 3,
        "BA": 4,
        "CA": 5,
        "SC": 6,
    }


def test_x_is_the_column_and_y_the_row() -> None:
    assert Ship.parse("CR 1 2 h").cells(10) == (21, 22, 23)
    assert Ship.parse("CR 1 2 v").cells(10) == (21, 31, 41)
    assert Attack.parse("attack 1 0").cell(10) == 1


def test_touching_is_allowed() -> None:
    assert check_fleet(6, SMALL) == SMALL


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("CR 4 0 h, DE 0 1 h", ShipOffBoard),
        ("CR 0 4 v, DE 0 1 h", ShipOffBoard),
        ("CR 9 9 h, DE 0 1 h", ShipOffBoard),
        ("CR 0 0 h, DE 2 0 v", ShipsOverlap),
        ("CR 0 0 h", WrongFleet),
        ("CR 0 0 h, DE 0 1 h, DE 0 2 h", WrongFleet),
        ("BA 0 0 h, DE 0 1 h", WrongFleet),
    ],
)
def test_illegal_fleets(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        check_fleet(6, parse_fleet(text))


def test_what_is_left_to_place() -> None:
    fleet = place(12, (), Ship.parse("SU 0 0 h"))
    assert [kind.code for kind in missing(12, fleet)] == ["SC", "CA", "BA", "CR", "SU", "DE", "DE"]


@pytest.mark.parametrize("size", [0, 5, 7, 11, 21])
def test_there_are_six_sizes(size: int) -> None:
    with pytest.raises(IllegalSize):
        State.new(size)


def test_a_hit_sinks_when_it_is_the_last() -> None:
    board = Board(6, SMALL)
    for cell, sunk in [(0, None), (2, None), (1, Kind.CRUISER), (6, None), (7, Kind.DESTROYER)]:
        answer = board.answer(cell)
        assert answer == Answer(hit=True, sunk=sunk)
        board = board.struck(cell, answer)
    assert board.beaten
    assert (board.sunk, board.afloat) == ((Kind.CRUISER, Kind.DESTROYER), ())


@given(games)
def test_turns_alternate_and_the_winner_has_hit_all(state: State) -> None:
    shots = [len(board.shots) for board in state.boards]
    assert abs(shots[0] - shots[1]) <= 1
    for seat in (0, 1):
        hit_all = len(state.boards[1 - seat].hits) == fleet_cells(state.size)
        assert (state.winner == seat) == hit_all
    assert bool(legal_moves(state)) == (state.winner is None)


def test_whoever_fired_at_every_cell_has_won() -> None:
    """Only where the fleet has fewer cells than it should: a cheat's."""
    state = State.new(6)
    for number in range(71):
        state = apply(state, Attack.at(6, number // 2), MISS)
    assert state.winner == 0


@given(games)
def test_positions_round_trip(state: State) -> None:
    for seat in (0, 1, None):
        seen = view(state, seat)
        assert State.parse(str(seen)) == seen


@given(games)
def test_a_view_hides_the_others_fleet_and_nothing_else(state: State) -> None:
    for seat in (0, 1):
        seen = view(state, seat)
        assert seen.boards[seat] == state.boards[seat]
        assert seen.boards[1 - seat].fleet is None
        assert seen.boards[1 - seat].shots == state.boards[1 - seat].shots


@given(games)
def test_true_answers_are_truthful_and_no_other_is(state: State) -> None:
    for board in state.boards:
        assert board.fleet is not None
        assert truthful(state.size, board.fleet, board.shots)
        for position, shot in enumerate(board.shots[:10]):
            lie = Answer(hit=True, sunk=None if shot.answer.sunk else Kind.SUPER_CARRIER)
            lies = (*board.shots[:position], Shot(shot.cell, lie), *board.shots[position + 1 :])
            assert not truthful(state.size, board.fleet, lies)


def test_an_illegal_fleet_is_not_truthful() -> None:
    assert not truthful(6, parse_fleet("CR 0 0 h"), [])


def test_what_apply_refuses() -> None:
    state = State.new(6, [SMALL, None])
    with pytest.raises(AnswerNeeded):
        apply(state, Attack(0, 0))
    with pytest.raises(OutOfRange):
        apply(state, Attack(6, 0), MISS)
    state = apply(state, Attack(0, 0), MISS)
    with pytest.raises(ImpossibleAnswer):
        apply(state, Attack(0, 0), MISS)  # a ship is there
    state = apply(apply(state, Attack(0, 0)), Attack(1, 0), MISS)
    with pytest.raises(AlreadyFired):
        apply(state, Attack(0, 0))
    with pytest.raises(ImpossibleAnswer):
        Answer(hit=False, sunk=Kind.CRUISER)
    won = State.parse(f"6 | 1 | {fleet_text(SMALL)} | 0+ 1+ 2+CR 6+ 7+DE | ? | 0- 1- 2- 3-")
    with pytest.raises(GameFinished):
        apply(won, Attack(5, 5), MISS)


@pytest.mark.parametrize(
    ("proofs", "cheater", "expected"),
    [
        ((Proof.HONEST, Proof.DISHONEST), None, (Outcome.FAIR, 0)),
        ((Proof.HONEST, Proof.SILENT), 1, (Outcome.FAIR, 0)),
        ((Proof.SILENT, Proof.HONEST), None, (Outcome.FAILED_TO_PROVIDE_PROOF, 1)),
        ((Proof.DISHONEST, Proof.HONEST), None, (Outcome.FAILED_TO_PROVIDE_PROOF, 1)),
        ((Proof.DISHONEST, Proof.HONEST), 1, (Outcome.NULL, None)),
        ((Proof.SILENT, Proof.DISHONEST), None, (Outcome.NULL, None)),
    ],
)
def test_judging(proofs: tuple[Proof, Proof], cheater: int | None, expected: object) -> None:
    assert judge(0, proofs, cheater) == expected
    mirrored = (expected[0], None if expected[1] is None else 1 - expected[1])
    assert judge(1, proofs[::-1], None if cheater is None else 1 - cheater) == mirrored


@given(
    st.sampled_from(Kind),
    st.integers(0, 31),
    st.integers(0, 31),
    st.booleans(),
    st.integers(0, 399),
)
def test_texts_round_trip(kind: Kind, x: int, y: int, vertical: bool, cell: int) -> None:
    ship, attack = Ship(kind, x, y, vertical), Attack(x, y)
    assert Ship.parse(str(ship)) == ship
    assert Attack.parse(str(attack)) == attack
    for answer in (MISS, Answer(hit=True), Answer(hit=True, sunk=kind)):
        assert Shot.parse(str(Shot(cell, answer))) == Shot(cell, answer)


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        *product([Ship.parse], ["", "CR 1 2", "XX 1 2 h", "CR -1 2 h", "CR 1 2 d"]),
        *product([Attack.parse], ["", "attack 1", "attack a b", "fire 1 0"]),
        *product([Shot.parse], ["", "12", "12-CR", "12+XX", "1234-"]),
        *product([State.parse], ["", "6 | 2 | ? | - | ? | -", "6 | 0 | ? | 36- | ? | -"]),
        *product(
            [State.parse],
            ["6 | 0 | ? | 1- 1- | ? | -", f"6 | 0 | {fleet_text(SMALL)} | 0- | ? | -"],
        ),
    ],
)
def test_malformed_texts_are_refused(parse, text) -> None:
    with pytest.raises(MalformedText):
        parse(text)
