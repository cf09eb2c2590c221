"""Encrypted inputs and the attacks on them, each carried out as its author would."""

import secrets
from dataclasses import replace

import pytest
from eth_utils.crypto import keccak

from fhevm import hpke, inputs
from fhevm.addresses import LOCAL
from fhevm.backends import get_backend
from fhevm.eip712 import Domains
from fhevm.errors import InputRefused, TooLarge
from fhevm.inputs import (
    MAX_BLOB_BYTES,
    Binding,
    check_values,
    encrypt_input,
    input_handles,
    open_input,
    split_blob,
)
from fhevm.keys import generate_keys
from fhevm.types import FheType

HOST, GUEST = "0x" + "11" * 20, "0x" + "22" * 20
GAME, OTHER_GAME = "0x" + "33" * 20, "0x" + "44" * 20
BINDING = Binding(GAME, HOST, Domains())
VALUES = [(FheType.EBOOL, 1), (FheType.EUINT8, 200), (FheType.EBOOL, 0)]
SEED = bytes(range(32))


class Keys:
    """One backend with what a client knows (public) and what the KMS knows."""

    def __init__(self, name):
        self.backend = get_backend(name)
        keys = generate_keys(self.backend, SEED)
        self.public, self.private = keys.public, keys.kms.hpke
        self.encryptor = self.backend.encryptor(keys.public.fhe)
        self.evaluator = self.backend.evaluator(keys.coprocessor.evaluation)
        self.decryptor = self.backend.decryptor(keys.kms.secret)

    def encrypt(self, values=VALUES, binding=BINDING):
        return encrypt_input(values, binding, self.encryptor, self.public.hpke)

    def open(self, blob, binding=BINDING):
        return open_input(blob, binding, self.encryptor, self.private)

    def seal(self, message, binding=BINDING):
        """A sealing of anything, as a dishonest client makes it."""
        return hpke.seal(
            self.public.hpke, message, info=inputs._INFO, associated=binding.associated_data
        )


@pytest.fixture(scope="module", params=["clear", pytest.param("concrete", marks=pytest.mark.slow)])
def keys(request):
    return Keys(request.param)


def joined(ciphertext, sealing):
    return len(ciphertext).to_bytes(4) + ciphertext + sealing


def test_an_honest_input_is_accepted(keys):
    assert keys.open(keys.encrypt()) == [fhe_type for fhe_type, _ in VALUES]


def test_the_ciphertext_holds_the_values(keys):
    ciphertext, _ = split_blob(keys.encrypt())
    parts = keys.evaluator.unpack(ciphertext, [fhe_type for fhe_type, _ in VALUES])
    found = [
        keys.decryptor.decrypt(keys.evaluator.dump(part), fhe_type)
        for part, (fhe_type, _) in zip(parts, VALUES, strict=True)
    ]
    assert found == [value for _, value in VALUES]


def test_equal_values_never_look_equal(keys):
    blobs = [keys.encrypt() for _ in range(3)]
    assert len({split_blob(blob)[0] for blob in blobs}) == 3
    assert len({split_blob(blob)[1] for blob in blobs}) == 3


def test_most_values(keys):
    values = [(FheType.EUINT8, index) for index in range(254)]
    assert keys.open(keys.encrypt(values)) == [FheType.EUINT8] * 254


@pytest.mark.parametrize(
    "other",
    [
        replace(BINDING, contract=OTHER_GAME),
        replace(BINDING, user=GUEST),
        replace(BINDING, contract=HOST, user=GAME),
        replace(BINDING, domains=Domains(chain_id=1)),
        replace(BINDING, domains=Domains(acl=OTHER_GAME)),
    ],
    ids=["contract", "user", "swapped", "chain", "acl"],
)
def test_attack_moved_elsewhere(keys, other):
    """Whoever sees an input has it attested for their own contract, to decrypt it there."""
    with pytest.raises(InputRefused):
        keys.open(keys.encrypt(), other)


def test_attack_moved_elsewhere_with_a_new_sealing(keys):
    """They do not know the seed, so their own sealing gives another ciphertext."""
    ciphertext, _ = split_blob(keys.encrypt())
    mine = replace(BINDING, user=GUEST)
    guess = secrets.token_bytes(32) + inputs._pack(VALUES)
    with pytest.raises(InputRefused, match="not the one that was sealed"):
        keys.open(joined(ciphertext, keys.seal(guess, mine)), mine)


def test_attack_sealing_of_another_input(keys):
    ciphertext, _ = split_blob(keys.encrypt())
    _, sealing = split_blob(keys.encrypt())
    with pytest.raises(InputRefused, match="not the one that was sealed"):
        keys.open(joined(ciphertext, sealing))


def test_replayed_input_is_the_same_input(keys):
    """The same blob for the same contract and user names the same handles: nothing is gained."""
    blob = keys.encrypt()
    types = keys.open(blob)
    assert input_handles(blob, types, BINDING.domains) == input_handles(
        blob, keys.open(blob), BINDING.domains
    )


@pytest.mark.parametrize("position", [0, 1, 8, 40, -1])
@pytest.mark.parametrize("change", [1, 0x40, 0x80])
def test_attack_changed_ciphertext(keys, position, change):
    """One bit anywhere: a shift by any part of a step, or another value."""
    ciphertext, sealing = split_blob(keys.encrypt())
    forged = bytearray(ciphertext)
    forged[position] ^= change
    with pytest.raises(InputRefused):
        keys.open(joined(bytes(forged), sealing))


def with_added(ciphertext, amount):
    """Add to every 64-bit word of the ciphertext's tail: phases move by `amount` / 2^64 of a turn."""
    head, body = ciphertext[: len(ciphertext) % 8], ciphertext[len(ciphertext) % 8 :]
    words = [int.from_bytes(body[at : at + 8], "little") for at in range(0, len(body), 8)]
    moved = [(word + amount) % (1 << 64) for word in words]
    return head + b"".join(word.to_bytes(8, "little") for word in moved)


@pytest.mark.parametrize("fraction", [0.45, 0.495, -0.495, 0.01])
def test_attack_shifted_by_part_of_a_step(keys, fraction):
    """Decrypts as before but looks up as another value: the check is on bytes, not on values."""
    ciphertext, sealing = split_blob(keys.encrypt())
    shifted = with_added(ciphertext, int(fraction * (1 << 59)))
    assert shifted != ciphertext
    with pytest.raises(InputRefused, match="not the one that was sealed"):
        keys.open(joined(shifted, sealing))


def test_attack_known_ciphertext_added(keys):
    """Adding a known ciphertext and watching accept or refuse would read hidden bits."""
    ciphertext, sealing = split_blob(keys.encrypt([(FheType.EBOOL, 1)]))
    known, _ = split_blob(keys.encrypt([(FheType.EBOOL, 0)]))
    added = bytes((a + b) % 256 for a, b in zip(ciphertext, known, strict=True))
    with pytest.raises(InputRefused, match="not the one that was sealed"):
        keys.open(joined(added, sealing))


@pytest.mark.parametrize("kept", [0, 3, 4, 20, 0.5, -1])
def test_truncated(keys, kept):
    blob = keys.encrypt()
    length = int(kept * len(blob)) if isinstance(kept, float) else kept
    with pytest.raises(InputRefused):
        keys.open(blob[:length])


def test_lengthened(keys):
    blob = keys.encrypt()
    ciphertext, sealing = split_blob(blob)
    for longer in (blob + b"\0", joined(ciphertext + b"\0", sealing)):
        with pytest.raises(InputRefused):
            keys.open(longer)


def test_length_that_lies(keys):
    blob = keys.encrypt()
    for length in (0, 1, len(blob), 2**32 - 1):
        with pytest.raises(InputRefused):
            keys.open(length.to_bytes(4) + blob[4:])


def test_oversized(keys):
    with pytest.raises(TooLarge):
        keys.open(bytes(MAX_BLOB_BYTES + 1))


@pytest.mark.parametrize("length", [0, 100, 40_000])
def test_random_bytes(keys, length):
    with pytest.raises(InputRefused):
        keys.open(secrets.token_bytes(length))


@pytest.mark.parametrize(
    "packed",
    [b"", b"\x02", b"\x02\x01\x02", b"\x09\x01", b"\x01\x01", b"\x00\x02", b"\x03\x01"],
    ids=["none", "no value", "half a type", "type 9", "type 1", "bool of 2", "short"],
)
def test_attack_sealed_nonsense(keys, packed):
    """A sealing that opens but holds no input."""
    ciphertext, _ = split_blob(keys.encrypt())
    with pytest.raises(InputRefused):
        keys.open(joined(ciphertext, keys.seal(bytes(32) + packed)))


@pytest.mark.parametrize("message", [b"", bytes(31)])
def test_attack_sealed_seed_too_short(keys, message):
    ciphertext, _ = split_blob(keys.encrypt())
    with pytest.raises(InputRefused):
        keys.open(joined(ciphertext, keys.seal(message)))


def test_attack_more_sealed_than_allowed(keys):
    ciphertext, _ = split_blob(keys.encrypt())
    many = inputs._pack([(FheType.EBOOL, 0)] * 255)
    with pytest.raises(TooLarge):
        keys.open(joined(ciphertext, keys.seal(bytes(32) + many)))


@pytest.mark.parametrize(
    ("fhe_type", "value"),
    [(FheType.EBOOL, 2), (FheType.EBOOL, -1), (FheType.EUINT8, 256), (FheType.EADDRESS, 1 << 160)],
)
def test_values_out_of_range(keys, fhe_type, value):
    with pytest.raises(InputRefused):
        keys.encrypt([(fhe_type, value)])


def test_counts():
    with pytest.raises(InputRefused):
        check_values([])
    check_values([(FheType.EBOOL, 0)] * 254)
    with pytest.raises(TooLarge):
        check_values([(FheType.EBOOL, 0)] * 255)
    check_values([(FheType.EUINT256, 0)] * 8)
    with pytest.raises(TooLarge):
        check_values([(FheType.EUINT256, 0)] * 8 + [(FheType.EBOOL, 0)])


def test_handles_follow_the_formula():
    blob, types = b"any blob", [FheType.EBOOL, FheType.EUINT8]
    handles = input_handles(blob, types, Domains())
    acl = bytes.fromhex(LOCAL.acl[2:])
    for index, handle in enumerate(handles):
        content = keccak(b"ZK-w_rct" + blob)
        hashed = keccak(b"ZK-w_hdl" + content + bytes([index]) + acl + (31337).to_bytes(32))
        assert bytes(handle)[:21] == hashed[:21]
        assert (handle.index, handle.chain_id, handle.type) == (index, 31337, types[index])
