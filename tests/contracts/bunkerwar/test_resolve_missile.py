import pytest
from ape import reverts

from tests.contracts.bunkerwar.battle import Phase, host_reverts
from tests.contracts.bunkerwar.conftest import CONTROLS
from tests.contracts.table.match import pass_time


def fill(battle, lane, kinds):
    """The one on turn builds a lane (base first) while the opponent builds far away; then it is the
    opponent's turn.
    """
    for depth, kind in enumerate(kinds):
        battle.build(lane, depth, kind == "b")
        if depth + 1 < len(kinds):
            battle.skip()


@pytest.mark.parametrize(
    ("kinds", "stop"),
    [("h", 0), ("hhh", 0), ("b", 1), ("bh", 1), ("hbh", 2), ("hbhb", 4), ("bhhh", 1), ("hhb", 3)],
)
def test_it_stops_at_the_outermost_bunker_and_clears_what_it_passed(open_game, kinds, stop):
    battle = open_game()
    struck = battle.seat
    fill(battle, 0, kinds)
    assert battle.strike(0) == stop
    assert battle.standing(struck) == {(0, depth) for depth in range(stop)}
    assert (battle.phase, battle.seat) == (Phase.PLAYING, struck)


@pytest.mark.parametrize(
    ("order", "stop"), [("B a4 H a1", 4), ("B a2 H a4", 2), ("H a3 B a1", 1), ("B a4 B a2", 4)]
)
def test_the_order_of_building_does_not_matter(open_game, order, stop):
    battle = open_game()
    first, second = order[:4], order[5:]
    battle.play(first, "H d1", second)
    assert battle.strike(0) == stop


def test_anyone_resolves(contract, open_game, outsider):
    battle = open_game()
    battle.play("B c2")
    seat = battle.seat
    battle.launch(2)
    receipt = battle.resolve(sender=outsider)
    assert list(receipt.decode_logs(contract.MissileResolved)) == [
        contract.MissileResolved(battle.id, seat, 2, 2)
    ]


def test_a_strike_after_a_strike_and_builds_in_between(open_game):
    battle = open_game(2, 3)
    first = battle.seat
    battle.play("H a1", "H a1", "H a2")
    assert battle.strike(0) == 0
    assert battle.strike(0) == 0
    assert battle.standing(0) == battle.standing(1) == set()
    battle.play("B a2", "H a1")
    assert battle.standing(1 - first) == {(0, 1)}
    assert battle.standing(first) == {(0, 0)}
    assert battle.strike(0) == 0
    assert battle.strike(0) == 2


def test_a_cell_that_was_destroyed_hides_a_new_building(open_game):
    battle = open_game()
    battle.play("H a1", "M a", "B a1", "H b1", "H b1")
    assert battle.strike(0) == 1


def test_a_build_outside_a_known_bunker_hides_the_lane_again(open_game):
    battle = open_game()
    battle.play("B a1", "M a", "B a3", "H a1", "H b1")
    assert battle.strike(0) == 3


def test_a_house_outside_a_known_bunker_is_destroyed(open_game):
    battle = open_game()
    struck = battle.seat
    battle.play("B a2", "M a", "H a4", "H a1", "H b1")
    assert battle.strike(0) == 2
    assert battle.standing(struck) == {(0, 1), (1, 0)}


def test_the_clock_does_not_run_while_a_missile_flies(open_game, chain):
    battle = open_game()
    battle.play("H a1")
    battle.launch(0)
    pass_time(chain, battle.turn.deadline + 100)
    battle.resolve()
    assert battle.turn.deadline == chain.blocks.head.timestamp + CONTROLS[0][0]


def test_nothing_to_resolve(contract, open_game):
    battle = open_game()
    with reverts(contract.Table_WrongPhase, current=Phase.PLAYING, expected=Phase.WAITING):
        contract.resolveMissile(battle.id, 0, b"\0", sender=battle.keeper)
    with reverts(contract.Table_UnknownGame, id=999):
        contract.resolveMissile(999, 0, b"\0", sender=battle.keeper)


def test_the_result_is_not_a_missile(contract, open_game):
    battle = open_game(1, 2)
    battle.play("H a1", "H a1", "H a2", "H a2")
    value, proof = battle.decryption()
    with reverts(contract.BunkerWar_NoMissileInFlight, id=battle.id):
        contract.resolveMissile(battle.id, value, proof, sender=battle.keeper)


class TestForgedProofs:
    """Each of these reverts in Zama's contracts, and the missile stays in flight."""

    @pytest.fixture
    def battle(self, open_game):
        battle = open_game()
        battle.play("B a2")
        battle.launch(0)
        return battle

    def refused(self, battle, stop, proof, error="KMSInvalidSigner"):
        with host_reverts(error):
            battle.contract.resolveMissile(battle.id, stop, proof, sender=battle.keeper)
        assert battle.phase is Phase.WAITING

    @pytest.mark.parametrize("stop", [0, 1, 3, 4, 255])
    def test_another_stop_than_was_signed(self, battle, stop):
        _, proof = battle.decryption()
        self.refused(battle, stop, proof)

    @pytest.mark.parametrize(
        ("proof", "error"),
        [
            (b"", "EmptyDecryptionProof"),
            (b"\0", "KMSZeroSignature"),
            (b"\1" + bytes(66), "ECDSAInvalidSignature"),
            (b"\x02" * 67, "DeserializingDecryptionProofFail"),
        ],
    )
    def test_no_proof(self, battle, proof, error):
        self.refused(battle, 2, proof, error)

    def test_a_proof_for_another_lane(self, battle):
        stop, proof = battle.decryption()
        battle.resolve()
        battle.play("B b3", "H d1", "H d1")
        battle.launch(1)
        self.refused(battle, stop, proof)
        assert battle.resolve()

    def test_a_proof_for_another_game(self, battle, open_game):
        other = open_game()
        other.play("B a2")
        other.launch(0)
        stop, proof = other.decryption()
        assert stop == 2
        self.refused(battle, stop, proof)

    def test_a_stale_proof_for_the_same_lane(self, battle):
        stop, proof = battle.decryption()
        battle.resolve()
        battle.play("B a4", "H d1", "H d1")
        battle.launch(0)
        self.refused(battle, stop, proof)
        battle.resolve()
