"""The contract's hashing against the vectors that Python and the browser read too."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battleship.commitment import Commitment, GameKey, depth_of, unpack_fleet
from battleship.errors import BattleshipError
from battleship.fleets import check_fleet, fleet_cells
from tests.amount import enough

VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "battleship-commitment.json").read_text()
)


def placements():
    """Any words; and a legal small fleet, somewhere among zeros, with one word perhaps another."""
    small = st.permutations([0x2000, 0x1020, *[0] * 6])
    nearly = st.tuples(small, st.integers(0, 7), st.integers(0, 0x3FFF)).map(
        lambda drawn: [*drawn[0][: drawn[1]], drawn[2], *drawn[0][drawn[1] + 1 :]]
    )
    return st.one_of(st.lists(st.integers(0, 2**16 - 1), max_size=8), small, nearly)


@pytest.fixture(scope="module")
def probe(project, owner):
    return owner.deploy(project.BoardTreeProbe)


@pytest.mark.parametrize("board", VECTORS["boards"], ids=lambda board: str(board["size"]))
def test_roots_and_proofs(probe, board):
    size, key, root = board["size"], board["game_key"], board["root"]
    found, legal = probe.rootOf(key, board["seed"], board["placement"], size)
    assert (found.hex(), legal) == (root[2:], True)
    assert probe.depthOf(size) == depth_of(size)
    assert probe.fleetCells(size) == fleet_cells(size)
    for opening in board["openings"]:
        arguments = (opening["cell"], opening["is_ship"], opening["salt"], opening["proof"])
        assert probe.rootFrom(key, *arguments).hex() == root[2:]


def test_game_keys_bind_chain_contract_player_nonce_and_size(probe, chain, host):
    for nonce, size in [(0, 6), (1, 6), (0, 10)]:
        key = GameKey(chain.chain_id, probe.address, host.address, nonce, size)
        assert probe.gameKey(host, nonce, size) == key.digest()


@settings(max_examples=enough(40, 400), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=placements(), size=st.sampled_from([6, 8, 10]))
def test_any_sixteen_bytes_are_laid_out_alike(probe, words, size):
    """Whatever a placement says, contract and Python agree on its root and on its being legal."""
    placement = b"".join(word.to_bytes(2) for word in words).ljust(16, b"\0")
    commitment = Commitment(
        GameKey(1, "0x" + "11" * 20, "0x" + "22" * 20, 0, size), placement, bytes(32)
    )
    root, legal = probe.rootOf(commitment.game_key.digest(), bytes(32), placement, size)
    assert root == commitment.root
    try:
        check_fleet(size, unpack_fleet(placement))
        assert legal
    except BattleshipError:
        assert not legal
