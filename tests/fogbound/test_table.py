"""The table's client against the test game: every call, and the abuse that fails by name."""

import pytest
from eth_account import Account

from fogbound.errors import (
    AlreadySeated,
    ContractError,
    DeadlineNotPassed,
    DrawNotYet,
    NotInvited,
    NotOnTurn,
    NotSeated,
    SessionEnded,
    WaitTimeout,
    WrongPhase,
)
from fogbound.game import Outcome, Phase
from fogbound.table import Clocks, TimeControl

ETHER = 10**18


def drawn(chain, seats, account, game_id):
    """Bring a full game to its first move; whose turn it is."""
    chain.mine(3)
    seats(account).settle_draw(game_id)
    return seats(account).game(game_id)


def test_opening_takes_the_first_seat_and_pays(seats, host, guest):
    game_id = seats(host).open(b"", 3, stake=ETHER)
    game = seats(guest).game(game_id)
    assert game.phase is Phase.OPEN
    assert game.players == (host.address, None, None)
    assert (game.stake, game.seat_of(host.address)) == (ETHER, 0)
    assert seats(host).game_count() == 1


def test_nobody_takes_two_seats(seats, host):
    game_id = seats(host).open(b"", 2)
    with pytest.raises(AlreadySeated):
        seats(host).join(game_id)


def test_a_challenge_is_for_one_opponent(seats, host, guest, outsider):
    game_id = seats(host).open(b"", 2, opponent=guest.address)
    with pytest.raises(NotInvited):
        seats(outsider).join(game_id)
    seats(guest).join(game_id)
    assert seats(host).game(game_id).phase is Phase.DRAWING


def test_leaving_and_cancelling_before_the_start(chain, seats, host, guest, outsider):
    game_id = seats(host).open(b"", 3, stake=5)
    seats(guest).join(game_id)
    seats(guest).leave_seat(game_id)
    assert seats(host).game(game_id).players[1] is None
    with pytest.raises(NotSeated):
        seats(outsider).leave_seat(game_id)
    seats(host).cancel(game_id)
    assert seats(host).game(game_id).phase is Phase.CANCELLED
    assert chain.balance(seats(host).contract.address) == 0


def test_quick_match_joins_who_waits_longest(seats, host, guest):
    first = seats(host).quick_match(b"", 2, stake=7)
    assert seats(guest).quick_match(b"", 2, stake=7) == first
    assert seats(guest).quick_match(b"", 2, stake=7) != first


def test_a_game_has_one_of_the_contracts_time_controls(seats, host, guest):
    assert seats(host).clocks() == Clocks(wait=600, notice=100, proof=200)
    assert seats(host).time_controls() == (TimeControl(60, 3), TimeControl(300, 1))
    usual, fast = seats(host).open(b"", 2), seats(host).open(b"", 2, control=0)
    assert [seats(guest).game(game_id).control for game_id in (usual, fast)] == [1, 0]
    with pytest.raises(ContractError, match="Table_ControlOutOfRange"):
        seats(host).open(b"", 2, control=2)


def test_quick_match_never_mixes_time_controls(seats, host, guest, outsider):
    fast, usual = seats(host).quick_match(b"", 2, control=0), seats(host).quick_match(b"", 2)
    assert seats(guest).quick_match(b"", 2) == usual != fast
    assert seats(outsider).quick_match(b"", 2, control=0) == fast


def test_many_draws_are_settled_at_once(chain, seats, open_game, host, outsider):
    drawing = [open_game() for _ in range(3)]
    opened = seats(host).open(b"", 2)
    chain.mine(3)
    seats(outsider).settle_draws([opened, *drawing, 999])
    phases = [seats(host).game(game_id).phase for game_id in (opened, *drawing)]
    assert phases == [Phase.OPEN, Phase.PLAYING, Phase.PLAYING, Phase.PLAYING]


def test_a_claim_is_estimated_in_the_block_to_come(travel, seats, game_on):
    """A chain on which nothing happens has no newer block, however late it is."""
    game_id, mover, other = game_on
    travel(seats(mover).game(game_id).deadline)
    assert seats(mover).seconds_left(game_id) < 0
    seats(other).claim_timeout(game_id)
    assert seats(mover).game(game_id).outcome is Outcome.TIMED_OUT


def test_a_player_finds_his_games_and_those_he_may_join(seats, host, guest, outsider):
    ended, left, challenge = (
        seats(host).open(b"", 2),
        seats(host).open(b"", 3),
        seats(host).open(b"", 2, opponent=outsider.address),
    )
    assert [game.id for game in seats(guest).lobby()] == [ended, left]
    for game_id in (ended, left):
        seats(guest).join(game_id)
    seats(guest).leave_seat(left)
    seats(guest).resign(ended)
    assert [game.id for game in seats(guest).games()] == [ended, left]
    assert seats(guest).unfinished() == []
    assert [game.id for game in seats(host).unfinished()] == [left, challenge]
    assert [game.id for game in seats(outsider).lobby()] == [left, challenge]


def test_the_draw_is_not_yet_and_then_settled(chain, seats, open_game, host):
    game_id = open_game()
    with pytest.raises(DrawNotYet):
        seats(host).settle_draw(game_id)
    game = drawn(chain, seats, host, game_id)
    assert game.phase is Phase.PLAYING
    assert game.deadline == chain.newest().timestamp + 300  # the usual time control
    assert 290 <= seats(host).seconds_left(game_id) <= 300


def test_a_missed_draw_is_rescheduled(chain, seats, open_game, host):
    game_id = open_game()
    chain.mine(260)
    game = seats(host).game(game_id)
    assert seats(host).settle_draw_if_due(game)
    assert seats(host).game(game_id).mark > game.mark


def test_waiting_for_the_turn_settles_the_draw(chain, seats, open_game, host, guest):
    chain.idle = chain.mine
    game_id = open_game()
    waiting = seats(host).wait_for(game_id, lambda game: game.mark < chain.block_number)
    assert seats(guest).settle_draw_if_due(waiting)
    assert not seats(host).settle_draw_if_due(waiting)
    on_turn = seats(host).game(game_id).on_turn
    mover = (host, guest)[on_turn]
    assert seats(mover).wait_for_turn(game_id).on_turn == on_turn


@pytest.fixture
def game_on(chain, seats, open_game, host, guest):
    """A game under way: its id, who is on turn, who is not."""
    game_id = open_game(stake=ETHER)
    first = drawn(chain, seats, host, game_id).on_turn
    return game_id, *((host, guest) if first == 0 else (guest, host))


def test_only_the_player_on_turn_moves(seats, game_on):
    game_id, mover, other = game_on
    with pytest.raises(NotOnTurn):
        seats(other).win(game_id, 0)
    seats(mover).hand_over(game_id, seats(other).game(game_id).seat_of(other.address))
    assert seats(other).wait_for_turn(game_id).is_turn_of(other.address)


def test_the_winner_is_paid_at_once(chain, seats, game_on):
    game_id, mover, _ = game_on
    seat = seats(mover).game(game_id).seat_of(mover.address)
    before = chain.balance(mover.address)
    seats(mover).win(game_id, seat)
    game = seats(mover).game(game_id)
    assert (game.outcome, game.winners) == (Outcome.WON, {seat})
    assert chain.balance(mover.address) > before + 197 * ETHER // 100


def test_resigning(seats, game_on, outsider):
    game_id, mover, other = game_on
    with pytest.raises(NotSeated):
        seats(outsider).resign(game_id)
    seats(other).resign(game_id)
    assert seats(mover).game(game_id).outcome is Outcome.RESIGNED


def test_a_draw_needs_both(seats, game_on):
    game_id, mover, other = game_on
    seats(mover).offer_draw(game_id)
    assert seats(mover).game(game_id).consents == {
        seats(mover).game(game_id).seat_of(mover.address)
    }
    seats(other).offer_draw(game_id)
    assert seats(mover).game(game_id).outcome is Outcome.DRAWN


def test_the_clock_and_the_claim(travel, seats, game_on):
    game_id, mover, other = game_on
    with pytest.raises(DeadlineNotPassed):
        seats(other).claim_timeout(game_id)
    seats(mover).keep_alive(game_id)
    assert sum(seats(mover).game(game_id).keep_alives) == 1
    travel(seats(other).game(game_id).deadline)
    seats(other).claim_timeout(game_id)
    assert seats(mover).game(game_id).outcome is Outcome.TIMED_OUT
    with pytest.raises(WrongPhase):
        seats(other).claim_timeout(game_id)


def test_a_wait_that_lasts_is_voided(travel, seats, game_on, outsider):
    game_id, mover, _ = game_on
    seats(mover).begin_wait(game_id)
    with pytest.raises(ContractError, match="Table_VoidTooEarly"):
        seats(outsider).announce_void(game_id)
    travel(seats(mover).game(game_id).mark + 600)
    seats(outsider).announce_void(game_id)
    assert seats(mover).game(game_id).void_announced
    travel(seats(mover).game(game_id).mark + 100)
    seats(outsider).void_game(game_id)
    assert seats(mover).game(game_id).outcome is Outcome.VOIDED


def test_a_session_key_plays_for_its_player(chain, seats, game_on):
    game_id, mover, other = game_on
    key = Account.create()
    until = chain.now() + 800
    seats(mover).authorize(key, until, gas_money=ETHER)
    session = seats(other).session(key.address)
    assert (session.player, session.until) == (mover.address, until)
    keyed = seats(mover).with_session(key)
    assert keyed.wait_for_turn(game_id).is_turn_of(keyed.player)
    keyed.keep_alive(game_id)
    seats(mover).revoke(key.address)
    with pytest.raises(SessionEnded):
        keyed.keep_alive(game_id)


def test_consent_is_bound_to_the_player_and_the_end(seats, host, outsider):
    key = Account.create()
    until = 2**40
    consent = seats(host).sign_consent(key, until)
    with pytest.raises(ContractError, match="Table_ConsentInvalid"):
        seats(outsider)._send("authorize", key.address, until, consent)
    with pytest.raises(ContractError, match="Table_ConsentInvalid"):
        seats(host)._send("authorize", key.address, until + 1, consent)
    assert seats(host).session(key.address) is None


def test_nothing_to_withdraw(seats, host):
    assert seats(host).credit() == 0
    with pytest.raises(ContractError, match="Table_NothingToWithdraw"):
        seats(host).withdraw()


def test_waiting_in_vain_for_a_turn(seats, game_on):
    game_id, _, other = game_on
    with pytest.raises(WaitTimeout, match=f"turn in game {game_id}"):
        seats(other).wait_for_turn(game_id, seconds=0.1)


def test_an_unknown_game_is_none(seats, host):
    assert seats(host).game(99).phase is Phase.NONE
