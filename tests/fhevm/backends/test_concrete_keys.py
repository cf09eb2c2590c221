"""Key files: reproducible, of one set, and refused when damaged."""

import hashlib
import struct

import pytest

from fhevm.backends import get_backend
from fhevm.backends.concrete import keys as key_files
from fhevm.backends.concrete.parameters import Parameters
from fhevm.errors import MalformedKey
from tests.fhevm.backends.conftest import SEED

pytestmark = pytest.mark.slow
PARAMETERS_AT, DIGEST_AT, PAYLOAD_AT = 14, 62, 94


def parameters(keys):
    return key_files.load_public(keys.public).parameters


def test_the_same_seed_gives_the_same_keys(keys):
    again = key_files.generate(SEED, parameters(keys))
    same = [
        getattr(again, role) == getattr(keys, role) for role in ("secret", "public", "evaluation")
    ]
    assert all(same)  # not compared in one: nobody wants to read the difference


def test_another_seed_or_none_gives_others(keys):
    made = [key_files.generate(seed, parameters(keys)) for seed in (bytes(32), None)]
    publics = {k.public[PAYLOAD_AT:] for k in (keys, *made)}
    assert len(publics) == 3


def test_a_set_has_one_id_and_its_parameters(keys):
    loaded = [
        key_files.load_secret(keys.secret),
        key_files.load_evaluation(keys.evaluation),
        key_files.load_public(keys.public),
    ]
    assert len({key.id for key in loaded}) == len({key.parameters for key in loaded}) == 1
    assert loaded[0].ring.sum() > 900
    assert set(loaded[0].ring.tolist()) == {0, 1}


@pytest.mark.parametrize("role", ["secret", "public", "evaluation"])
def test_a_damaged_or_foreign_file_is_refused(keys, role):
    data = getattr(keys, role)
    other = keys.public if role == "secret" else keys.secret
    load = getattr(key_files, f"load_{role}")
    flipped = data[:-1] + bytes([data[-1] ^ 1])
    for bad in (
        b"",
        data[:50],
        data[:-8],
        flipped,
        other,
        b"X" + data[1:],
        data[:4] + b"\2" + data[5:],
    ):
        with pytest.raises(MalformedKey):
            load(bad)


def test_consistent_but_short_payloads_are_refused(keys):
    for role in ("secret", "public"):
        data = getattr(keys, role)
        payload = data[PAYLOAD_AT:-8]
        digest = hashlib.sha256(payload).digest()
        with pytest.raises(MalformedKey, match="wrong length"):
            getattr(key_files, f"load_{role}")(data[:DIGEST_AT] + digest + payload)


def test_impossible_parameters_are_refused(keys):
    for field in range(6):
        packed = bytearray(parameters(keys).pack())
        struct.pack_into("<I", packed, 4 * field, 1 << 20)
        with pytest.raises(MalformedKey, match="impossible"):
            Parameters.unpack(bytes(packed))


def test_another_sets_ciphertexts_are_refused(keys, machine):
    from fhevm.errors import MalformedCiphertext
    from fhevm.types import FheType

    foreign = key_files.generate(bytes(32), parameters(keys))
    stranger = get_backend("concrete").decryptor(foreign.secret)
    data = machine.evaluator.dump(machine.evaluator.trivial(1, FheType.EBOOL))
    with pytest.raises(MalformedCiphertext):
        stranger.decrypt(data, FheType.EBOOL)
    blob = get_backend("concrete").encryptor(foreign.public).encrypt([(FheType.EBOOL, 1)], SEED)
    with pytest.raises(MalformedCiphertext):
        machine.evaluator.unpack(blob, [FheType.EBOOL])
