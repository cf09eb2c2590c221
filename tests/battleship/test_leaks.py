"""What can be told from everything public: with one salt for all cells the board, with ours nothing.

The attack of the published scheme: a leaf can have two values only (water, ship), each known once a shot of
that kind was answered. Every sibling in a proof that is one of the two is a neighbour given away, and
every inner node is one of a few combinations of what stands below: known by trying them all.
"""

from itertools import product
from random import Random
from statistics import median

from hypothesis import given, settings
from hypothesis import strategies as st

from battleship.board_keys import BoardKeys
from battleship.bots import random_fleet
from battleship.commitment import Commitment, GameKey, keccak, leaf, prove, tree
from battleship.fleets import parse_fleet

SIZE = 10
SALT = bytes(range(32))
CONTRACT, PLAYER = "0x" + "11" * 20, "0x" + "22" * 20
KEY = GameKey(31337, CONTRACT, PLAYER, 0, SIZE)
KEYS = BoardKeys(bytes(range(32)), recoverable=True)
WAYS = 3  # subtrees of up to 2^3 leaves: tried in a moment

Public = dict[int, tuple[bytes, bytes, tuple[bytes, ...]]]
"""By cell: leaf, salt, proof."""


def one_salt_leaf(is_ship: bool, salt: bytes = SALT) -> bytes:
    return keccak(bytes([is_ship]) + salt)


def attack(public: Public, values: dict[bool, bytes], padding: int) -> dict[int, bool]:
    """Unopened cells told from proofs, given the leaf values that are known for water and ship."""
    known: dict[int, bool] = {}
    for cell, (_, _, proof) in public.items():
        for height, sibling in enumerate(proof[: WAYS + 1]):
            first = (cell >> height ^ 1) << height
            inside = range(first, first + (1 << height))
            found = explain(sibling, inside, values, padding)
            known.update(found)
    return {cell: value for cell, value in known.items() if cell not in public}


def explain(node: bytes, inside: range, values: dict[bool, bytes], padding: int) -> dict[int, bool]:
    """The one filling of a subtree that hashes to `node`; empty where none does."""
    cells = [cell for cell in inside if cell < padding]
    for filling in product(values, repeat=len(cells)):
        leaves = [values[value] for value in filling]
        level = leaves + [bytes(32)] * (len(inside) - len(cells))
        while len(level) > 1:
            level = [keccak(level[i] + level[i + 1]) for i in range(0, len(level), 2)]
        if level[0] == node:
            return dict(zip(cells, filling, strict=True))
    return {}


def shots_at(ships: frozenset[int], rng: Random) -> list[int]:
    """Two hits and two misses, as spread as chance has it."""
    waters = [cell for cell in range(SIZE * SIZE) if cell not in ships]
    return [*rng.sample(sorted(ships), 2), *rng.sample(waters, 2)]


def attack_with_one_salt(seed: int) -> tuple[dict[int, bool], frozenset[int]]:
    """What four shots tell of a board at random, and where its ships are."""
    rng = Random(seed)
    fleet = random_fleet(SIZE, rng)
    ships = frozenset(cell for ship in fleet for cell in ship.cells(SIZE))
    levels = tree([one_salt_leaf(cell in ships) for cell in range(SIZE * SIZE)])
    public: Public = {
        cell: (levels[0][cell], SALT, prove(levels, cell)) for cell in shots_at(ships, rng)
    }
    values = {value: one_salt_leaf(value) for value in (False, True)}
    return attack(public, values, SIZE * SIZE), ships


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_what_the_attack_tells_with_one_salt_is_true(seed: int) -> None:
    told, ships = attack_with_one_salt(seed)
    assert told
    assert all(value == (cell in ships) for cell, value in told.items())


def test_the_attack_tells_nearly_half_a_board_with_one_salt() -> None:
    """Four shots that lie close together tell less, spread ones more."""
    assert median(len(attack_with_one_salt(seed)[0]) for seed in range(40)) >= 44


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_the_attack_gains_nothing_against_ours(seed: int) -> None:
    """Neither with the leaves that were seen, nor with leaves made from the salts that were opened."""
    rng = Random(seed)
    commitment, _ = KEYS.commit(KEY, random_fleet(SIZE, rng))
    cells = shots_at(commitment.ship_cells, rng)
    digest = KEY.digest()
    public: Public = {}
    for cell in cells:
        opening = commitment.open(cell)
        made = leaf(digest, cell, opening.is_ship, opening.salt)
        public[cell] = (made, opening.salt, opening.proof)
    seen = {cell in commitment.ship_cells: public[cell][0] for cell in cells}
    assert attack(public, seen, SIZE * SIZE) == {}
    for cell, (_, _, proof) in public.items():
        neighbour = cell ^ 1
        salts = [salt for _, salt, _ in public.values()]
        guesses = {leaf(digest, neighbour, bit, salt) for bit in (False, True) for salt in salts}
        assert proof[0] not in guesses or neighbour in public


def test_the_attacker_with_the_salt_of_the_neighbour_would_see_it() -> None:
    """So that the test above can fail: each cell's own salt is all that hides it."""
    commitment, _ = KEYS.commit(KEY, random_fleet(SIZE, Random(1)))
    guesses = {bit: leaf(KEY.digest(), 1, bit, commitment.salt(1)) for bit in (False, True)}
    assert commitment.open(0).proof[0] == guesses[1 in commitment.ship_cells]


def test_opened_salts_tell_no_other_and_all_are_different() -> None:
    commitment, _ = KEYS.commit(KEY, random_fleet(SIZE, Random(2)))
    salts = {commitment.salt(cell) for cell in range(SIZE * SIZE)}
    assert len(salts) == SIZE * SIZE
    assert commitment.seed not in salts
    assert commitment.board_key not in salts


def test_what_is_published_of_two_boards_cannot_be_told_apart() -> None:
    """Every bit of root and seal is as often set for the one board as for the other."""
    one, two = (
        parse_fleet(text)
        for text in (
            "CA 0 0 h, BA 0 1 h, CR 0 2 h, SU 0 3 h, DE 0 4 h",
            "CA 9 5 v, BA 8 6 v, CR 7 7 v, SU 6 7 v, DE 5 8 v",
        )
    )
    rounds = 60
    for fleet in (one, two):
        published = []
        for nonce in range(rounds):
            key = GameKey(31337, CONTRACT, PLAYER, nonce, SIZE)
            commitment, sealed = KEYS.commit(key, fleet)
            published.append(int.from_bytes(commitment.root + sealed))
        assert len(set(published)) == rounds
        counts = [sum(word >> bit & 1 for word in published) for bit in range(512)]
        assert min(counts) > 5
        assert max(counts) < rounds - 5


def test_two_commitments_never_share_a_seed_or_a_pad() -> None:
    """Two tabs with one nonce, another browser, a chain set back: the same wallet, the same nonce."""
    placements, seeds, pads = [], set(), set()
    for text in ("CR 0 0 h, DE 2 2 v", "CR 1 0 h, DE 2 3 v", "CR 0 0 h, DE 2 2 v"):
        keys = BoardKeys(KEYS.secret, recoverable=True)  # another process with the same wallet
        key = GameKey(31337, CONTRACT, PLAYER, 0, 6)
        commitment, sealed = keys.commit(key, parse_fleet(text))
        placements.append(commitment.placement)
        seeds.add(commitment.seed)
        pads.add(bytes(a ^ b for a, b in zip(sealed[:16], commitment.placement, strict=True)))
    assert placements[0] == placements[2]
    assert len(seeds) == len(pads) == 3


def test_a_chain_that_was_reset_has_other_seeds() -> None:
    """The same contract address, the same nonce, another deployment id."""
    from eth_account import Account

    from battleship.board_keys import account_signer

    sign = account_signer(Account.create())
    secrets = {BoardKeys.from_wallet(sign, 31337, CONTRACT, bytes([n]) * 32).secret for n in (0, 1)}
    assert len(secrets) == 2


def test_a_reveal_opens_no_other_game() -> None:
    """Seed and placement of one game are public after it: the next one's are not derived from them."""
    one, sealed = KEYS.commit(KEY, random_fleet(SIZE, Random(3)))
    two, other = KEYS.commit(GameKey(31337, CONTRACT, PLAYER, 1, SIZE), one.fleet)
    assert one.seed != two.seed
    assert Commitment(two.game_key, one.placement, one.seed).root != two.root
    assert sealed != other
