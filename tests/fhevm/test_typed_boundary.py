"""Whatever JSON comes from outside, the answer is a typed one, at once and in little memory."""

import json
import tracemalloc

import httpx
import pytest
from fastapi.testclient import TestClient

from fhevm.client import FhevmClient
from fhevm.devchain import dev_accounts
from fhevm.errors import (
    KeysDamaged,
    MalformedHandle,
    MalformedRequest,
    TooLarge,
    Unavailable,
)
from fhevm.freshchain import fresh_chain
from fhevm.gateway_http import gateway_app
from fhevm.handles import Handle
from fhevm.jobs import Jobs
from fhevm.keys import PublicKeys
from fhevm.kms_http import kms_app
from fhevm.local import LocalFhevm
from fhevm.statuses import STATUS
from fhevm.transports import Http
from fhevm.typed import read_json
from fhevm.wire import PublicDecryptRequest

SEED = bytes(range(32))
TOKEN = "ab" * 32
HOST, GUEST = dev_accounts()[1:3]
HANDLE = "0x" + "11" * 21 + "ff" + (31337).to_bytes(8).hex() + "0200"
LABELS = {error.__name__: status for error, status in STATUS.items()}

NUMBERS = ["-1", "0", "1", str(2**31), str(2**63), str(2**256), str(10**10), "1e400", "1.5", "-0.0"]
NUMBERS += ["NaN", "Infinity", "-Infinity", "9" * 5000]
TEXTS = ["", "0x", "0", "0x0", "-1", "1e3", "1_0", "٣", "NaN", " ", "\\u0000", "\\ud800", "\\udfff"]
TEXTS += [
    "0x" + "zz" * 32,
    "0x" + "00" * 31,
    "0x" + "00" * 33,
    "00" * 32,
    "0X" + "11" * 32,
    "a" * 9000,
]
OTHERS = [
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "[[]]",
    '[{"a": 1}]',
    "[" * 500 + "]" * 500,
    '{"a": {"b": []}}',
]
VALUES = [*NUMBERS, *(f'"{text}"' for text in TEXTS), *OTHERS]


@pytest.fixture(scope="module")
def fhevm():
    with LocalFhevm.create(fresh_chain(), "clear", SEED) as local:
        yield local


@pytest.fixture(scope="module")
def gateway(fhevm):
    with TestClient(gateway_app(fhevm.gateway), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def kms(fhevm):
    headers = {"authorization": f"Bearer {TOKEN}"}
    with TestClient(
        kms_app(fhevm.kms, TOKEN), raise_server_exceptions=False, headers=headers
    ) as it:
        yield it


def user_request():
    return {
        "handleContractPairs": [{"handle": HANDLE, "contractAddress": GUEST.address}],
        "requestValidity": {"startTimestamp": "1", "durationDays": "1"},
        "contractsChainId": "31337",
        "contractAddresses": [GUEST.address],
        "userAddress": HOST.address,
        "delegatorAddress": GUEST.address,
        "publicKey": "0x" + "22" * 32,
        "signature": "0x" + "33" * 65,
        "extraData": "0x00",
    }


REQUESTS = {
    "/v2/input-proof": {
        "contractAddress": GUEST.address,
        "userAddress": HOST.address,
        "contractChainId": "31337",
        "ciphertextWithInputVerification": "0x" + "00" * 100,
        "extraData": "0x00",
    },
    "/v2/public-decrypt": {"ciphertextHandles": [HANDLE], "extraData": "0x00"},
    "/v2/user-decrypt": user_request(),
    "/v2/delegated-user-decrypt": user_request(),
}
QUESTIONS = {
    "/input": {"blob": "AAAA", "user": HOST.address, "contract": GUEST.address},
    "/public": {"handles": [HANDLE], "ciphertexts": ["AAAA"]},
    "/user": {"request": user_request(), "ciphertexts": ["AAAA"]},
}


def places(value, path=()):
    """The way to each field and element."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inner if isinstance(value, dict | list) else ():
        yield from places(each, (*path, key))


def text_with(value, path, put):
    """The JSON of `value` with the text `put` at `path`; None: without that place."""
    if not path:
        return put
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    written = []
    for key, each in parts:
        inner = text_with(each, path[1:], put) if key == path[0] else json.dumps(each)
        if inner is not None:
            written.append(f"{json.dumps(key)}: {inner}" if isinstance(value, dict) else inner)
    joined = ", ".join(written)
    return "{" + joined + "}" if isinstance(value, dict) else "[" + joined + "]"


def check(client, path, body, accepted=(202,)):
    answer = client.post(path, content=body.encode("utf-8", "surrogatepass"))
    if answer.status_code in accepted:
        return
    error = answer.json()["error"]
    assert 400 <= answer.status_code < 500, (body[:300], answer.text)
    assert LABELS[error["label"]] == answer.status_code
    assert 0 < len(error["message"]) <= 600


CASES = [(path, place) for path, example in REQUESTS.items() for place in places(example)]
KMS_CASES = [(path, place) for path, example in QUESTIONS.items() for place in places(example)]


@pytest.fixture(autouse=True)
def roomy(monkeypatch):
    """What is refused here is refused for its form, not for its number."""
    monkeypatch.setattr(Jobs, "submit", lambda self, kind, work, client="": "ab" * 16)


@pytest.mark.parametrize(("path", "place"), CASES, ids=str)
def test_every_field_of_every_request(gateway, path, place):
    for value in VALUES:
        check(gateway, path, text_with(REQUESTS[path], place, value))
    check(gateway, path, text_with(REQUESTS[path], place, None))


@pytest.mark.parametrize(("path", "place"), KMS_CASES, ids=str)
def test_every_field_of_every_question(kms, path, place):
    for value in VALUES:
        check(kms, path, text_with(QUESTIONS[path], place, value), accepted=())
    check(kms, path, text_with(QUESTIONS[path], place, None), accepted=())


@pytest.mark.parametrize("path", REQUESTS)
@pytest.mark.parametrize("body", [*VALUES, "", "{", "\ufeff{}", '{"a": 1, "a": 1}', "\x00"])
def test_bodies_that_are_no_request(gateway, path, body):
    check(gateway, path, body, accepted=())


@pytest.mark.parametrize("path", REQUESTS)
def test_a_name_that_is_there_twice_is_refused(gateway, path):
    body = json.dumps(REQUESTS[path])
    name, value = next(iter(REQUESTS[path].items()))
    answer = gateway.post(path, content=body[:-1] + f", {json.dumps(name)}: {json.dumps(value)}}}")
    assert (answer.status_code, answer.json()["error"]["label"]) == (422, "MalformedRequest")
    assert "there twice" in answer.json()["error"]["message"]


@pytest.mark.parametrize("path", REQUESTS)
def test_names_that_mean_nothing_are_passed_over_by_the_gateway(gateway, path):
    body = json.dumps(REQUESTS[path] | {"\ud800 odd": [1], "more": None})
    answer = gateway.post(path, content=body)
    assert answer.status_code == 202


def test_names_that_mean_nothing_are_refused_by_the_kms(kms):
    answer = kms.post("/public", content='{"handles": [], "\\ud800": 1}')
    assert (answer.status_code, answer.json()["error"]["label"]) == (422, "MalformedRequest")


@pytest.mark.parametrize("number", [2**31, 10**10, 2**63, 2**256])
def test_attack_a_number_where_a_handle_is_expected(gateway, number):
    """It allocates nothing of that size."""
    body = json.dumps({"ciphertextHandles": [number]})
    tracemalloc.start()
    answer = gateway.post("/v2/public-decrypt", content=body)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (answer.status_code, answer.json()["error"]["label"]) == (422, "MalformedRequest")
    assert answer.json()["error"]["message"].startswith("ciphertextHandles.0: ")
    assert peak < 4 << 20


@pytest.mark.parametrize(
    "value",
    [5, 2**40, True, None, 1.5, [], {}, bytearray(32), "11" * 32, "0X" + "11" * 32, b"", "é" * 66],
)
def test_what_is_no_handle(value):
    with pytest.raises(MalformedHandle):
        Handle.parse(value)


def test_what_is_a_handle():
    raw = bytes.fromhex(HANDLE[2:])
    assert Handle.parse(HANDLE) == Handle.parse(raw) == Handle.parse(Handle(raw)) == Handle(raw)


def test_a_request_names_64_handles_at_most(gateway):
    assert (
        gateway.post("/v2/public-decrypt", json={"ciphertextHandles": [HANDLE] * 64}).status_code
        == 202
    )
    answer = gateway.post("/v2/public-decrypt", json={"ciphertextHandles": [HANDLE] * 65})
    assert (answer.status_code, answer.json()["error"]["label"]) == (413, "TooLarge")
    assert "64" in answer.json()["error"]["message"]
    with pytest.raises(TooLarge, match="64"):
        PublicDecryptRequest.parse({"ciphertextHandles": [HANDLE] * 65})


@pytest.mark.parametrize(
    "value", ["1" * 5000, "[" * 10**5, '{"a":1,"a":2}', "NaN", "1e999", "", "\x00"]
)
def test_json_that_is_none(value):
    with pytest.raises(ValueError, match=r"."):
        read_json(value)
    with pytest.raises(MalformedRequest):
        PublicDecryptRequest.read(value)


# -- what a client reads -------------------------------------------------------------------------------


class Odd:
    """A gateway that answers `answer` to requests, and `material` for its keys."""

    def __init__(self, real, *, answer=None, material=None, clock=None):
        self._answer, self._real = answer, real
        self.key_material = real.key_material if material is None else lambda: material
        self.clock = real.clock if clock is None else lambda: clock

    def answer(self, kind, payload):
        return self._answer


ODD = [json.loads(value) for value in VALUES if len(value) < 600 and value not in ("1e400", "NaN")]


NUMBERS_OF_CHAINS = (0, 1, 2**31, 10**10, 2**63, "0", "0x0", "00" * 32, "0x" + "00" * 31)


@pytest.mark.parametrize("field", ["publicKeys", "chainId", "acl", "decryption", "gatewayChainId"])
def test_odd_key_material(fhevm, field):
    material = fhevm.gateway.key_material()
    for value in ODD:
        is_number = not isinstance(value, bool | float) and value in NUMBERS_OF_CHAINS
        if field.endswith("hainId") and is_number:
            continue
        with pytest.raises(Unavailable):
            FhevmClient(Odd(fhevm.gateway, material=material | {field: value}))
    del material[field]
    with pytest.raises(Unavailable):
        FhevmClient(Odd(fhevm.gateway, material=material))


def test_odd_answers(fhevm):
    good = {"decryptedValue": "0x" + "00" * 32, "payload": "0x", "signatures": ["0x" + "11" * 65]}
    for field in ("decryptedValue", "signatures"):
        for value in ODD:
            if field == "decryptedValue" and isinstance(value, str):
                continue  # hexadecimal, or not: the signature decides
            with pytest.raises(Unavailable):
                FhevmClient(Odd(fhevm.gateway, answer=good | {field: value})).public_decrypt(
                    [HANDLE]
                )


def test_odd_clocks(fhevm):
    for value in ({}, {"timestamp": None, "block": 1}, {"timestamp": 1.5, "block": 1}, [], None):
        with pytest.raises(Unavailable):
            FhevmClient(Odd(fhevm.gateway, clock=value or [])).permit(HOST, [GUEST.address])


@pytest.mark.parametrize("body", [*(json.dumps(value) for value in ODD), "", "{", "[" * 10**5])
def test_servers_that_are_no_gateway(body):
    for status in (200, 202, 404, 500):
        answer = httpx.MockTransport(lambda _, s=status: httpx.Response(s, text=body))
        http = Http("http://odd", client=httpx.Client(base_url="http://odd", transport=answer))
        with pytest.raises(Unavailable):
            http.answer("public-decrypt", {})
        with pytest.raises(Unavailable):
            FhevmClient(http)


@pytest.mark.parametrize("field", ["backend", "fhe", "hpke", "kmsSigner", "attestationSigner"])
def test_odd_public_keys(fhevm, field):
    good = fhevm.keys.public.to_json()
    assert PublicKeys.from_json(good) == fhevm.keys.public
    for value in ODD:
        if isinstance(value, str) and (field in ("fhe", "backend") or value == "00" * 32):
            continue
        with pytest.raises(KeysDamaged):
            PublicKeys.from_json(good | {field: value})
