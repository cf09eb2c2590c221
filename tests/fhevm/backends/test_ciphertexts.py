"""The stored form: compact, exact enough, strict."""

import struct

import numpy as np
import pytest

from fhevm.backends.concrete.blocks import Block, Leaf, known_digits
from fhevm.backends.concrete.ciphertexts import Ciphertext, block_count, dump, load
from fhevm.backends.concrete.parameters import DEGREE
from fhevm.errors import MalformedCiphertext, NoiseBudgetExceeded
from fhevm.types import FheType
from tests.fhevm.backends.noiseless import independent

ID = b"12345678"
HEADER = 14


def encrypted(fhe_type=FheType.EUINT8, low=0, high=3, noise=1):
    source = np.random.default_rng(1)
    lwes = source.integers(0, 2**64, (block_count(fhe_type), DEGREE + 1), dtype=np.uint64)
    return Ciphertext(
        fhe_type, tuple(Block.of(Leaf(lwe, low, high, independent(noise))) for lwe in lwes)
    )


@pytest.mark.parametrize("fhe_type", list(FheType), ids=str)
def test_known_values_take_few_bytes(fhe_type):
    value = fhe_type.modulus // 3
    digits = tuple(known_digits(value, block_count(fhe_type)))
    data = dump(Ciphertext(fhe_type, digits), ID)
    assert len(data) == HEADER + 2 * block_count(fhe_type)
    loaded = load(data, ID)
    assert [block.offset for block in loaded.blocks] == [digit.offset for digit in digits]


def test_encrypted_values_keep_range_noise_and_upper_half():
    ciphertext = encrypted(low=1, high=14, noise=300)
    data = dump(ciphertext, ID)
    assert len(data) == HEADER + 4 * (4 + 300 * 9 + 4 * (DEGREE + 1))
    loaded = load(data, ID)
    for before, after in zip(ciphertext.blocks, loaded.blocks, strict=True):
        assert (after.low, after.high, after.noise) == (1, 14, 300)
        assert after.bootstraps() == before.bootstraps()
        error = (after.lwe() - before.lwe()).astype(np.int64)
        assert np.abs(error).max() <= 2**31
    assert dump(loaded, ID) == data


def test_malformed_bytes_are_refused():
    data = dump(encrypted(), ID)
    known = dump(Ciphertext(FheType.EUINT8, tuple(known_digits(9, 4))), ID)
    bad = [b"", data[:13], data[:-1], data + b"\0", b"X" + data[1:], data[:4] + b"\1" + data[5:]]
    bad += [data[:13] + b"\1" + data[14:], data[:13] + b"\3" + data[14:], known[:-1], known + b"\0"]
    bad += [known[:14] + b"\4\4" + known[16:]]
    for low, high, count, weight in ((0, 16, 1, 1), (3, 0, 1, 1), (0, 3, 0, 1), (0, 3, 9999, 1)):
        head = struct.pack("<BBH8sb", low, high, count, bytes(8), weight)
        bad.append(data[:14] + head + data[27:])
    for weight in (0, 19, -19):
        bad.append(data[:14] + struct.pack("<BBH8sb", 0, 3, 1, bytes(8), weight) + data[27:])
    twice = struct.pack("<BBH8sb8sb", 0, 3, 2, bytes(8), 1, bytes(8), 2)
    bad.append(data[:14] + twice + data[27:])
    for content in bad:
        with pytest.raises(MalformedCiphertext):
            load(content, ID)
    with pytest.raises(MalformedCiphertext):
        load(data, b"another!")


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_another_number_of_blocks_is_not_stored(count):
    blocks = tuple(known_digits(9, count))
    with pytest.raises(MalformedCiphertext, match=f"of {count} blocks"):
        dump(Ciphertext(FheType.EUINT8, blocks), ID)


def test_a_block_beyond_the_budget_is_not_stored():
    leaf = Leaf(np.zeros(DEGREE + 1, np.uint64), 0, 1, independent(20))
    with pytest.raises(NoiseBudgetExceeded):
        (Block.of(leaf) * 5).collapsed()
    with pytest.raises(NoiseBudgetExceeded):
        (Block.of(leaf) * 2 * 8).collapsed()
