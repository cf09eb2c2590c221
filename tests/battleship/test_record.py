"""Exported games: an honest one passes, and whatever is changed in it is refused with the reason."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battleship.game import GAME
from battleship.record import export, verify
from battleship.rules import Attack, Outcome
from fogbound.errors import RecordInvalid
from fogbound.game import Phase
from fogbound.records import Record, read_record, write_record
from fogbound.stack import LocalStack
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
    found = verify(read_record(tmp_path / "game.json"))
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
            verify(read_record(file))
    print(len(fields), "fields")


@settings(max_examples=60)
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


FORGERIES: dict[str, tuple[Forgery, str]] = {
    **OF_ANY_GAME,
    "a hit called a miss": (flipped_answer, "opening|fair|proofs|paid|nothing to prove|shooting"),
    "a sunk ship left out": (lied_about_sinking, "judged wrongly"),
    "another root": (
        lambda r: with_argument(r, "BoardCommitted", root=bytes(32)),
        "opening|revealed",
    ),
    "another nonce": (lambda r: with_argument(r, "BoardCommitted", nonce=99), "opening"),
    "another seed": (lambda r: with_argument(r, "BoardRevealed", seed=bytes(32)), "committed"),
    "another placement": (
        lambda r: with_argument(r, "BoardRevealed", placement=bytes(16)),
        "committed",
    ),
    "an honest board called dishonest": (
        lambda r: with_argument(r, "BoardRevealed", 1, honest=False),
        "judged wrongly",
    ),
    "another winner": (lambda r: with_argument(r, "GameEnded", winners=2), "proofs say"),
    "another ending": (lambda r: with_argument(r, "GameEnded", outcome=3), "proofs say"),
    "the pot to the loser": (
        lambda r: with_argument(r, "GameEnded", amounts=argument(r, "GameEnded", "amounts")[::-1]),
        "paid",
    ),
    "the rake to the winner": (
        lambda r: with_argument(r, "GameEnded", amounts=[2 * STAKE, 0], rake=0),
        "paid",
    ),
    "a third seat": (lambda r: with_argument(r, "GameOpened", seats=3), "game is open"),
    "a guest on no seat": (lambda r: with_argument(r, "SeatTaken", seat=4), "no seat 4"),
    "other parameters": (
        lambda r: with_argument(r, "GameOpened", parameters=b"\x06"),
        "a game of Battleship",
    ),
    "another rake": (lambda r: with_argument(r, "GameEnded", rake=0), "pot"),
    "another first seat": (
        lambda r: with_argument(
            r, "FirstSeatDrawn", seat=1 - argument(r, "FirstSeatDrawn", "seat")
        ),
        "word",
    ),
    "another cell": (lambda r: with_argument(r, "ShotFired", cell=99), "attack"),
    "paid without a proof": (lambda r: without(r, "BoardRevealed"), "proved"),
    "shots missing": (lambda r: without(r, "ShotFired"), "nobody asked"),
    "an unasked proof": (lambda r: without(r, "ProofAsked"), "no board to prove"),
    "an opening missing": (
        lambda r: replace(r, evidence=r.evidence[1:]).signed(GUEST),
        "as many openings",
    ),
    "another chain": (lambda r: replace(r, chain_id=1).signed(GUEST), "opening"),
    "another contract": (lambda r: replace(r, contract=GUEST.address).signed(GUEST), "opening"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_record_is_refused_though_it_is_signed(record: Record, name: str) -> None:
    forge, reason = FORGERIES[name]
    with pytest.raises(RecordInvalid, match=reason):
        verify(forge(record))


def test_a_draw_that_nobody_offered_is_refused(stack: LocalStack) -> None:
    host, guest, game_id = begun(stack)
    for player in (host, guest):
        player.offer_draw(game_id)
    drawn = export(host, game_id, HOST)
    assert verify(drawn).table.amounts == (STAKE, STAKE)
    with pytest.raises(RecordInvalid, match="not both"):
        verify(replace(drawn, events=(*drawn.events[:-2], drawn.events[-1])).signed(GUEST))


def test_a_seat_that_there_is_not_cannot_resign(stack: LocalStack) -> None:
    host, _, game_id = begun(stack)
    host.resign(game_id)
    resigned = export(host, game_id, HOST)
    assert verify(resigned).game.beneficiary == 1
    with pytest.raises(RecordInvalid, match="no seat 7"):
        verify(with_argument(resigned, "Resigned", seat=7))


def test_a_true_opening_is_not_called_false(record: Record, false_record: Record) -> None:
    opening = dict(false_record.evidence[0])
    opening["is_ship"] = not opening["is_ship"]
    forged = replace(false_record, evidence=(opening,)).signed(GUEST)
    with pytest.raises(RecordInvalid, match="opened truly"):
        verify(forged)


@pytest.mark.parametrize(
    "content", [{}, {"cell": "x"}, {"cell": 1, "is_ship": 1, "salt": "0x", "proof": []}]
)
def test_openings_that_are_none(record: Record, content: dict) -> None:
    evidence = (content, *record.evidence[1:])
    with pytest.raises(RecordInvalid, match="none"):
        verify(replace(record, evidence=evidence).signed(GUEST))


def test_an_unfinished_game_has_a_record_too(stack: LocalStack) -> None:
    host, guest, game_id = begun(stack)
    first = host.game(game_id).on_turn
    (host, guest)[first].fire(game_id, Attack(1, 1))
    assert verify(export(host, game_id, HOST)).game.result is None
