"""The client: a whole game, answers after a restart, resuming with the key alone, matchmaking, endings."""

import pytest

from battleship.errors import BoardKeysMissing, NothingToAnswer, PlacementLost, WrongFleet
from battleship.fleets import parse_fleet
from battleship.rules import Attack, Outcome
from fogbound.errors import ContractError, NotSeated
from fogbound.game import Outcome as Ending
from fogbound.game import Phase
from fogbound.transactions import account_from_key
from tests.battleship.conftest import FLEETS, GUEST, HOST, OUTSIDER, STAKE, finish
from tests.passing_time import pass_time


@pytest.mark.parametrize("winner", [0, 1])
def test_a_whole_game(open_game, winner):
    host, guest, game_id = open_game()
    players = (host, guest)
    before = players[winner].chain.balance(players[winner].player)
    finish(players, game_id, winner)
    assert host.game(game_id).phase is Phase.PROVING
    assert players[winner].serve(game_id)
    game = host.game(game_id)
    assert (game.phase, game.outcome, game.winners) == (Phase.ENDED, Ending.WON, {winner})
    assert players[winner].chain.balance(players[winner].player) > before + 19 * STAKE // 10
    assert host.result(game_id) == (Outcome.FAIR, winner)
    assert players[1 - winner].serve(game_id)  # the loser shows that they were honest
    assert not any(player.serve(game_id) for player in players)
    assert set(host.replay(game_id).revealed) == {0, 1}


def test_a_lost_browser_goes_on_with_the_key_alone(open_game, client):
    host, guest, game_id = open_game()
    on_turn, other = (host, guest) if host.game(game_id).on_turn == 0 else (guest, host)
    on_turn.fire(game_id, Attack(5, 5))
    fresh = client(other.account)
    assert game_id in [game.id for game in fresh.unfinished()]
    assert fresh.commitment(game_id) == other.commitment(game_id)
    own, theirs = fresh.boards(game_id)
    assert own.fleet == FLEETS[fresh.seat(game_id)]
    assert theirs.fleet is None
    assert fresh.serve(game_id)  # the answer goes out by itself
    assert [str(fired.shot)[:2] for fired in fresh.replay(game_id).fired] == ["35"]
    with pytest.raises(NothingToAnswer):
        fresh.answer(game_id)


def test_a_turn_is_one_transaction(open_game):
    host, guest, game_id = open_game()
    players = (host, guest)
    first = host.game(game_id).on_turn
    players[first].fire(game_id, Attack(0, 0))
    before = host.chain.block_number
    assert not players[1 - first].serve(game_id, at_once=False)
    players[1 - first].fire(game_id, Attack(3, 3))
    assert host.chain.block_number == before + 1
    assert len(host.replay(game_id).fired) == 1


def test_another_wallet_opens_nothing(open_game, client):
    host, _, game_id = open_game()
    thief = client(OUTSIDER)
    with pytest.raises(NotSeated):
        thief.commitment(game_id)
    made, key = host.replay(game_id).committed[0], host.commitment(game_id).game_key
    with pytest.raises(PlacementLost):
        thief.keys.recover(key, made.root, made.sealed)


def test_matchmaking_by_size_and_stake(client):
    host, guest, outsider = client(HOST), client(GUEST), client(OUTSIDER)
    waiting = host.quick_match(6, FLEETS[0], stake=7)
    assert waiting in [game.id for game in guest.lobby()]
    assert waiting not in [game.id for game in host.lobby()]
    assert outsider.quick_match(6, FLEETS[0], stake=8) != waiting
    assert guest.quick_match(6, FLEETS[1], stake=7) == waiting
    game = host.game(waiting)
    assert game.players == (HOST.address, GUEST.address)


def test_a_seat_may_be_taken_with_a_random_fleet(client):
    host, guest = client(HOST), client(GUEST)
    game_id = host.open(10, parse_fleet("CA 0 0 h, BA 0 1 h, CR 0 2 h, SU 0 3 h, DE 0 4 h"))
    guest.join(game_id)
    assert len(guest.commitment(game_id).ship_cells) == 17


def test_an_illegal_fleet_is_refused_before_anything_is_sent(client):
    host = client(HOST)
    before = host.game_count()
    with pytest.raises(WrongFleet):
        host.open(6, FLEETS[0][:1])
    assert host.game_count() == before


def test_two_tabs_take_one_nonce_after_the_other(client, monkeypatch):
    """The second tab has read a nonce that is taken meanwhile: it commits anew."""
    one, two = client(HOST), client(HOST)
    true_commit, stale = two.commit, []

    def late(size, fleet):
        if not stale:
            stale.append(true_commit(size, fleet))
            one.open(6, FLEETS[0])
            return stale[0]
        return true_commit(size, fleet)

    monkeypatch.setattr(two, "commit", late)
    game_id = two.open(6, FLEETS[1])
    assert two.commitment(game_id).game_key.nonce == stale[0][0].game_key.nonce + 1
    assert client(HOST).commitment(game_id).fleet == FLEETS[1]


def test_another_error_of_the_contract_is_not_tried_again(client):
    with pytest.raises(ContractError, match="OpponentIsSelf"):
        client(HOST).open(6, FLEETS[0], opponent=HOST.address)


def test_a_session_key_plays_for_its_player(open_game, stack, client):
    host, guest, game_id = open_game()
    key = account_from_key("0x" + "5e" * 32)
    host.authorize(key, host.chain.now() + 500, gas_money=10**18)
    session = host.with_session(key)
    if host.game(game_id).on_turn != 0:
        guest.fire(game_id, Attack(5, 5))
    session.serve(game_id)
    session.fire(game_id, Attack(0, 0))
    assert session.commitment(game_id) == host.commitment(game_id)
    guest.resign(game_id)
    assert session.serve(game_id)
    assert host.result(game_id) == (Outcome.FAIR, 0)


def test_a_session_key_makes_no_board_keys_of_its_own(client, stack):
    """They would open nothing once the session key is thrown away."""
    host, key = client(HOST), account_from_key("0x" + "5f" * 32)
    alone = type(host)(host.chain, host.contract, key, player=HOST.address)
    with pytest.raises(BoardKeysMissing):
        alone.commit(6, FLEETS[0])
    assert host.with_session(key).commit(6, FLEETS[0])[0].fleet == FLEETS[0]


def test_a_timeout_is_claimed_and_a_missed_proof_closed(open_game, stack):
    host, guest, game_id = open_game()
    players = (host, guest)
    late = host.game(game_id).on_turn
    assert not players[1 - late].tend(game_id)
    pass_time(stack.chain, host.game(game_id).deadline + 1)
    players[1 - late].claim_timeout(game_id)
    assert host.owes_proof(game_id, 1 - late)
    pass_time(stack.chain, host.game(game_id).deadline + 1)
    stack.chain.mine()
    assert players[late].serve(game_id)  # closes the other's clock
    assert players[late].serve(game_id)  # proves their own board
    assert host.result(game_id) == (Outcome.FAILED_TO_PROVIDE_PROOF, late)


def test_the_keeper_closes_what_nobody_proves(open_game, stack):
    host, _, game_id = open_game()
    host.resign(game_id)
    for _ in range(2):
        pass_time(stack.chain, host.game(game_id).deadline + 1)
        stack.chain.mine()
        stack.keeper.tick()
    assert host.game(game_id).outcome is Ending.NULL
    assert host.result(game_id) == (Outcome.NULL, None)
