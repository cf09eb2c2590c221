"""A game's events in order, live and past; what they alone say of the game."""

import json
from dataclasses import replace

import pytest

from fogbound.errors import ChainReset, RecordInvalid
from fogbound.game import Outcome, Phase
from fogbound.history import Cursor, History
from fogbound.records import Proof, Record, read_record, write_record
from fogbound.replay import Replayed, check_payment, replay


@pytest.fixture
def played(chain, seats, open_game, host):
    """A game with a stake, played to its end; its id."""
    game_id = open_game(stake=10**18)
    chain.mine(3)
    seats(host).resign(game_id)
    return game_id


@pytest.fixture
def history(chain, registry):
    deployment = registry.find("Sandbox", chain.chain_id)
    return History(chain, registry.contract(chain, "Sandbox"), deployment.block)


def test_one_game_has_its_own_events_only(history, seats, played, outsider):
    seats(outsider).open(b"", 2)
    names = [event.name for event in history.of_game(played)]
    assert names == ["GameOpened", "SeatTaken", "Resigned", "GameEnded"]
    assert {event.game_id for event in history.events()} == {1, 2}


def test_replay_gives_the_public_state(history, seats, played, host, guest):
    state = replay((event.name, event.arguments) for event in history.of_game(played))
    game = seats(host).game(played)
    assert (state.phase, state.outcome) == (game.phase, game.outcome)
    assert (state.phase, state.outcome) == (Phase.ENDED, Outcome.RESIGNED)
    assert state.players == {0: host.address, 1: guest.address}
    assert state.winners == game.winners == {1}
    assert state.amounts[1] + state.rake == 2 * 10**18


def test_a_follower_goes_on_where_it_stopped(history, seats, played, host):
    first, cursor = history.new_events(history.start())
    assert first[-1].name == "GameEnded"
    assert history.new_events(cursor) == ([], cursor)
    seats(host).open(b"", 2)
    again, later = history.new_events(cursor)
    assert [event.name for event in again] == ["GameOpened"]
    assert later.block > cursor.block


def test_following_live_yields_what_comes(chain, history, seats, played, host):
    chain.idle = lambda: seats(host).open(b"", 2)
    batches = history.follow()
    assert len(next(batches)[0]) == 4
    assert [event.name for event in next(batches)[0]] == ["GameOpened"]


def test_a_follower_notices_another_chain(chain, history):
    with pytest.raises(ChainReset):
        history.new_events(Cursor(1, "0x" + "12" * 32))
    with pytest.raises(ChainReset):
        history.new_events(Cursor(chain.block_number + 50, "0x" + "12" * 32))


def test_a_reorganisation_while_events_are_read_is_noticed(
    chain, history, seats, host, monkeypatch
):
    """Else what was read of the old chain would stay for ever."""
    start = history.start()
    fork = chain.web3.provider.ethereum_tester.take_snapshot()
    lost = seats(host).open(b"", 2)
    true_logs = chain.logs

    def logs(*arguments):
        found = list(true_logs(*arguments))
        chain.web3.provider.ethereum_tester.revert_to_snapshot(fork)
        chain.mine(3)
        monkeypatch.setattr(chain, "logs", true_logs)
        return found

    monkeypatch.setattr(chain, "logs", logs)
    events, cursor = history.new_events(start)
    assert [event.game_id for event in events] == [lost]
    with pytest.raises(ChainReset):
        history.new_events(cursor)


@pytest.fixture
def record(chain, history, seats, played, host):
    address = seats(host).contract.address
    return Record("sandbox", chain.chain_id, address, played, tuple(history.of_game(played)))


def test_a_record_survives_its_file(record, history, tmp_path):
    write_record(record, tmp_path / "game.json")
    again = read_record(tmp_path / "game.json")
    assert again == record
    assert again.check().outcome is Outcome.RESIGNED
    again.compare_with_chain(history)


def test_a_forged_payment_is_noticed(record, history):
    ended = record.events[-1]
    amounts = [2 * 10**18, 0]
    forged = replace(ended, arguments={**ended.arguments, "amounts": amounts, "rake": 1})
    with pytest.raises(RecordInvalid, match="pot"):
        replace(record, events=(*record.events[:-1], forged)).check()
    other = replace(ended, arguments={**ended.arguments, "winners": 1})
    with pytest.raises(RecordInvalid, match="other events"):
        replace(record, events=(*record.events[:-1], other)).compare_with_chain(history)


@pytest.mark.parametrize(
    ("outcome", "winners", "amounts"),
    [
        (Outcome.WON, {0, 2}, (149, 0, 148)),
        (Outcome.TIMED_OUT, {1}, (0, 297, 0)),
        (Outcome.DRAWN, set(), (100, 100, 100)),
        (Outcome.NULL, set(), (99, 99, 99)),
    ],
)
def test_what_each_ending_pays(outcome, winners, amounts):
    """Three stakes of 100 wei: a rake of 3, or 1 held back of each."""
    ended = Replayed(Phase.ENDED, 3, 100, outcome=outcome, winners=winners, amounts=amounts)
    check_payment(ended)
    with pytest.raises(RecordInvalid, match="not paid"):
        check_payment(replace(ended, amounts=(*amounts[:2], amounts[2] + 1)))


def test_nobody_is_paid_for_a_win_of_nobody():
    with pytest.raises(RecordInvalid, match="nobody"):
        check_payment(Replayed(Phase.ENDED, 2, 1, outcome=Outcome.WON, amounts=(2, 0)))


def test_events_out_of_order_or_left_out_are_noticed(record):
    opened, taken, resigned, ended = record.events
    with pytest.raises(RecordInvalid, match="order"):
        replace(record, events=(taken, opened, resigned, ended)).check()
    with pytest.raises(RecordInvalid, match="GameEnded while"):
        replace(record, events=(opened, resigned, ended)).check()
    with pytest.raises(RecordInvalid, match="another game"):
        replace(record, game_id=9).check()


def test_a_proof_that_nobody_signed_is_noticed(record):
    handle = "0x" + "11" * 21 + "ff" + f"{31337:016x}" + "0000"
    unsigned = Proof((handle,), (1,), bytes([1]) + bytes(65) + b"\0")
    with pytest.raises(RecordInvalid, match="no signer"):
        replace(record, proofs=(unsigned,)).check()
    with pytest.raises(RecordInvalid, match="proof 0"):
        replace(record, proofs=(unsigned,), signers=(record.contract,)).check()


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "other"}', '{"format": "x", "a": 1}'])
def test_what_is_no_record_is_a_typed_error(tmp_path, text):
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(RecordInvalid, match=r"bad\.json"):
        read_record(tmp_path / "bad.json")


@pytest.mark.parametrize(
    ("field", "value"),
    [("proofs", {}), ("signers", ""), ("evidence", {}), ("signature", {"hex": "AA bb"})],
)
def test_a_record_is_written_in_one_way_only(record, tmp_path, field, value):
    """Else a changed file would be taken for the same record."""
    write_record(replace(record, signature=b"\xaa\xbb"), tmp_path / "game.json")
    content = json.loads((tmp_path / "game.json").read_text())
    (tmp_path / "bad.json").write_text(json.dumps({**content, field: value}))
    with pytest.raises(RecordInvalid, match="not written"):
        read_record(tmp_path / "bad.json")


def test_a_record_with_a_field_of_another_type(record, tmp_path):
    write_record(record, tmp_path / "game.json")
    content = json.loads((tmp_path / "game.json").read_text())
    content["events"] = 5
    (tmp_path / "bad.json").write_text(json.dumps(content))
    with pytest.raises(RecordInvalid):
        read_record(tmp_path / "bad.json")
