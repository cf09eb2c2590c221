"""The client: errors by name, inputs that are never used again, sessions, what it may read."""

from collections.abc import Callable

import pytest
from eth_account import Account

from bunkerwar.errors import NoMissileInFlight
from bunkerwar.rules import Board, Build, Cell, HiddenInformation
from fogbound.errors import ContractError, NotOnTurn, NotSeated, WrongPhase
from fogbound.stack import LocalStack
from tests.bunkerwar.conftest import GAME, OUTSIDER, settled

Opened = Callable[..., tuple[tuple, int]]


def on_turn(clients: tuple, game_id: int):
    """The client on turn, and the other one."""
    seat = settled(clients[0], game_id)
    return clients[seat], clients[1 - seat]


def test_each_attempt_to_build_is_encrypted_anew(open_game: Opened) -> None:
    clients, game_id = open_game()
    player, _ = on_turn(clients, game_id)
    seen: list[bytes] = []
    encrypt = player.fhevm.attest

    def remember(values, binding):
        made = encrypt(values, binding)
        seen.extend(made.handles)
        return made

    player.fhevm.attest = remember
    try:
        with pytest.raises(ContractError, match="BunkerWar_LaneOutOfRange"):
            player.build(game_id, 7, 0, bunker=True)
        player.build(game_id, 0, 0, bunker=True)
    finally:
        del player.fhevm.attest
    assert len(seen) == len(set(seen)) == 2


def test_refusals_come_by_name(open_game: Opened) -> None:
    clients, game_id = open_game()
    player, other = on_turn(clients, game_id)
    with pytest.raises(NotOnTurn):
        other.build(game_id, 0, 0, bunker=False)
    with pytest.raises(WrongPhase):
        player._send("resolveMissile", game_id, 0, b"\0")
    player.send_missile(game_id, 0)
    other.build(game_id, 0, 0, bunker=False)
    with pytest.raises(ContractError, match="BunkerWar_MissileNotArmed"):
        player.send_missile(game_id, 0)


def test_what_zamas_contracts_refuse_comes_by_their_names(open_game: Opened) -> None:
    clients, game_id = open_game()
    player, other = on_turn(clients, game_id)
    address = player.contract.address
    stolen = other.fhevm.encrypt(address, other.account.address).add_bool(True).encrypt()
    with pytest.raises(ContractError, match="InvalidSigner"):
        player._send("build", game_id, 0, 0, stolen.handles[0], stolen.proof)
    player.build(game_id, 0, 0, bunker=True)
    other.send_missile(game_id, 0)
    proof = player.fhevm.public_decrypt([player._view("awaitedOf", game_id)]).proof
    for name, forged in {
        "EmptyDecryptionProof": b"",
        "KMSInvalidSigner": proof,  # signed for another stop
    }.items():
        with pytest.raises(ContractError, match=name):
            player._send("resolveMissile", game_id, 0, forged)
    assert player.resolve_missile(game_id) == 1


def test_a_result_is_not_a_missile(open_game: Opened) -> None:
    clients, game_id = open_game(1, 2)
    for depth in (0, 0, 1, 1):
        on_turn(clients, game_id)[0].build(game_id, 0, depth, bunker=False)
    with pytest.raises(NoMissileInFlight):
        clients[0]._send("resolveMissile", game_id, 0, b"\0")
    assert clients[0].settle(game_id) == 2


def test_a_session_key_plays_and_its_player_reads(open_game: Opened) -> None:
    clients, game_id = open_game()
    player, _ = on_turn(clients, game_id)
    key = Account.create()
    player.authorize(key, player.chain.now() + 1000, gas_money=10**18)
    session = player.with_session(key)
    session.act(game_id, Build(1, 1, Cell.BUNKER))
    assert session.own_board(game_id) == player.own_board(game_id) == Board.parse("../.b")


def test_an_outsider_sees_no_more_than_the_public(
    clear_stack: LocalStack, open_game: Opened
) -> None:
    clients, game_id = open_game()
    player, _ = on_turn(clients, game_id)
    player.build(game_id, 0, 0, bunker=True)
    outsider = clear_stack.client(GAME, OUTSIDER)
    with pytest.raises(NotSeated):
        outsider.view(game_id)
    state = outsider.replay(game_id).position
    with pytest.raises(HiddenInformation):
        _ = state.boards[1 - state.turn].score
