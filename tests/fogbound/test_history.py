"""A game's events in order, live and past."""

import pytest

from fhevm.freshchain import snapshot
from fogbound.errors import ChainReset
from fogbound.history import Cursor, History


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


def without_times(logs):
    """As of a node that does not tell a block's time with its logs."""
    return [{key: log[key] for key in log if key != "blockTimestamp"} for log in logs]


def test_one_game_has_its_own_events_only(history, seats, played, outsider):
    seats(outsider).open(b"", 2)
    names = [event.name for event in history.of_game(played)]
    assert names == ["GameOpened", "SeatTaken", "Resigned", "GameEnded"]
    assert {event.game_id for event in history.events()} == {1, 2}


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
    """Else what was read of the old chain would stay for ever: by its blocks, or by their times."""
    start = history.start()
    go_back = snapshot(chain.web3)
    lost = seats(host).open(b"", 2)
    true_logs = chain.logs

    def logs(*arguments):
        found = without_times(true_logs(*arguments))
        go_back()
        chain.mine(3)
        monkeypatch.setattr(chain, "logs", true_logs)
        return found

    monkeypatch.setattr(chain, "logs", logs)
    with pytest.raises(ChainReset):
        history.new_events(start)
    assert history.of_game(lost) == []


def test_a_reorganisation_is_noticed_where_logs_tell_their_time(
    chain, history, seats, host, monkeypatch
):
    start = history.start()
    go_back = snapshot(chain.web3)
    lost = seats(host).open(b"", 2)
    true_logs = chain.logs

    def logs(*arguments):
        found = [{**log, "blockTimestamp": "0x65"} for log in true_logs(*arguments)]
        go_back()
        chain.mine(3)
        monkeypatch.setattr(chain, "logs", true_logs)
        return found

    monkeypatch.setattr(chain, "logs", logs)
    events, cursor = history.new_events(start)
    assert [event.game_id for event in events] == [lost]
    with pytest.raises(ChainReset):
        history.new_events(cursor)


def test_the_time_of_an_event_is_its_blocks(chain, history, played):
    """A node that tells it with the log is not asked for the block."""
    events = history.of_game(played)
    times = [chain.block(event.block).timestamp for event in events]
    assert [event.time for event in events] == times
    asked = []
    true_logs, true_block = chain.logs, chain.block
    chain.block = lambda number: asked.append(number) or true_block(number)
    chain.logs = lambda *given: without_times(true_logs(*given))
    untold = History(chain, history.contract)
    assert untold.events() == untold.events() == events
    assert sorted(asked) == sorted({event.block for event in events})  # each once
    asked.clear()
    chain.logs = lambda *given: ({**log, "blockTimestamp": "0x65"} for log in true_logs(*given))
    told = History(chain, history.contract).events()
    assert ({event.time for event in told}, asked) == ({0x65}, [])


@pytest.mark.parametrize("longer", [0, 1])
def test_a_reorganisation_to_a_chain_as_long_or_longer_is_noticed(
    chain, history, seats, host, guest, longer
):
    """The block that was read last is still there, and another one."""
    go_back = snapshot(chain.web3)
    game_id = seats(host).open(b"", 2, stake=1)
    assert history.of_game(game_id)[0].arguments["creator"] == host.address
    _, cursor = history.new_events(history.start())
    go_back()
    assert seats(guest).open(b"", 2, stake=2) == game_id
    chain.mine(longer)
    assert [event.arguments["creator"] for event in history.of_game(game_id)] == [guest.address]
    with pytest.raises(ChainReset):
        history.new_events(cursor)
