"""Fleets that are none. However the game ended, their owner is not paid."""

import pytest
from ape import reverts

from battleship.commitment import pack_fleet
from battleship.fleets import parse_fleet
from tests.contracts.battleship.duel import Honesty, Verdict, fleet_of

HOW = ["shooting", "resignation", "timeout", "verdict"]
ILLEGAL = {
    "a ship missing": "CR 0 0 h",
    "no ship at all": "",
    "a ship doubled": "CR 0 0 h, DE 0 1 h, DE 0 2 h",
    "one kind twice, another missing": "DE 0 0 h, DE 0 1 h",
    "longer ships than the size has": "BA 0 0 h, DE 0 1 h",
    "over the right edge": "CR 4 1 h, DE 0 0 h",
    "over the lower edge": "CR 0 4 v, DE 1 0 h",
    "wholly off the board": "CR 7 0 h, DE 0 1 h",
    "wrapping a row": "CR 5 0 h, DE 0 3 h",
    "overlapping": "CR 0 0 h, DE 1 0 v",
    "one within the other": "CR 0 0 h, DE 0 0 h",
}


def ships(text):
    return parse_fleet(text) if text else ()


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_illegal_fleet_is_dishonest(contract, lone_winner, name):
    duel = lone_winner("resignation", fleets=(ships(ILLEGAL[name]), None))
    assert duel.gains(lambda: duel.reveal(0)) == [0, 0]
    assert duel.honesty(0) is Honesty.DISHONEST
    assert duel.gains(lambda: duel.reveal(1)) == [0, duel.prize]
    assert duel.verdict is Verdict.FAILED_TO_PROVIDE_PROOF


@pytest.mark.parametrize(
    "cells",
    [{0, 1, 7, 12, 13}, {0, 1, 2, 3, 12, 13}, {0, 2, 4, 12, 13}],
    ids=["bent", "of wrong length", "with gaps"],
)
def test_a_shape_that_no_ship_has_can_not_be_revealed_at_all(contract, lone_winner, cells):
    """No placement says such a thing: whatever is revealed, the root is another."""
    duel = lone_winner("resignation", cells=(cells, None))
    with reverts(contract.Battleship_WrongRoot, id=duel.id, seat=0):
        duel.reveal(0)
    duel.close_proof(0, duel.players[1])
    assert duel.gains(lambda: duel.reveal(1)) == [0, duel.prize]


@pytest.mark.parametrize("word", [0x0001, 0x7000, 0x8000, 0x2800])
def test_bits_that_mean_nothing(lone_winner, word):
    """Behind a whole fleet: no kind, a kind too many, a bit that is kept free (twice)."""
    placement = pack_fleet(fleet_of(6))[:4] + word.to_bytes(2) + bytes(10)
    duel = lone_winner("resignation", fleets=(placement, None), cells=({0, 1, 2, 6, 7}, None))
    duel.reveal(0)
    assert duel.honesty(0) is Honesty.DISHONEST


@pytest.mark.parametrize("how", HOW)
def test_an_illegal_board_is_paid_by_no_ending(lone_winner, how):
    """The attack: to be paid on the opponent's resignation without ever showing a board."""
    overlapping = ships(ILLEGAL["overlapping"])
    duel = lone_winner(how, fleets=(overlapping, None))
    assert duel.gains(lambda: duel.reveal(0)) == (
        [duel.null_share] * 2 if how == "verdict" else [0, 0]
    )
    if how != "verdict":  # else both have cheated
        assert duel.gains(lambda: duel.reveal(1)) == [0, duel.prize]
