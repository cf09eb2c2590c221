"""One state machine: what the contracts told is accepted with the state that they had, all else refused."""

import pytest

from battleship.reasons import BattleshipReason
from bunkerwar.reasons import BunkerWarReason
from fogbound import fold
from fogbound.artifacts import artifact
from fogbound.errors import RecordInvalid
from fogbound.events import types_in
from fogbound.fold import Table
from fogbound.game import Outcome
from fogbound.reasons import TableReason
from fogbound.replay import after, replay, start
from scripts.event_files import RULES, events_of, terms_of, vectors
from scripts.make_event_vectors import state

GAMES, REFUSED = vectors("games"), vectors("refused")
OF_EVIDENCE = {
    BunkerWarReason.OTHER_PROOFS,
    BunkerWarReason.HANDLE_MALFORMED,
    BunkerWarReason.HANDLE_OF_OTHER_CHAIN,
    BattleshipReason.DECRYPTIONS_FOUND,
    BattleshipReason.OPENING_MALFORMED,
    BattleshipReason.OPENINGS_MISSING,
    BattleshipReason.OPENING_MISPLACED,
    BattleshipReason.OPENING_TRUE,
    BattleshipReason.OPENING_FALSE,
    BattleshipReason.ANSWERED_ELSEWHERE,
    BattleshipReason.BOARD_NOT_COMMITTED,
    BattleshipReason.WRONG_JUDGEMENT,
}
"""What is wrong not with the events, but with what proves them."""


def title(vector):
    return f"{vector['rules']}: {vector.get('name') or vector['code']}"


@pytest.mark.parametrize("game", GAMES, ids=title)
def test_what_a_contract_told_leads_to_its_state(game):
    played, expected = start(RULES[game["rules"]]), state(Table())
    for event, changes in zip(events_of(game), game["states"], strict=True):
        played = after(played, event, RULES[game["rules"]], terms_of(game))
        expected |= changes
        assert state(played.table) == expected
    assert played.table.phase.final


@pytest.mark.parametrize("vector", REFUSED, ids=title)
def test_what_no_contract_can_have_told_is_refused(vector):
    """And what came before was right, or at least a part of something right."""
    events, rules, terms = events_of(vector), RULES[vector["rules"]], terms_of(vector)
    with pytest.raises(RecordInvalid) as caught:
        replay(events, rules, terms)
    assert caught.value.reason.code == vector["code"]
    if caught.value.reason is not TableReason.BROKEN_OFF:
        played = start(rules)
        for event in events[:-1]:
            played = after(played, event, rules, terms)


def test_every_reason_and_every_ending_has_a_vector():
    reasons = {*TableReason, *BunkerWarReason, *BattleshipReason} - OF_EVIDENCE
    assert {vector["code"] for vector in REFUSED} == {reason.code for reason in reasons}
    outcomes = {each.get("outcome") for game in GAMES for each in game["states"]} - {None}
    assert outcomes == {outcome.name.lower() for outcome in Outcome} - {"none"}
    seen = {event["name"] for game in GAMES for event in game["events"]}
    assert seen >= fold.EVENTS.keys() - {"DrawRescheduled"}
    assert {len(each["players"]) for game in GAMES for each in game["states"][:1]} == {2, 3, 4}


@pytest.mark.parametrize(
    ("contract", "rules"),
    [
        ("Sandbox", "sandbox"),
        ("DiceRace", "race"),
        ("BunkerWar", "bunkerwar"),
        ("Battleship", "battleship"),
    ],
)
def test_the_events_are_typed_as_the_contract_types_them(contract, rules):
    of_accounts = {"Withdrawn", "PoolWithdrawn", "SessionAuthorized", "SessionRevoked"}
    known = {
        name: types
        for name, types in types_in(artifact(contract).abi).items()
        if "id" in types or name in of_accounts
    }
    told = {name: types for name, types in known.items() if name not in of_accounts}
    assert told == {**fold.EVENTS, **RULES[rules].events}
