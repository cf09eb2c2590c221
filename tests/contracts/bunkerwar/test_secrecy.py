"""Who learns what: the attacks are carried out, and fail."""

from fhevm.errors import NotAllowed
from tests.contracts.bunkerwar.battle import host_reverts, local


def readable(fhevm, contract, handle, account):
    """Whether an account can decrypt a handle for itself."""
    try:
        fhevm.client.user_decrypt([handle], contract.address, local(account))
    except NotAllowed:
        return False
    return True


def published(fhevm, handle):
    """Whether everybody can decrypt a handle."""
    try:
        fhevm.client.public_decrypt([handle])
    except NotAllowed:
        return False
    return True


def computed(receipts):
    """Every handle that the contract's transactions made or were given."""
    words = [
        bytes(log["data"])[i : i + 32]
        for receipt in receipts
        for log in receipt.logs
        for i in range(0, len(bytes(log["data"])), 32)
    ]
    return {word for word in words if word[22:30] == (31337).to_bytes(8) and word[31] == 0}


def test_nobody_but_the_builder_reads_a_building(
    contract, fhevm, open_game, outsider, keeper, owner
):
    battle = open_game()
    builder = battle.player
    battle.play("B a2", "H a1", "H a1", "H b1")
    for handle in battle.handles(battle.players.index(builder)).values():
        assert readable(fhevm, contract, handle, builder)
        assert not published(fhevm, handle)
        others = {*battle.players, outsider, keeper, owner} - {builder}
        assert not any(readable(fhevm, contract, handle, account) for account in others)


def test_only_stops_and_the_result_are_ever_published(contract, fhevm, open_game, outsider):
    battle = open_game(1, 3)
    receipts = [
        battle.build(0, depth, bunker) for depth, bunker in [(1, True), (0, False), (2, False)]
    ]
    receipts.append(battle.launch(0))
    awaited = {bytes(battle.awaited)}
    receipts.append(battle.resolve())
    receipts += [battle.build(0, 0), battle.build(0, 2)]
    awaited.add(bytes(battle.awaited))
    receipts.append(battle.settle())
    handles = computed(receipts)
    assert len(handles) > 20
    assert {handle for handle in handles if published(fhevm, handle)} == awaited
    assert not any(readable(fhevm, contract, handle, outsider) for handle in handles)
    for seat, player in enumerate(battle.players):
        own = {handle for handle in handles if readable(fhevm, contract, handle, player)}
        assert own >= set(battle.handles(seat).values())
        assert not own & set(battle.handles(1 - seat).values())
        assert {handle[30] for handle in own} == {0}  # bits; neither counts nor stops


def test_boards_and_scores_stay_secret_after_the_end(contract, fhevm, open_game, outsider):
    battle = open_game(1, 2)
    battle.play("H a1", "B a1", "H a2", "H a2")
    battle.settle()
    for seat in (0, 1):
        for handle in battle.handles(seat).values():
            assert readable(fhevm, contract, handle, battle.players[seat])
            assert not readable(fhevm, contract, handle, battle.players[1 - seat])
            assert not readable(fhevm, contract, handle, outsider)
            assert not published(fhevm, handle)


def test_what_stands_below_the_bunker_stays_hidden(contract, fhevm, open_game):
    battle = open_game()
    struck = battle.seat
    battle.play("H a1", "H d1", "B a3", "M a")
    handles = battle.handles(struck)
    assert handles.keys() == {(0, 0), (0, 2)}
    other = battle.players[1 - struck]
    assert not any(published(fhevm, handle) for handle in handles.values())
    assert not any(readable(fhevm, contract, handle, other) for handle in handles.values())


def test_a_house_and_a_bunker_look_alike(contract, open_game):
    """Events, public views, gas and the shape of the calldata do not depend on the bit."""
    seen, execution = [], []
    for bunker in (False, True):
        battle = open_game()
        handle, proof = battle.encrypt(bunker)
        seat = battle.seat
        receipt = contract.build(battle.id, 1, 2, handle, proof, sender=battle.player)
        execution.append(receipt.gas_used - calldata_gas(bytes(receipt.data)))
        (placed,) = receipt.decode_logs(contract.BuildingPlaced)
        position = battle.position
        seen.append(
            (
                len(receipt.logs),
                [len(bytes(log["data"])) for log in receipt.logs],
                len(proof),
                (placed.lane, placed.depth),
                position.built[seat],
                position.left,
                position.spent,
            )
        )
    assert seen[0] == seen[1]
    assert execution[0] == execution[1]


def calldata_gas(data):
    """A zero byte is cheaper, and random ciphertext names and signatures have some."""
    return sum(16 if byte else 4 for byte in data)


def test_a_stop_is_not_published_before_a_missile_flies(fhevm, open_game):
    battle = open_game()
    receipt = battle.build(0, 0, True)
    assert not any(published(fhevm, handle) for handle in computed([receipt]))


def test_a_building_cannot_be_brought_in_again_by_the_opponent(contract, open_game):
    """A copied input would be decryptable by the one who copied it."""
    battle, other = open_game(), open_game()
    handle, proof = battle.encrypt(True)
    other.until(1 - battle.seat)
    with host_reverts("InvalidSigner"):
        contract.build(other.id, 0, 0, handle, proof, sender=other.player)
    assert not other.standing(other.seat)
    contract.build(battle.id, 0, 0, handle, proof, sender=battle.player)
