"""Exported games: an honest one passes, and whatever is changed in it is refused with the reason."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battleship.game import GAME
from battleship.reasons import BattleshipReason
from battleship.record import export, verify
from battleship.rules import Attack, Outcome
from fogbound.errors import RecordInvalid
from fogbound.game import Phase
from fogbound.games import installed_events
from fogbound.reasons import Reason, TableReason
from fogbound.records import Record, read_record, write_record
from fogbound.stack import LocalStack
from tests.amount import enough
from tests.battleship.conftest import FLEETS, GUEST, HOST, STAKE, finish
from tests.fogbound.forgery import (
    OF_ANY_GAME,
    Forgery,
    argument,
    changed,
    leaves,
    with_argument,
    with_changed_leaf,
    without,
)


def begun(stack: LocalStack) -> tuple:
    host, guest = (stack.client(GAME, account) for account in (HOST, GUEST))
    game_id = host.open(6, FLEETS[0], stake=STAKE)
    guest.join(game_id, FLEETS[1])
    host.wait_for(game_id, lambda game: game.phase is Phase.PLAYING)
    return host, guest, game_id


@pytest.fixture(scope="module")
def record(stack: LocalStack) -> Record:
    """A game that seat 0 won; both boards were revealed."""
    host, guest, game_id = begun(stack)
    finish((host, guest), game_id, 0)
    host.serve(game_id)
    guest.serve(game_id)
    return export(host, game_id, HOST)


@pytest.fixture(scope="module")
def false_record(stack: LocalStack) -> Record:
    """A game that ended by a false opening of whoever fired second."""
    host, guest, game_id = begun(stack)
    players = (host, guest)
    first = host.game(game_id).on_turn
    players[first].fire(game_id, Attack(5, 5))
    cheat = players[1 - first]
    number, cell, hit, salt, proof, _ = cheat._answer(game_id, cheat.replay(game_id))
    cheat._send("answer", number, cell, not hit, salt, proof, 0)
    players[first].serve(game_id)
    return export(host, game_id, HOST)


def test_an_honest_record_passes(record: Record, tmp_path: Path) -> None:
    write_record(record, tmp_path / "game.json")
    found = verify(read_record(tmp_path / "game.json", installed_events()))
    assert found.game.result == (Outcome.FAIR, 0)
    assert len(record.evidence) == len(found.game.fired) >= 9
    assert set(found.game.revealed) == {0, 1}


def test_a_false_opening_is_shown_by_its_record(false_record: Record) -> None:
    found = verify(false_record)
    assert found.game.cheater == 1 - found.table.first_seat
    assert found.game.result == (Outcome.FAIR, found.table.first_seat)


def test_every_changed_field_is_refused(record: Record, tmp_path: Path) -> None:
    """Each one in turn: whoever changes it cannot sign for the exporter."""
    file = tmp_path / "game.json"
    write_record(record, file)
    whole = file.read_text()
    fields = list(leaves(json.loads(whole)))
    for field in fields:
        file.write_text(with_changed_leaf(whole, field))
        with pytest.raises(RecordInvalid, match=r"\w{3}"):
            verify(read_record(file, installed_events()))
    print(len(fields), "fields")


@settings(max_examples=enough(60, 600))
@given(data=st.data())
def test_a_changed_opening_or_reveal_is_refused_though_it_is_signed_anew(
    record: Record, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """What the proofs prove, no signature makes true."""
    position = data.draw(st.integers(0, len(record.evidence) - 1))
    opening = dict(record.evidence[position])
    field = data.draw(st.sampled_from(["cell", "is_ship", "salt", "proof"]))
    if field == "proof":
        proof = list(opening["proof"])
        level = data.draw(st.integers(0, len(proof) - 1))
        proof[level] = changed(proof[level])
        opening["proof"] = proof
    else:
        opening[field] = changed(opening[field])
    evidence = (*record.evidence[:position], opening, *record.evidence[position + 1 :])
    with pytest.raises(RecordInvalid, match="opening"):
        verify(replace(record, evidence=evidence).signed(GUEST))


def flipped_answer(record: Record) -> Record:
    return with_argument(
        record, "ShotAnswered", hit=not argument(record, "ShotAnswered", "hit"), sunk=0
    )


def lied_about_sinking(record: Record) -> Record:
    sinking = [e.arguments["sunk"] for e in record.events if e.name == "ShotAnswered"]
    return with_argument(
        record, "ShotAnswered", next(i for i, s in enumerate(sinking) if s), sunk=0
    )


FORGERIES: dict[str, tuple[Forgery, set[Reason]]] = {
    **OF_ANY_GAME,
    "a hit called a miss": (
        flipped_answer,
        {BattleshipReason.OPENING_FALSE, TableReason.EVENT_UNCAUSED, TableReason.EVENT_MISSING},
    ),
    "a sunk ship left out": (lied_about_sinking, {BattleshipReason.WRONG_JUDGEMENT}),
    "another root": (
        lambda r: with_argument(r, "BoardCommitted", root=bytes(32)),
        {BattleshipReason.OPENING_FALSE, BattleshipReason.BOARD_NOT_COMMITTED},
    ),
    "another nonce": (
        lambda r: with_argument(r, "BoardCommitted", nonce=99),
        {BattleshipReason.OPENING_FALSE},
    ),
    "another seed": (
        lambda r: with_argument(r, "BoardRevealed", seed=bytes(32)),
        {BattleshipReason.BOARD_NOT_COMMITTED},
    ),
    "another placement": (
        lambda r: with_argument(r, "BoardRevealed", placement=bytes(16)),
        {BattleshipReason.BOARD_NOT_COMMITTED},
    ),
    "an honest board called dishonest": (
        lambda r: with_argument(r, "BoardRevealed", 1, honest=False),
        {BattleshipReason.WRONG_JUDGEMENT},
    ),
    "another winner": (
        lambda r: with_argument(r, "GameEnded", winners=2),
        {TableReason.WRONG_WINNERS},
    ),
    "another ending": (
        lambda r: with_argument(r, "GameEnded", outcome=3),
        {TableReason.WRONG_ENDING},
    ),
    "the pot to the loser": (
        lambda r: with_argument(r, "GameEnded", amounts=argument(r, "GameEnded", "amounts")[::-1]),
        {TableReason.WRONG_PAYMENT},
    ),
    "the rake to the winner": (
        lambda r: with_argument(r, "GameEnded", amounts=[2 * STAKE, 0], rake=0),
        {TableReason.WRONG_PAYMENT},
    ),
    "a third seat": (
        lambda r: with_argument(r, "GameOpened", seats=3),
        {TableReason.WRONG_SEATS},
    ),
    "a guest on no seat": (
        lambda r: with_argument(r, "SeatTaken", seat=4),
        {TableReason.SEAT_REFUSED},
    ),
    "other parameters": (
        lambda r: with_argument(r, "GameOpened", parameters=b"\x06"),
        {BattleshipReason.NOT_BATTLESHIP},
    ),
    "another rake": (
        lambda r: with_argument(r, "GameEnded", rake=0),
        {TableReason.POT_NOT_PAID},
    ),
    "another first seat": (
        lambda r: with_argument(
            r, "FirstSeatDrawn", seat=1 - argument(r, "FirstSeatDrawn", "seat")
        ),
        {TableReason.WRONG_FIRST_SEAT},
    ),
    "another cell": (
        lambda r: with_argument(r, "ShotFired", cell=99),
        {TableReason.RULES_BROKEN},
    ),
    "paid without a proof": (
        lambda r: without(r, "BoardRevealed"),
        {TableReason.EVENT_UNCAUSED},
    ),
    "shots missing": (lambda r: without(r, "ShotFired"), {TableReason.NOT_ON_TURN}),
    "an unasked proof": (lambda r: without(r, "ProofAsked"), {TableReason.EVENT_MISSING}),
    "an opening missing": (
        lambda r: replace(r, evidence=r.evidence[1:]).signed(GUEST),
        {BattleshipReason.OPENINGS_MISSING},
    ),
    "another chain": (
        lambda r: replace(r, chain_id=1).signed(GUEST),
        {BattleshipReason.OPENING_FALSE},
    ),
    "another contract": (
        lambda r: replace(r, contract=GUEST.address).signed(GUEST),
        {BattleshipReason.OPENING_FALSE},
    ),
    "decryptions": (
        lambda r: replace(r, signers=(GUEST.address,)).signed(GUEST),
        {BattleshipReason.DECRYPTIONS_FOUND},
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_record_is_refused_though_it_is_signed(record: Record, name: str) -> None:
    forge, reasons = FORGERIES[name]
    assert refused(forge(record)) in reasons


def refused(record: Record) -> Reason:
    """What it is refused for."""
    with pytest.raises(RecordInvalid) as caught:
        verify(record)
    return caught.value.reason


def test_an_answer_flipped_while_the_board_is_not_revealed_is_refused(stack: LocalStack) -> None:
    """Its opening says otherwise, and nothing else could."""
    host, guest, game_id = begun(stack)
    players = (host, guest)
    first = host.game(game_id).on_turn
    players[first].fire(game_id, Attack(5, 5))
    players[1 - first].serve(game_id)
    unfinished = export(host, game_id, HOST)
    assert not verify(unfinished).game.revealed
    hit = argument(unfinished, "ShotAnswered", "hit")
    forged = with_argument(unfinished, "ShotAnswered", hit=not hit, sunk=0)
    assert refused(forged) is BattleshipReason.OPENING_FALSE


def test_a_cheater_is_asked_for_no_proof(false_record: Record) -> None:
    """As if whoever gained had failed, and then the one who opened falsely had been asked."""
    events = list(false_record.events)
    revealed = next(i for i, event in enumerate(events) if event.name == "BoardRevealed")
    dishonest = {**events[revealed].arguments, "honest": False}
    events[revealed] = replace(events[revealed], arguments=dishonest)
    asked = argument(false_record, "ProofAsked", "seat")
    time = events[revealed].time + false_record.terms.clocks.proof
    arguments = {"id": false_record.game_id, "seat": 1 - asked, "deadline": time}
    proof = replace(events[revealed + 1], name="ProofAsked", arguments=arguments)
    forged = replace(false_record, events=(*events[: revealed + 1], proof)).signed(GUEST)
    assert refused(forged) is TableReason.EVENT_MISSING


def test_a_draw_that_nobody_offered_is_refused(stack: LocalStack) -> None:
    host, guest, game_id = begun(stack)
    for player in (host, guest):
        player.offer_draw(game_id)
    drawn = export(host, game_id, HOST)
    assert verify(drawn).table.amounts == (STAKE, STAKE)
    forged = replace(drawn, events=(*drawn.events[:-2], drawn.events[-1])).signed(GUEST)
    assert refused(forged) is TableReason.EVENT_UNCAUSED


def test_a_seat_that_there_is_not_cannot_resign(stack: LocalStack) -> None:
    host, _, game_id = begun(stack)
    host.resign(game_id)
    resigned = export(host, game_id, HOST)
    assert verify(resigned).game.beneficiary == 1
    assert refused(with_argument(resigned, "Resigned", seat=7)) is TableReason.UNKNOWN_SEAT


def test_a_true_opening_is_not_called_false(record: Record, false_record: Record) -> None:
    opening = dict(false_record.evidence[0])
    opening["is_ship"] = not opening["is_ship"]
    forged = replace(false_record, evidence=(opening,)).signed(GUEST)
    assert refused(forged) is BattleshipReason.OPENING_TRUE


@pytest.mark.parametrize(
    "content", [{}, {"cell": "x"}, {"cell": 1, "is_ship": 1, "salt": "0x", "proof": []}]
)
def test_openings_that_are_none(record: Record, content: dict) -> None:
    evidence = (content, *record.evidence[1:])
    forged = replace(record, evidence=evidence).signed(GUEST)
    assert refused(forged) is BattleshipReason.OPENING_MALFORMED


def test_an_unfinished_game_has_a_record_too(stack: LocalStack) -> None:
    host, guest, game_id = begun(stack)
    first = host.game(game_id).on_turn
    (host, guest)[first].fire(game_id, Attack(1, 1))
    assert verify(export(host, game_id, HOST)).game.result is None
