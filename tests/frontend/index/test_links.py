"""Which accounts are one owner's, as the chain shows it: by what they did themselves, before the game."""

import pytest

from frontend.app.index.database import Database
from frontend.app.index.links import are_linked
from frontend.app.index.schema import LinkRow

MAIN, SMURF, WALLET, STRANGER = (f"0x{digit * 40}" for digit in "1234")


@pytest.fixture
def linked(tmp_path):
    """Whether two are one owner's at place 10, after these have paid or authorised others at a place."""
    opened = Database.open(None, tmp_path)

    def ask(one, other, *shown):
        with opened.writing() as session:
            session.add_all(LinkRow(one=by, other=to, place=place) for by, to, place in shown)
            session.flush()
            found = are_linked(session, (one, other), 10), are_linked(session, (other, one), 10)
            session.rollback()
        assert found[0] == found[1]
        return found[0]

    yield ask
    opened.close()


def test_who_pays_another_or_lets_them_act_is_one_with_them(linked):
    assert linked(MAIN, SMURF, (SMURF, MAIN, 1))
    assert linked(MAIN, SMURF, (MAIN, SMURF, 1))


def test_so_are_two_that_pay_the_same_wallet(linked):
    assert linked(MAIN, SMURF, (SMURF, WALLET, 1), (MAIN, WALLET, 9))


def test_later_is_too_late(linked):
    assert not linked(MAIN, SMURF, (SMURF, MAIN, 10))
    assert not linked(MAIN, SMURF, (SMURF, WALLET, 1), (MAIN, WALLET, 10))


def test_a_stranger_who_pays_two_makes_them_not_one(linked):
    assert not linked(MAIN, SMURF, (STRANGER, MAIN, 1), (STRANGER, SMURF, 1))


def test_whom_nothing_links(linked):
    assert not linked(MAIN, SMURF)
    assert not linked(MAIN, SMURF, (SMURF, WALLET, 1), (STRANGER, MAIN, 1))
