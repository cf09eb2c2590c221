"""Records as files: what is one, what is none, and who has signed it."""

import json
from dataclasses import replace

import pytest
from eth_account import Account

from fogbound.errors import RecordInvalid
from fogbound.game import Outcome
from fogbound.history import History
from fogbound.reasons import RecordReason, TableReason
from fogbound.records import Proof, Record, format_record, parse_record, read_record, write_record
from scripts.testing_rules import SANDBOX

KNOWN = {"sandbox": SANDBOX.events}


@pytest.fixture
def history(chain, registry):
    deployment = registry.find("Sandbox", chain.chain_id)
    return History(chain, registry.contract(chain, "Sandbox"), deployment.block)


@pytest.fixture
def record(chain, history, seats, open_game, host):
    """A game with a stake, which the host resigned."""
    game_id = open_game(stake=10**18)
    client = seats(host)
    client.resign(game_id)
    return Record(
        game="sandbox",
        chain_id=chain.chain_id,
        genesis=chain.block_hash(0),
        contract=client.contract.address,
        game_id=game_id,
        terms=client.terms,
        events=tuple(history.of_game(game_id)),
    ).signed(host)


def refused(text):
    with pytest.raises(RecordInvalid) as caught:
        parse_record(text, KNOWN)
    return caught.value.reason


def test_a_record_survives_its_file(record, history, tmp_path):
    write_record(record, tmp_path / "game.json")
    again = read_record(tmp_path / "game.json", KNOWN)
    assert again == record
    again.check_signature()
    assert again.replay(SANDBOX).table.outcome is Outcome.RESIGNED
    again.compare_with_chain(history)


def test_letter_case_makes_no_other_record(record):
    content = json.loads(format_record(record))
    lower = json.dumps(content).lower().replace("gameopened", "GameOpened")
    for name in ("SeatTaken", "Resigned", "GameEnded"):
        lower = lower.replace(name.lower(), name)
    again = parse_record(lower, KNOWN)
    assert again == record
    again.check_signature()


def test_a_wrong_checksum_is_refused(record):
    address = record.contract
    wrong = address[:2] + address[2:].swapcase()
    assert refused(format_record(record).replace(address, wrong)) is RecordReason.MALFORMED


def test_the_chain_knows_other_events(record, history):
    ended = record.events[-1]
    other = replace(ended, arguments={**ended.arguments, "winners": 1})
    with pytest.raises(RecordInvalid) as caught:
        replace(record, events=(*record.events[:-1], other)).compare_with_chain(history)
    assert caught.value.reason is RecordReason.EVENTS_NOT_ON_CHAIN


def test_a_record_must_hold_its_own_game(record):
    for changed, reason in (
        ({"events": ()}, RecordReason.EMPTY),
        ({"game_id": 9}, TableReason.EVENT_OF_OTHER_GAME),
    ):
        with pytest.raises(RecordInvalid) as caught:
            replace(record, **changed).replay(SANDBOX)
        assert caught.value.reason is reason


@pytest.mark.parametrize("signature", [b"", bytes(65), b"\xff" * 65, b"\x01"])
def test_only_the_exporters_signature_counts(record, signature):
    other = replace(record, exporter=Account.create().address)
    for forged in (replace(record, signature=signature), other, replace(record, exporter=None)):
        with pytest.raises(RecordInvalid) as caught:
            forged.check_signature()
        assert caught.value.reason is RecordReason.SIGNATURE_WRONG


def test_a_proof_that_nobody_signed_is_noticed(record):
    handle = "0x" + "11" * 21 + "ff" + f"{31337:016x}" + "0000"
    unsigned = Proof((handle,), (1,), bytes([1]) + bytes(65) + b"\0")
    for signers, reason in (
        ((), RecordReason.SIGNERS_MISSING),
        ((record.contract,), RecordReason.PROOF_REFUSED),
    ):
        with pytest.raises(RecordInvalid) as caught:
            replace(record, proofs=(unsigned,), signers=signers).check_proofs()
        assert caught.value.reason is reason


DEEP = '{"format": "fogbound-record-2", "evidence": ' + "[" * 90_000 + "]" * 90_000 + "}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", RecordReason.MALFORMED),
        ("{}", RecordReason.MALFORMED),
        ("[]", RecordReason.MALFORMED),
        ('{"format": 1}', RecordReason.MALFORMED),
        ('{"format": "\\ud800"}', RecordReason.MALFORMED),
        (b"\xff\xfe{}", RecordReason.MALFORMED),
        ('{"format": NaN}', RecordReason.MALFORMED),
        (DEEP, RecordReason.MALFORMED),
        ('{"format": "other"}', RecordReason.OTHER_FORMAT),
        ('{"format": "fogbound-record-1", "game": "sandbox"}', RecordReason.OLD_FORMAT),
        (" " * (2 << 20) + "{}", RecordReason.TOO_LARGE),
    ],
)
def test_what_is_no_record(text, reason, tmp_path):
    assert refused(text) is reason
    (tmp_path / "bad.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RecordInvalid, match=r"^bad\.json: .+$"):
        read_record(tmp_path / "bad.json", KNOWN)


def test_what_is_no_file(tmp_path):
    for file in (tmp_path, tmp_path / "none.json", tmp_path / "none" / "none.json"):
        with pytest.raises(RecordInvalid) as caught:
            read_record(file, KNOWN)
        assert caught.value.reason is RecordReason.UNREADABLE_FILE
        assert "\n" not in str(caught.value)


def test_no_game_of_that_name(record):
    content = format_record(record).replace('"sandbox"', '"chess"')
    assert refused(content) is RecordReason.UNKNOWN_GAME
    unknown = format_record(record).replace('"Resigned"', '"GaveUp"')
    assert refused(unknown) is TableReason.EVENT_UNKNOWN


def checked(text):
    record = parse_record(text, KNOWN)
    record.check_signature()
    return record


WRONG = (
    None,
    True,
    -1,
    2**53,
    10**400,
    1.5,
    "",
    "x",
    "-1",
    "01",
    "0x",
    "\ud800",
    [],
    [[]],
    {},
    {"hex": ""},
)


def fields(content, place=()):
    """Where each value of a JSON value is, inner ones too."""
    if place:
        yield place
    pairs = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in pairs if isinstance(content, dict | list) else ():
        yield from (
            fields(value, (*place, key)) if isinstance(value, dict | list) else [(*place, key)]
        )


def with_value(content, place, value):
    """A copy with another value at that place."""
    copy = json.loads(json.dumps(content))
    inner = copy
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return copy


def test_every_field_takes_only_what_is_meant_for_it(record):
    """Each field with each type of JSON: refused with a reason, never by an accident."""
    proof = Proof((record.genesis,), (1,), b"\1")
    whole = replace(record, proofs=(proof,), signers=(record.contract,), evidence=({"a": 1},))
    content = json.loads(format_record(whole))
    tried = 0
    for place in fields(content):
        for value in WRONG:
            text = json.dumps(with_value(content, place, value))
            tried += 1
            with pytest.raises(RecordInvalid):
                checked(text)
    assert tried > 500


def test_a_field_too_much_or_too_few_is_refused(record):
    content = json.loads(format_record(record))
    assert refused(json.dumps({**content, "more": 1})) is RecordReason.MALFORMED
    for name in content:
        less = {key: value for key, value in content.items() if key != name}
        assert refused(json.dumps(less)) is RecordReason.MALFORMED
    event = {**content["events"][0], "arguments": {"id": "1"}}
    assert refused(json.dumps({**content, "events": [event]})) is RecordReason.MALFORMED
