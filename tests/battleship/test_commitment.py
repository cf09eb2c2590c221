"""Commitments: vectors, proofs, packing, seeds and seals."""

import json
from pathlib import Path
from random import Random

import pytest
from eth_account import Account
from hypothesis import given
from hypothesis import strategies as st

from battleship.board_keys import WARNING, BoardKeys, account_signer, typed_data
from battleship.bots import random_fleet
from battleship.commitment import (
    Commitment,
    GameKey,
    Opening,
    covered,
    leaf,
    pack_fleet,
    unpack_fleet,
)
from battleship.errors import MalformedPlacement, PlacementLost, ShipsOverlap
from battleship.fleets import SIZES, Kind, Ship, parse_fleet

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "battleship-commitment.json").read_text()
)
CONTRACT, PLAYER = VECTORS["contract"], VECTORS["player"]
FLEET = parse_fleet("CR 0 0 h, DE 2 2 v")
KEYS = BoardKeys(bytes(range(32)), recoverable=True)


def raw(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("0x"))


def key_of(size=6, nonce=0, **changed) -> GameKey:
    return GameKey(
        **{"chain_id": 1, "contract": CONTRACT, "player": PLAYER, "nonce": nonce, "size": size}
        | changed
    )


def test_the_vectors_secret_comes_from_the_wallet() -> None:
    account = Account.from_key(VECTORS["private_key"])
    sign, deployment = account_signer(account), raw(VECTORS["deployment"])
    keys = BoardKeys.from_wallet(sign, VECTORS["chain_id"], CONTRACT, deployment)
    assert (keys.secret, keys.recoverable) == (raw(VECTORS["secret"]), True)


@pytest.mark.parametrize("board", VECTORS["boards"], ids=lambda board: str(board["size"]))
def test_vectors(board: dict) -> None:
    keys = BoardKeys(raw(VECTORS["secret"]), recoverable=True)
    key = GameKey(VECTORS["chain_id"], CONTRACT, PLAYER, board["nonce"], board["size"])
    assert key.digest() == raw(board["game_key"])
    commitment, sealed = keys.commit(
        key, parse_fleet(board["fleet"]), lambda count: raw(board["fresh"])
    )
    assert commitment.placement == raw(board["placement"])
    assert (commitment.seed, commitment.board_key) == (raw(board["seed"]), raw(board["board_key"]))
    assert (commitment.root, sealed) == (raw(board["root"]), raw(board["sealed"]))
    assert keys.recover(key, commitment.root, sealed) == commitment
    for given_opening in board["openings"]:
        opening = commitment.open(given_opening["cell"])
        assert (opening.is_ship, opening.salt) == (
            given_opening["is_ship"],
            raw(given_opening["salt"]),
        )
        assert opening.proof == tuple(map(raw, given_opening["proof"]))
        made = leaf(key.digest(), opening.cell, opening.is_ship, opening.salt)
        assert made == raw(given_opening["leaf"])


@given(seed=st.integers(0, 2**32), size=st.sampled_from(SIZES))
def test_packing_round_trips(seed: int, size: int) -> None:
    fleet = random_fleet(size, Random(seed))
    packed = pack_fleet(fleet)
    assert len(packed) == 16
    assert unpack_fleet(packed) == fleet
    assert covered(packed, size) == {cell for ship in fleet for cell in ship.cells(size)}


def test_ships_may_stand_anywhere_in_a_placement() -> None:
    """As the contract has it: else a record of a game that was judged honest would be refused."""
    packed = pack_fleet(FLEET)
    spread = bytes(4) + packed[:2] + bytes(6) + packed[2:4] + bytes(2)
    assert unpack_fleet(spread) == FLEET


@pytest.mark.parametrize("word", ["0001", "7000", "8000", "9000", "1800"])
def test_bits_that_mean_nothing_are_refused(word: str) -> None:
    with pytest.raises(MalformedPlacement):
        unpack_fleet(bytes.fromhex(word + "1001").ljust(16, b"\0"))
    with pytest.raises(MalformedPlacement):
        pack_fleet([Ship(Kind.CRUISER, 32, 0)])


@given(size=st.sampled_from(SIZES), data=st.data())
def test_every_cell_opens_and_only_as_what_it_is(size: int, data: st.DataObject) -> None:
    fleet = random_fleet(size, Random(size))
    commitment, _ = KEYS.commit(key_of(size), fleet)
    digest, cell = commitment.game_key.digest(), data.draw(st.integers(0, size * size - 1))
    true = commitment.open(cell)
    assert true.is_ship == (cell in commitment.ship_cells)
    assert true.root(digest) == commitment.root
    other = data.draw(st.integers(0, size * size - 1).filter(lambda each: each != cell))
    lies = [
        Opening(cell, not true.is_ship, true.salt, true.proof),
        Opening(other, true.is_ship, true.salt, true.proof),
        Opening(cell, true.is_ship, commitment.salt(other), true.proof),
        Opening(cell, true.is_ship, true.salt, true.proof[1:]),
        Opening(cell, true.is_ship, true.salt, true.proof[::-1]),
    ]
    assert all(lie.root(digest) != commitment.root for lie in lies)


@pytest.mark.parametrize(
    "changed",
    [{"chain_id": 2}, {"contract": PLAYER}, {"player": CONTRACT}, {"nonce": 1}, {"size": 8}],
)
def test_a_commitment_is_bound_to_its_game(changed: dict) -> None:
    one = Commitment(key_of(), pack_fleet(FLEET), bytes(32))
    assert one.root != Commitment(key_of(**changed), pack_fleet(FLEET), bytes(32)).root


def test_two_layouts_with_equal_cells_have_different_roots() -> None:
    one, two = (parse_fleet(text) for text in ("DE 0 0 h, CR 2 0 h", "CR 0 0 h, DE 3 0 h"))
    roots = [Commitment(key_of(), pack_fleet(fleet), bytes(32)).root for fleet in (one, two)]
    assert covered(pack_fleet(one), 6) == covered(pack_fleet(two), 6)
    assert roots[0] != roots[1]


def test_an_illegal_fleet_is_not_committed() -> None:
    with pytest.raises(ShipsOverlap):
        KEYS.commit(key_of(), parse_fleet("CR 0 0 h, DE 0 0 v"))


def test_a_lost_browser_loses_nothing() -> None:
    account = Account.create()
    arguments = (account_signer(account), 31337, CONTRACT, bytes(32))
    commitment, sealed = BoardKeys.from_wallet(*arguments).commit(key_of(), FLEET)
    again = BoardKeys.from_wallet(*arguments).recover(key_of(), commitment.root, sealed)
    assert again == commitment
    assert again.fleet == FLEET


def test_other_keys_open_nothing() -> None:
    commitment, sealed = KEYS.commit(key_of(), FLEET)
    for keys, key, text in [
        (BoardKeys(bytes(32), recoverable=True), key_of(), sealed),
        (KEYS, key_of(nonce=1), sealed),
        (KEYS, key_of(), bytes(32)),
    ]:
        with pytest.raises(PlacementLost):
            keys.recover(key, commitment.root, text)


def test_a_wallet_that_signs_anew_each_time_gets_a_secret_to_keep() -> None:
    signatures = iter([bytes([number]) * 65 for number in range(8)])
    made = [BoardKeys.from_wallet(lambda _: next(signatures), 1, CONTRACT, bytes(32)) for _ in "ab"]
    assert [keys.recoverable for keys in made] == [False, False]
    assert made[0].secret != made[1].secret
    commitment, sealed = made[0].commit(key_of(), FLEET)
    kept = BoardKeys(made[0].secret, recoverable=False)
    assert kept.recover(key_of(), commitment.root, sealed) == commitment


def test_a_smart_accounts_signature_gives_no_secret() -> None:
    """The attack: it begins with an offset and a length, the same for everybody, whatever was signed."""
    wrapped = (32).to_bytes(32) + (65).to_bytes(32) + bytes(range(65)).ljust(96, b"\0")
    keys = [BoardKeys.from_wallet(lambda _: wrapped, 1, CONTRACT, bytes(32)) for _ in "ab"]
    assert [each.recoverable for each in keys] == [False, False]
    assert keys[0].secret != keys[1].secret


def test_the_signing_text_warns_and_names_the_deployment() -> None:
    message = typed_data(5, CONTRACT, b"\x07" * 32)
    assert message["message"] == {"warning": WARNING, "deployment": b"\x07" * 32}
    assert message["domain"]["verifyingContract"] == CONTRACT
    assert "all my boards" in WARNING


def test_keys_are_not_shown() -> None:
    assert KEYS.secret.hex() not in repr(KEYS)
    assert str(KEYS.secret) not in f"{KEYS}"
