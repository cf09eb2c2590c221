"""Exported games: an honest one passes, and whatever is changed in it is refused with the reason."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunkerwar.record import export, verify
from bunkerwar.rules import parse_move
from fogbound.errors import RecordInvalid
from fogbound.game import Outcome
from fogbound.records import Record, read_record, write_record
from fogbound.stack import LocalStack
from tests.bunkerwar.conftest import GUEST, HOST, begin, settled
from tests.fogbound.forgery import (
    OF_ANY_GAME,
    Forgery,
    argument,
    leaves,
    with_argument,
    with_changed_leaf,
    without,
)

MOVES = ("B a2", "H a1", "M a", "H b1", "H a1", "M a", "B b2", "B b2")


@pytest.fixture(scope="module")
def record(clear_stack: LocalStack) -> Record:
    """A 2 × 2 game with two missiles that needed a decryption, and a result."""
    clients, game_id = begin(clear_stack, 2, 2)
    for text in MOVES:
        seat = settled(clients[0], game_id)
        clients[seat].act(game_id, parse_move(text))
    settled(clients[0], game_id)
    return export(clients[0], game_id, HOST)


def test_an_honest_record_passes(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_record(record, file)
    found = verify(read_record(file))
    assert found.table.outcome in (Outcome.WON, Outcome.DRAWN)
    assert [str(played.move)[2:] for played in found.game.played] == [text[2:] for text in MOVES]
    assert len(record.proofs) == 3
    assert found.game.result is not None


def test_a_record_holds_no_hidden_building(record: Record) -> None:
    assert {str(played.move)[0] for played in verify(record).game.played} == {"?", "M"}


@given(data=st.data())
def test_any_changed_field_is_refused(
    record: Record, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.mktemp("record") / "game.json"
    write_record(record, file)
    whole = file.read_text()
    field = data.draw(st.sampled_from(sorted(leaves(json.loads(whole)), key=str)))
    file.write_text(with_changed_leaf(whole, field))
    with pytest.raises(RecordInvalid, match=r"\w{3}"):
        verify(read_record(file))


FORGERIES: dict[str, tuple[Forgery, str]] = {
    **OF_ANY_GAME,
    "another stop": (lambda r: with_argument(r, "MissileResolved", stop=1), "bunker|proofs"),
    "another lane": (lambda r: with_argument(r, "MissileResolved", lane=1), "in flight"),
    "an occupied cell": (lambda r: with_argument(r, "BuildingPlaced", lane=9), "lane|board"),
    "a lane that is not there": (lambda r: with_argument(r, "MissileSent", lane=7), "no such lane"),
    "another result": (
        lambda r: with_argument(
            r, "ResultSettled", result=(argument(r, "ResultSettled", "result") + 1) % 3
        ),
        "proofs",
    ),
    "another first seat": (
        lambda r: with_argument(
            r, "FirstSeatDrawn", seat=1 - argument(r, "FirstSeatDrawn", "seat")
        ),
        "word",
    ),
    "no proofs": (lambda r: replace(r, proofs=()).signed(GUEST), "proofs"),
    "another signer": (lambda r: replace(r, signers=(GUEST.address,)).signed(GUEST), "signed by"),
    "another chain": (lambda r: replace(r, chain_id=1).signed(GUEST), "chain|signed by"),
    "a missing move": (
        lambda r: without(r, "BuildingPlaced"),
        "turn|lane|needs",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_record_is_refused_though_it_is_signed(record: Record, name: str) -> None:
    forge, reason = FORGERIES[name]
    with pytest.raises(RecordInvalid, match=reason):
        verify(forge(record))
