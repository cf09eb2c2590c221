"""The keeper on the chain in process: draws, waits, budgets, restarts, abuse of its files."""

import threading

import pytest

from fhevm.freshchain import snapshot
from fogbound.bots import play
from fogbound.contracts import Registry
from fogbound.errors import ChainRefused, ChainUnreachable, NotOnTurn
from fogbound.game import Phase
from fogbound.games import TableTerms
from fogbound.history import History
from fogbound.keeper import BLOCKS_AN_HOUR, RESERVED_FROM, Keeper, in_turn
from fogbound.table import Clocks, TableClient, TimeControl
from fogbound.watch import Duty, Watch
from tests.fogbound.sandbox import GAME


@pytest.fixture
def make_keeper(chain, registry, seats, outsider, tmp_path):
    """A keeper, as after a start; it forgets everything but its file."""

    def make(mine_after=0.0, **options):
        first_block = registry.find("Sandbox", chain.chain_id).block
        history = History(chain, seats(outsider).contract, first_block)
        watch = Watch(GAME, seats(outsider), history, tmp_path / "sandbox.json")
        return Keeper(chain, [watch], mine_after=mine_after, threads=False, **options)

    return make


def test_a_draw_is_mined_for_and_settled(make_keeper, seats, open_game, host):
    keeper = make_keeper()
    game_id = open_game()
    keeper.tick()
    keeper.tick()
    assert seats(host).game(game_id).phase is Phase.PLAYING


def test_a_wait_is_resolved(chain, make_keeper, seats, open_game, host, guest):
    keeper = make_keeper()
    game_id = open_game()
    keeper.tick()
    keeper.tick()
    mover = (host, guest)[seats(host).game(game_id).on_turn]
    seats(mover).begin_wait(game_id)
    keeper.tick()
    assert seats(host).game(game_id).phase is Phase.PLAYING


def test_no_block_comes_for_games_that_wait_for_players(chain, make_keeper, seats, host):
    keeper = make_keeper()
    seats(host).open(b"", 2)
    rest = chain.block_number
    for _ in range(5):
        keeper.tick()
    assert chain.block_number == rest


def test_a_clock_that_runs_brings_no_block(chain, make_keeper, open_game):
    keeper = make_keeper()
    open_game()
    for _ in range(3):
        keeper.tick()
    rest = chain.block_number
    for _ in range(20):
        keeper.tick()
    assert chain.block_number == rest


# -- who mines ---------------------------------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch):
    """What the keeper takes for the time."""
    now = [1_000.0]
    monkeypatch.setattr("fogbound.keeper.time.monotonic", lambda: now[0])
    return now


def test_it_mines_only_where_no_block_comes(chain, make_keeper, open_game, clock):
    keeper = make_keeper(mine_after=5.0)
    open_game()
    rest = chain.block_number
    for _ in range(2):
        keeper.tick()
        clock[0] += 4.0
    assert chain.block_number == rest
    clock[0] += 4.0
    keeper.tick()
    assert chain.block_number == rest + 3


def refuse_to_mine(blocks):
    raise ChainRefused("evm_mine is not offered")


@pytest.mark.parametrize("may_try", [True, False])
def test_where_it_cannot_mine_it_says_what_a_draw_waits_for(
    chain, make_keeper, open_game, clock, monkeypatch, caplog, may_try
):
    keeper = make_keeper(mine_after=5.0 if may_try else None)
    monkeypatch.setattr(chain, "mine", refuse_to_mine)
    open_game()
    for _ in range(40):
        keeper.tick()
        clock[0] += 1.0
    told = [line for line in caplog.messages if "no block comes" in line]
    assert len(told) == 1
    assert "--block-time" in told[0]


# -- whom it serves, and for how much ----------------------------------------------------------------


def flood(seats, host, guest, count):
    """Games for nothing, opened by one account."""
    ids = [seats(host).open(b"", 2) for _ in range(count)]
    for game_id in ids:
        seats(guest).join(game_id)
    return ids


def test_many_draws_are_settled_in_one_transaction(
    chain, make_keeper, seats, host, guest, outsider
):
    ids = flood(seats, host, guest, 5)
    keeper = make_keeper()
    keeper.tick()
    before = chain.web3.eth.get_transaction_count(outsider.address)
    keeper.tick()
    assert {seats(host).game(game_id).phase for game_id in ids} == {Phase.PLAYING}
    assert chain.web3.eth.get_transaction_count(outsider.address) - before <= 1


# -- draws that end otherwise ------------------------------------------------------------------------


@pytest.fixture
def secrets(chain, deployer):
    """A table at which a resignation asks for a proof; its history."""
    registry = Registry()
    terms = TableTerms(deployer.address, Clocks(600, 100, 200), (TimeControl(60),))
    block = registry.deploy(chain, deployer, "Secrets", terms.arguments).block
    return History(chain, registry.contract(chain, "Secrets"), block)


@pytest.fixture
def secrets_watch(chain, secrets, outsider):
    return Watch(GAME, TableClient(chain, secrets.contract, outsider), secrets)


@pytest.fixture
def open_secrets(chain, secrets, host, guest):
    """Games whose first seat is to be drawn; their ids."""
    calls = secrets.contract.functions

    def open_and_join(count):
        first = chain.read(calls.gameCount()) + 1
        for game_id in range(first, first + count):
            chain.transact(host, calls.open(bytes(32), 0))
            chain.transact(guest, calls.join(game_id, bytes(32)))
        return list(range(first, first + count))

    return open_and_join


@pytest.fixture
def count_sent(chain, outsider):
    """How many transactions the keeper has sent."""
    return lambda: chain.web3.eth.get_transaction_count(outsider.address)


@pytest.mark.parametrize("is_known", [True, False])
def test_a_game_that_a_resignation_ends_has_no_draw_left(
    chain, make_keeper, seats, open_game, guest, count_sent, is_known
):
    keeper = make_keeper(mine_after=None)
    game_id = open_game()
    if is_known:
        keeper.tick()
    seats(guest).resign(game_id)
    chain.mine(3)
    keeper.tick()
    assert count_sent() == 0
    assert keeper._watches[0].last_draw_block() is None


@pytest.mark.parametrize("is_known", [True, False])
def test_a_game_that_a_resignation_brings_to_its_proof_has_no_draw_left(
    chain, secrets_watch, open_secrets, guest, count_sent, is_known
):
    keeper = Keeper(chain, [secrets_watch], threads=False)
    (game_id,) = open_secrets(1)
    if is_known:
        keeper.tick()
    TableClient(chain, secrets_watch._client.contract, guest).resign(game_id)
    chain.mine(3)
    keeper.tick()
    assert count_sent() == 0
    assert secrets_watch.last_draw_block() is None
    assert secrets_watch._client.game(game_id).phase is Phase.PROVING


def test_resigned_games_do_not_keep_a_draw_waiting_even_where_no_event_tells_of_them(
    chain, secrets_watch, open_secrets, guest, count_sent, monkeypatch
):
    monkeypatch.setattr("fogbound.keeper.BATCH", 2)
    keeper = Keeper(chain, [secrets_watch], threads=False)
    *resigned, honest = open_secrets(6)
    secrets_watch.refresh()
    monkeypatch.setattr(History, "new_events", lambda _, cursor: ([], cursor))
    for game_id in resigned:
        TableClient(chain, secrets_watch._client.contract, guest).resign(game_id)
    chain.mine(3)
    for _ in range(3):
        keeper.tick()
    assert secrets_watch._client.game(honest).phase is Phase.PLAYING
    assert count_sent() == 1


def test_a_draw_of_which_nothing_comes_is_sent_less_and_less(
    chain, secrets_watch, open_secrets, monkeypatch
):
    keeper = Keeper(chain, [secrets_watch], threads=False)
    open_secrets(1)
    chain.mine(3)
    first, sent = chain.block_number, []
    monkeypatch.setattr(
        TableClient, "settle_draws", lambda *_: sent.append(chain.block_number - first)
    )
    for _ in range(20):
        keeper.tick()
        keeper.tick()
        chain.mine(1)
    assert sent == [0, 1, 3, 7, 15]


def test_a_draw_that_was_tried_in_vain_is_settled_at_once_when_rescheduled(
    chain, secrets_watch, open_secrets, monkeypatch, host
):
    keeper = Keeper(chain, [secrets_watch], threads=False)
    (game_id,) = open_secrets(1)
    chain.mine(3)
    with monkeypatch.context() as patch:
        patch.setattr(TableClient, "settle_draws", lambda *_: None)
        for _ in range(7):
            keeper.tick()
            chain.mine(40)
    TableClient(chain, secrets_watch._client.contract, host).reschedule_draw(game_id)
    chain.mine(3)
    keeper.tick()
    assert secrets_watch._client.game(game_id).phase is Phase.PLAYING


def test_games_that_are_only_opened_cost_no_view(make_keeper, seats, host, monkeypatch):
    keeper = make_keeper()
    for _ in range(20):
        seats(host).open(b"", 2)
    looks = []
    monkeypatch.setattr(Watch, "_look", lambda _, game_id: looks.append(game_id))
    keeper.tick()
    assert looks == []


def duty(game_id, creator, stake=0):
    return Duty(game_id, creator, stake, is_draw=True)


def test_the_largest_stake_comes_first_and_then_each_creator_in_turn():
    flooded = [duty(number, "flooder") for number in range(1, 1_001)]
    honest, staked = duty(1_001, "host"), duty(1_002, "flooder", 5)
    found = in_turn([*flooded, honest, staked])
    assert found[:3] == [staked, honest, flooded[0]]
    assert len(found) == 1_002


def test_a_stake_of_next_to_nothing_does_not_pass_a_real_one():
    flooded = [duty(number, f"flooder {number}", 1) for number in range(1, 101)]
    honest, rich = duty(101, "host", 10**15), duty(102, "host", 10**18)
    assert in_turn([*flooded, honest, rich])[:3] == [rich, honest, flooded[0]]


def test_games_for_the_same_stake_are_served_fairly():
    flooded = [duty(number, "flooder", 10**15) for number in range(1, 101)]
    honest = duty(101, "host", 10**15)
    assert in_turn([*flooded, honest])[:3] == [flooded[0], honest, flooded[1]]


def test_when_the_gas_of_the_hour_is_spent_staked_games_are_still_served(
    make_keeper, seats, open_game, host, guest, clock, caplog
):
    keeper = make_keeper(gas_an_hour=1_000_000)
    keeper._gas.spend(600_000)
    more, few_wei = flood(seats, host, guest, 1)[0], open_game(stake=RESERVED_FROM - 1)
    staked = open_game(stake=RESERVED_FROM)
    for _ in range(3):
        keeper.tick()
    assert {seats(host).game(each).phase for each in (more, few_wei)} == {Phase.DRAWING}
    assert seats(host).game(staked).phase is Phase.PLAYING
    assert "this hour's gas is spent" in caplog.text
    clock[0] += 3_600
    keeper.tick()
    assert seats(host).game(more).phase is Phase.PLAYING


@pytest.mark.parametrize("is_restarted", [False, True])
def test_when_half_of_the_blocks_are_mined_only_staked_games_get_more(
    chain, make_keeper, seats, host, guest, open_game, is_restarted
):
    keeper = make_keeper()
    staked = seats(host).open(b"", 2, stake=RESERVED_FROM)
    keeper.tick()
    if is_restarted:  # which remembers no game that only was open
        keeper = make_keeper()
    keeper._blocks.spend(BLOCKS_AN_HOUR / 2 + 10)
    open_game(stake=RESERVED_FROM - 1)
    rest = chain.block_number
    keeper.tick()
    assert chain.block_number == rest
    seats(guest).join(staked)
    keeper.tick()
    assert chain.block_number > rest + 1
    assert keeper._watches[0].last_draw_block(RESERVED_FROM) <= chain.block_number


def test_when_all_blocks_of_the_hour_are_mined_none_comes(chain, make_keeper, open_game, caplog):
    keeper = make_keeper()
    keeper._blocks.spend(BLOCKS_AN_HOUR + 10)
    open_game(stake=RESERVED_FROM)
    rest = chain.block_number
    keeper.tick()
    assert chain.block_number == rest
    assert "this hour's blocks for draws are mined" in caplog.text


@pytest.mark.parametrize("damage", [None, "", "[1]", '{"cursor": {"block": 3}}'])
def test_a_new_keeper_goes_on_whatever_its_file_says(
    make_keeper, seats, open_game, host, tmp_path, damage
):
    game_id = open_game()
    make_keeper().tick()
    if damage is not None:
        (tmp_path / "sandbox.json").write_text(damage)
    successor = make_keeper()
    successor.tick()
    successor.tick()
    assert seats(host).game(game_id).phase is Phase.PLAYING


def test_a_chain_that_was_rewound_is_read_anew(chain, make_keeper, seats, open_game, host):
    go_back = snapshot(chain.web3)
    keeper = make_keeper()
    seats(host).open(b"", 3)
    keeper.tick()
    go_back()
    chain.mine(2)
    game_id = open_game()
    keeper.tick()
    keeper.tick()
    assert seats(host).game(game_id).phase is Phase.PLAYING


def test_two_keepers_do_not_disturb_each_other(make_keeper, seats, open_game, host):
    one, two = make_keeper(), make_keeper()
    game_id = open_game()
    for _ in range(3):
        one.tick()
        two.tick()
    assert seats(host).game(game_id).phase is Phase.PLAYING


def test_running_survives_a_chain_that_is_away(make_keeper, monkeypatch):
    keeper = make_keeper()
    stop, ticks = threading.Event(), []

    def tick():
        ticks.append(1)
        if len(ticks) == 3:
            stop.set()
        raise ChainUnreachable("http://nowhere")

    monkeypatch.setattr("fogbound.keeper.RETRY_SECONDS", 0.01)
    monkeypatch.setattr(keeper, "tick", tick)
    keeper.run(stop)
    assert len(ticks) == 3


def test_bots_play_to_the_end(chain, make_keeper, seats, open_game, host, guest):
    keeper = make_keeper()
    chain.idle = keeper.tick
    game_id = open_game()

    def act(client):
        def move(game):
            if game.move_number < 6:
                client.hand_over(game_id, 1 - game.on_turn)
            else:
                client.win(game_id, game.on_turn)

        return move

    def guest_moves():
        """The guest's one move, whenever it is their turn; the host waits meanwhile."""
        keeper.tick()
        game = seats(guest).game(game_id)
        if game.is_turn_of(guest.address):
            act(seats(guest))(game)

    chain.idle = guest_moves
    game = play(seats(host), game_id, act(seats(host)))
    assert (game.phase, game.move_number >= 6) == (Phase.ENDED, True)


def test_a_bot_gives_up_when_its_move_is_refused_for_ever(
    chain, make_keeper, seats, open_game, host, guest
):
    chain.idle = make_keeper().tick
    game_id = open_game()
    chain.idle()
    chain.idle()
    mover = (host, guest)[seats(host).game(game_id).on_turn]
    refused = seats(guest if mover is host else host)
    with pytest.raises(NotOnTurn):
        play(seats(mover), game_id, lambda game: refused.win(game_id, 0), patience=0.0)


def test_a_duty_with_a_fault_is_told_and_tried_less_and_less(
    make_keeper, seats, open_game, host, guest, monkeypatch, caplog
):
    keeper = make_keeper()
    game_id = open_game()
    keeper.tick()
    keeper.tick()
    mover = (host, guest)[seats(host).game(game_id).on_turn]
    seats(mover).begin_wait(game_id)
    tries, now = [], [0.0]
    monkeypatch.setattr("fogbound.keeper.time.monotonic", lambda: now[0])

    def faulty(*_):
        tries.append(now[0])
        raise KeyError("a fault of the game's code")

    monkeypatch.setattr(Watch, "tend", faulty)
    for _ in range(20):
        keeper.tick()
        now[0] += 1.0
    assert tries == [0, 1, 3, 7, 15]
    assert "a fault of the game's code" in caplog.text
