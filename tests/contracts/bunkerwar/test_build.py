from contextlib import suppress

import pytest
from ape import reverts

from fhevm.errors import NotAllowed
from tests.contracts.bunkerwar.battle import Phase, host_reverts, local
from tests.contracts.bunkerwar.conftest import CLOCKS, CONTROLS

GARBAGE = b"\x01" * 100


def test_everybody_sees_where(contract, open_game):
    battle = open_game()
    seat = battle.seat
    receipt = battle.build(2, 3, bunker=True)
    assert list(receipt.decode_logs(contract.BuildingPlaced)) == [
        contract.BuildingPlaced(battle.id, seat, 2, 3)
    ]
    assert battle.standing(seat) == {(2, 3)}
    assert battle.standing(1 - seat) == set()
    assert battle.seat == 1 - seat
    assert battle.position.left == 31


@pytest.mark.parametrize("bunker", [False, True])
def test_the_builder_alone_decrypts_what(contract, fhevm, open_game, bunker):
    battle = open_game()
    builder = battle.player
    battle.build(0, 0, bunker)
    (handle,) = battle.handles(1 - battle.seat).values()
    read = fhevm.client.user_decrypt([handle], contract.address, local(builder))
    assert read == [bunker]


def test_lanes_and_depths_are_not_mixed_up_on_an_oblong_board(open_game):
    battle = open_game(2, 5)
    seat = battle.seat
    battle.build(1, 4)
    assert battle.standing(seat) == set(battle.handles(seat)) == {(1, 4)}
    cells = battle.contract.boardOf(battle.id, seat)
    assert [len(column) for column in cells] == [5, 5]


@pytest.mark.parametrize("lane", [4, 7, 8, 255])
def test_no_lane_outside_the_board(contract, open_game, lane):
    battle = open_game()
    with reverts(contract.BunkerWar_LaneOutOfRange, id=battle.id, lane=lane, lanes=4):
        battle.build(lane, 0)


@pytest.mark.parametrize("depth", [4, 7, 8, 255])
def test_no_depth_outside_the_board(contract, open_game, depth):
    battle = open_game()
    with reverts(contract.BunkerWar_DepthOutOfRange, id=battle.id, depth=depth, limit=4):
        battle.build(0, depth)


def test_no_build_on_a_building(contract, open_game):
    battle = open_game()
    seat = battle.seat
    battle.play("H a1", "H a1")
    assert battle.seat == seat
    with reverts(contract.BunkerWar_CellOccupied, id=battle.id, lane=0, depth=0):
        battle.build(0, 0)


def test_stacked_builds_need_support(contract, open_game):
    battle = open_game(2, 3, stacked=True)
    with reverts(contract.BunkerWar_CellUnsupported, id=battle.id, lane=0, depth=1):
        battle.build(0, 1)
    battle.play("H a1", "H b1", "H a2")
    assert len(battle.standing(1 - battle.seat)) == 2


def test_a_destroyed_cell_can_be_built_on_again(open_game):
    battle = open_game()
    struck = battle.seat
    battle.play("H a1", "M a", "B a1")
    assert battle.standing(struck) == {(0, 0)}
    assert str(battle.board(struck)).startswith("b")


def test_only_the_player_on_turn_builds(contract, open_game, outsider):
    battle = open_game()
    for stranger in (battle.players[1 - battle.seat], outsider):
        with reverts(contract.Table_NotOnTurn, id=battle.id, account=stranger, onTurn=battle.seat):
            battle.build(0, 0, sender=stranger)


def test_no_build_before_the_draw_or_in_no_game(contract, open_game, host):
    battle = open_game(draw=False)
    handle, proof = battle.encrypt(True, host)
    with reverts(contract.Table_DrawNotYet):
        contract.build(battle.id, 0, 0, handle, proof, sender=host)
    with reverts(contract.Table_UnknownGame, id=999):
        contract.build(999, 0, 0, handle, proof, sender=host)


def test_the_first_move_settles_the_draw(contract, open_game, chain):
    battle = open_game(draw=False)
    chain.mine(battle.turn.mark - chain.blocks.height)
    accepted = 0
    for player in battle.players:
        with suppress(contract.Table_NotOnTurn):
            accepted += bool(battle.build(0, 0, sender=player))
    assert accepted >= 1
    assert battle.position.left == 32 - accepted


def test_no_build_while_a_missile_is_in_flight(contract, open_game):
    battle = open_game()
    battle.play("H a1")
    battle.launch(0)
    handle, proof = battle.encrypt(True)
    with reverts(
        contract.Table_WrongPhase, id=battle.id, current=Phase.WAITING, expected=Phase.PLAYING
    ):
        contract.build(battle.id, 1, 1, handle, proof, sender=battle.player)


def test_an_empty_proof_is_refused_with_any_handle(contract, open_game):
    battle = open_game()
    battle.play("H a1", "H a1")
    own = next(iter(battle.handles(battle.seat).values()))
    for handle in (bytes(32), own):
        with reverts(contract.BunkerWar_EmptyInputProof, id=battle.id):
            contract.build(battle.id, 1, 1, handle, b"", sender=battle.player)


def test_an_input_is_used_once(contract, open_game):
    battle = open_game()
    player = battle.player
    handle, proof = battle.encrypt(True)
    contract.build(battle.id, 0, 0, handle, proof, sender=player)
    battle.skip()
    with reverts(contract.BunkerWar_InputUsed, id=battle.id, input=handle):
        contract.build(battle.id, 1, 1, handle, proof, sender=player)


def test_an_input_is_used_once_over_all_games(contract, open_game):
    first, second = open_game(), open_game()
    second.until(first.seat)
    player = first.player
    handle, proof = first.encrypt(False)
    contract.build(first.id, 0, 0, handle, proof, sender=player)
    with reverts(contract.BunkerWar_InputUsed, id=second.id, input=handle):
        contract.build(second.id, 0, 0, handle, proof, sender=player)


def test_an_input_whose_transaction_failed_was_not_used(contract, open_game):
    """The contract cannot know of it; that the SDK encrypts anew is tested there."""
    battle = open_game()
    handle, proof = battle.encrypt(True)
    with reverts(contract.BunkerWar_LaneOutOfRange):
        contract.build(battle.id, 9, 0, handle, proof, sender=battle.player)
    contract.build(battle.id, 0, 0, handle, proof, sender=battle.player)


@pytest.mark.parametrize(
    ("of", "error"),
    [
        ("another user", "InvalidSigner"),
        ("another contract", "InvalidSigner"),
        ("nobody", "InvalidHandleVersion"),
    ],
)
def test_an_input_made_for_something_else_is_refused(
    contract, project, owner, open_game, of, error
):
    battle = open_game()
    if of == "another user":
        handle, proof = battle.encrypt(True, battle.players[1 - battle.seat])
    elif of == "another contract":
        other = owner.deploy(project.BunkerWar, owner, CLOCKS, CONTROLS)
        handle, proof = battle.encrypt(True, contract=other)
    else:
        handle, proof = battle.encrypt(True)[0], GARBAGE
    before = battle.position
    with host_reverts(error):
        contract.build(battle.id, 0, 0, handle, proof, sender=battle.player)
    assert battle.position == before


def test_an_input_of_another_type_is_refused(contract, fhevm, open_game):
    battle = open_game()
    builder = fhevm.client.encrypt(contract.address, battle.player.address)
    made = builder.add_uint8(7).encrypt()
    with host_reverts("InvalidType"):
        contract.build(battle.id, 0, 0, made.handles[0], made.proof, sender=battle.player)


def test_a_session_key_builds_but_may_not_read(contract, fhevm, open_game, accounts, chain):
    battle = open_game()
    player, key = battle.player, accounts[8]
    until = chain.pending_timestamp + 100
    contract.authorize(key, until, _consent(contract, key, player, until), sender=player)
    battle.build(0, 0, True, sender=key)
    (handle,) = battle.handles(1 - battle.seat).values()
    assert fhevm.client.user_decrypt([handle], contract.address, local(player)) == [True]
    with pytest.raises(NotAllowed):
        fhevm.client.user_decrypt([handle], contract.address, local(key))


def _consent(contract, key, player, until):
    domain = {
        "name": "Fogbound Table",
        "version": "1",
        "chainId": 31337,
        "verifyingContract": contract.address,
    }
    fields = [{"name": "player", "type": "address"}, {"name": "until", "type": "uint256"}]
    message = {"player": player.address, "until": until}
    signed = local(key).sign_typed_data(domain, {"SessionConsent": fields}, message)
    return bytes(signed.signature)


def test_boards_have_two_seats(contract, open_game):
    battle = open_game()
    with reverts(contract.BunkerWar_SeatOutOfRange, seat=2):
        contract.boardOf(battle.id, 2)
    assert battle.contract.boardOf(battle.id, 1) == [[bytes(32)] * 4] * 4
