"""Every operator and overload, from the vector files, on both backends."""

import json
import random

import pytest

from fhevm.backends import get_backend
from fhevm.errors import MalformedVectors
from fhevm.types import FheType
from fhevm.vectors import Overload, Vector, check_vectors, read_vectors
from tests.amount import enough

SMALL = [FheType.EBOOL, FheType.EUINT8]
OPERATORS = (
    "add sub mul div rem and or xor shl shr rotl rotr eq ne ge gt le lt min max neg not select cast"
)


def test_our_file_has_every_operator_on_small_types(vector_files):
    names = {Overload.parse(v.overload).operator for v in read_vectors(vector_files[0], SMALL)}
    assert names == set(OPERATORS.split())


def test_clear_agrees_on_all_types(vector_files):
    for file in vector_files:
        vectors = read_vectors(file)
        assert len(vectors) > 900
        assert list(check_vectors(get_backend("clear"), vectors)) == []


@pytest.mark.slow
def test_concrete_agrees_on_small_types(vector_files, keys):
    for file in vector_files:
        vectors = read_vectors(file, SMALL)
        assert len(vectors) > 200
        chosen = enough(one_of_each_overload(vectors), vectors)
        assert len(chosen) > 50
        assert list(check_vectors(get_backend("concrete"), chosen, keys)) == []


def one_of_each_overload(vectors):
    """Any one: each run takes others."""
    mixed = random.sample(vectors, len(vectors))
    return list({vector.overload: vector for vector in mixed}.values())


@pytest.mark.slow
def test_concrete_agrees_on_a_sample_of_wide_types(vector_files, keys):
    wide = [
        "add_euint16_euint16",
        "sub_euint32_euint32",
        "mul_euint16_uint16",
        "rem_euint16_uint16",
        "ge_euint64_euint64",
        "eq_eaddress_eaddress",
        "select_ebool_euint256_euint256",
        "shr_euint32_euint8",
        "cast_euint256_euint16",
        "xor_euint256_euint256",
    ]
    vectors = [v for v in read_vectors(vector_files[0]) if v.overload in wide]
    chosen = [next(v for v in vectors if v.overload == name) for name in wide]
    assert list(check_vectors(get_backend("concrete"), chosen, keys)) == []


def test_a_wrong_result_is_reported():
    vector = Vector("add_euint8_uint8", (1, 2), 4)
    (mismatch,) = check_vectors(get_backend("clear"), [vector])
    assert (mismatch.overload, mismatch.expected, mismatch.found) == ("add_euint8_uint8", 4, 3)


@pytest.mark.parametrize(
    "content",
    ["[]", "{", '{"add_euint9_euint8": []}', '{"add": []}', '{"neg_euint8": [{"inputs": ["x"]}]}'],
)
def test_a_malformed_file_is_refused(tmp_path, content):
    file = tmp_path / "vectors.json"
    file.write_text(content)
    with pytest.raises(MalformedVectors):
        read_vectors(file)


def test_a_wrong_number_of_inputs_is_refused():
    with pytest.raises(MalformedVectors, match="takes 2 inputs"):
        list(check_vectors(get_backend("clear"), [Vector("add_euint8_euint8", (1,), 1)]))


def test_types_filter_the_vectors(tmp_path):
    file = tmp_path / "vectors.json"
    line = {"inputs": ["1"], "output": "1"}
    file.write_text(json.dumps({"not_ebool": [line], "not_euint16": [line]}))
    assert [v.overload for v in read_vectors(file, SMALL)] == ["not_ebool"]
