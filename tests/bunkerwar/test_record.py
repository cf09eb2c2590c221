"""Exported games: an honest one passes, and whatever is changed in it is refused with the reason."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunkerwar.reasons import BunkerWarReason
from bunkerwar.record import export, verify
from bunkerwar.rules import parse_move
from fogbound.errors import RecordInvalid
from fogbound.game import Outcome
from fogbound.games import installed_events
from fogbound.reasons import Reason, RecordReason, TableReason
from fogbound.records import Record, read_record, write_record
from fogbound.stack import LocalStack
from fogbound.steps import End
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
    found = verify(read_record(file, installed_events()))
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
        verify(read_record(file, installed_events()))


def later(record: Record, name: str, seconds: int) -> Record:
    """As if that event and all after it had come so many seconds later."""
    first = next(i for i, event in enumerate(record.events) if event.name == name)
    moved = tuple(replace(event, time=event.time + seconds) for event in record.events[first:])
    return replace(record, events=(*record.events[:first], *moved)).signed(GUEST)


FORGERIES: dict[str, tuple[Forgery, set[Reason]]] = {
    **OF_ANY_GAME,
    "another stop": (
        lambda r: with_argument(r, "MissileResolved", stop=1),
        {TableReason.RULES_BROKEN, BunkerWarReason.OTHER_PROOFS},
    ),
    "another lane": (
        lambda r: with_argument(r, "MissileResolved", lane=1),
        {BunkerWarReason.OTHER_MISSILE},
    ),
    "a missile by the wrong seat": (
        lambda r: with_argument(r, "MissileSent", seat=1 - argument(r, "MissileSent", "seat")),
        {TableReason.NOT_ON_TURN},
    ),
    "a missile that lands for the wrong seat": (
        lambda r: with_argument(
            r, "MissileResolved", seat=1 - argument(r, "MissileResolved", "seat")
        ),
        {BunkerWarReason.OTHER_MISSILE},
    ),
    "a build by no seat": (
        lambda r: with_argument(r, "BuildingPlaced", seat=2),
        {TableReason.UNKNOWN_SEAT},
    ),
    "a lane that no board has": (
        lambda r: with_argument(r, "BuildingPlaced", lane=9),
        {TableReason.RULES_BROKEN},
    ),
    "a lane that is not there": (
        lambda r: with_argument(r, "MissileSent", lane=7),
        {BunkerWarReason.UNKNOWN_LANE},
    ),
    "another result": (
        lambda r: with_argument(
            r, "ResultSettled", result=(argument(r, "ResultSettled", "result") + 1) % 3
        ),
        {TableReason.WRONG_ENDING, TableReason.WRONG_WINNERS},
    ),
    "another result, paid": (
        lambda r: with_result(r, (argument(r, "ResultSettled", "result") + 1) % 3),
        {BunkerWarReason.OTHER_PROOFS},
    ),
    "another first seat": (
        lambda r: with_argument(
            r, "FirstSeatDrawn", seat=1 - argument(r, "FirstSeatDrawn", "seat")
        ),
        {TableReason.WRONG_FIRST_SEAT},
    ),
    "another time": (lambda r: later(r, "FirstSeatDrawn", 1), {TableReason.WRONG_DEADLINE}),
    "no proofs": (lambda r: replace(r, proofs=()).signed(GUEST), {BunkerWarReason.OTHER_PROOFS}),
    "another signer": (
        lambda r: replace(r, signers=(GUEST.address,)).signed(GUEST),
        {RecordReason.PROOF_REFUSED},
    ),
    "another chain": (
        lambda r: replace(r, chain_id=1).signed(GUEST),
        {BunkerWarReason.HANDLE_OF_OTHER_CHAIN},
    ),
    "a missing move": (
        lambda r: without(r, "BuildingPlaced"),
        {TableReason.NOT_ON_TURN, TableReason.RULES_BROKEN, BunkerWarReason.STOP_KNOWN},
    ),
    "no counting": (lambda r: without(r, "CountingStarted"), {TableReason.EVENT_MISSING}),
    "nobody paid": (
        lambda r: replace(r, events=r.events[:-1]).signed(GUEST),
        {TableReason.BROKEN_OFF},
    ),
}


def with_result(record: Record, result: int) -> Record:
    """As if the game had had another result, with all that follows from it."""
    outcome, winners = (Outcome.DRAWN, set()) if result == 2 else (Outcome.WON, {result})
    stake = record.events[0].arguments["stake"]
    amounts = End(outcome, frozenset(winners)).pays(stake, 2)
    told = with_argument(record, "ResultSettled", result=result)
    return with_argument(
        told,
        "GameEnded",
        outcome=outcome.value,
        winners=sum(1 << seat for seat in winners),
        amounts=list(amounts),
        rake=2 * stake - sum(amounts),
    )


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_record_is_refused_though_it_is_signed(record: Record, name: str) -> None:
    forge, reasons = FORGERIES[name]
    with pytest.raises(RecordInvalid) as caught:
        verify(forge(record))
    assert caught.value.reason in reasons
