"""Public-key encryption: exact, deterministic, within its noise, strict about its bytes."""

import base64
import hashlib
import json
import random

import numpy as np
import pytest

from fhevm.backends import get_backend
from fhevm.backends.concrete import keys as key_files
from fhevm.backends.concrete import ring
from fhevm.backends.concrete.decryptor import phase
from fhevm.backends.concrete.parameters import DEGREE, STEP
from fhevm.errors import MalformedCiphertext, PlaintextOutOfRange
from fhevm.types import FheType
from tests.fhevm.backends.conftest import SEED, VECTORS

WORD = 1 << 64
BOOL, U8 = FheType.EBOOL, FheType.EUINT8
TYPES = {str(t): t for t in FheType}


def schoolbook(polynomial, binary):
    result = [0] * DEGREE
    for shift in np.nonzero(binary)[0]:
        for i, coefficient in enumerate(polynomial):
            place = int(shift) + i
            sign = -1 if place >= DEGREE else 1
            result[place % DEGREE] += sign * int(coefficient)
    return [value % WORD for value in result]


def test_the_product_is_exact():
    source = np.random.default_rng(3)
    polynomial = source.integers(0, WORD, DEGREE, dtype=np.uint64)
    binary = np.zeros(DEGREE, dtype=np.uint64)
    binary[[0, 1, 7, 1000, DEGREE - 1]] = 1
    assert ring.times_binary(polynomial, binary).tolist() == schoolbook(polynomial, binary)


def test_noise_is_tuniform():
    ends = ring._noise(bytes([0, 0, 0, 255, 255, 7, 0, 0, 248, 1, 0, 0, 2, 0, 0]))
    assert ends.astype(np.int64).tolist() == [-(2**17), 2**17, -(2**17), 1 - 2**17, 1 - 2**17]


def test_vectors():
    vectors = json.loads((VECTORS / "ring-encryption.json").read_text())
    encryptor = get_backend("concrete").encryptor(base64.b64decode(vectors["publicKey"]))
    for case in vectors["cases"]:
        plaintexts = [(TYPES[name], int(value)) for name, value in case["values"]]
        blob = encryptor.encrypt(plaintexts, bytes.fromhex(case["seed"]))
        assert (len(blob), blob[:64].hex(), blob[-64:].hex()) == (
            case["length"],
            case["head"],
            case["tail"],
        )
        assert hashlib.sha256(blob).hexdigest() == case["sha256"]


@pytest.mark.slow
def test_all_2048_digits_decrypt_with_small_noise(keys):
    public, secret = key_files.load_public(keys.public), key_files.load_secret(keys.secret)
    digits = random.Random(1).choices(range(4), k=DEGREE)
    blob = ring.encrypt((public.a, public.b), public.id, digits, SEED)
    for lwe, digit in zip(ring.extract(blob, public.id, DEGREE), digits, strict=True):
        error = (phase(lwe, secret.ring) - digit * STEP + WORD // 2) % WORD - WORD // 2
        assert abs(error) < 2**25


@pytest.mark.slow
def test_inputs_of_every_type_decrypt(machine):
    plaintexts = [(t, (t.modulus - 1) // 3 * 2 % t.modulus) for t in FheType]
    blob = machine.encryptor.encrypt(plaintexts, SEED)
    unpacked = machine.evaluator.unpack(blob, list(FheType))
    for ciphertext, (fhe_type, value) in zip(unpacked, plaintexts, strict=True):
        assert machine.decryptor.decrypt(machine.evaluator.dump(ciphertext), fhe_type) == value


@pytest.mark.slow
def test_one_seed_for_two_messages_does_not_show_their_difference(machine):
    zero, one = (machine.encryptor.encrypt([(BOOL, bit)], SEED) for bit in (0, 1))
    assert zero == machine.encryptor.encrypt([(BOOL, 0)], SEED)
    same = np.frombuffer(zero, np.uint8) == np.frombuffer(one, np.uint8)
    assert same[15:].mean() < 0.05


@pytest.mark.slow
def test_malformed_inputs_are_refused(machine):
    blob = machine.encryptor.encrypt([(U8, 200)], SEED)
    damaged = [b"", blob[:-1], blob + b"\0", b"X" + blob[1:], blob[:5] + bytes(8) + blob[13:]]
    for data in damaged:
        with pytest.raises(MalformedCiphertext):
            machine.evaluator.unpack(data, [U8])
    for types in ([], [BOOL], [U8, BOOL], [FheType.EUINT16]):
        with pytest.raises(MalformedCiphertext):
            machine.evaluator.unpack(blob, types)


@pytest.mark.slow
def test_values_out_of_range_are_refused(machine):
    for fhe_type, value in ((BOOL, 2), (U8, 256), (U8, -1)):
        with pytest.raises(PlaintextOutOfRange) as caught:
            machine.encryptor.encrypt([(fhe_type, value)], SEED)
        assert str(value) not in str(caught.value).replace(str(fhe_type), "")


def test_seed_and_size_are_checked():
    key = (np.zeros(DEGREE, np.uint64),) * 2
    for digits, seed in (([0], bytes(31)), ([0] * 2049, SEED)):
        with pytest.raises(ValueError, match="32 bytes"):
            ring.encrypt(key, bytes(8), digits, seed)
