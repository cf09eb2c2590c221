"""The vectors that clients in other languages are held to: this package opens and accepts them."""

import base64
import hashlib
import json
from unittest.mock import patch

import pytest
from eth_account import Account
from eth_account.messages import _hash_eip191_message

from fhevm import hpke
from fhevm.addresses import LOCAL, LOCAL_CHAIN_ID, PUBLIC_HOSTS
from fhevm.backends import get_backend
from fhevm.backends.clear import InsecureClearBackend
from fhevm.client import FhevmClient
from fhevm.eip712 import Domains, input_proof, recover
from fhevm.handles import Handle
from fhevm.inputs import Binding, encrypt_input, input_handles, open_input
from fhevm.keys import PublicKeys
from fhevm.permits import Permit
from fhevm.types import FheType
from fhevm.wire import UserDecryptRequest
from scripts.make_client_vectors import FILE, VECTORS, fixed_ephemeral

CONTENT = json.loads(FILE.read_text())
MATERIAL = CONTENT["keyMaterial"]
PUBLIC = PublicKeys.from_json(MATERIAL["publicKeys"])
RING_KEY = base64.b64decode(json.loads((VECTORS / "ring-encryption.json").read_text())["publicKey"])
DOMAINS = Domains()


def raw(text):
    return bytes.fromhex(text.removeprefix("0x"))


def digest(message):
    return bytes(_hash_eip191_message(message))


class Answering:
    """A gateway that gives one answer."""

    def __init__(self, **answer):
        self._answer = answer
        self.asked = None

    def key_material(self):
        return MATERIAL

    def answer(self, kind, payload):
        self.asked = kind, json.loads(json.dumps(payload))
        return self._answer


def test_hosts():
    assert CONTENT["hosts"][str(LOCAL_CHAIN_ID)] == [LOCAL.acl, LOCAL.executor, LOCAL.kms_verifier]
    assert {int(chain_id) for chain_id in CONTENT["hosts"]} == {LOCAL_CHAIN_ID, *PUBLIC_HOSTS}
    for chain_id, host in PUBLIC_HOSTS.items():
        assert tuple(CONTENT["hosts"][str(chain_id)]) == host


def test_keys():
    assert PUBLIC.fingerprint == MATERIAL["fingerprint"]
    assert hpke.public_key(raw(CONTENT["hpkePrivateKey"])) == PUBLIC.hpke


@pytest.mark.parametrize("each", CONTENT["sealings"])
def test_sealings(each):
    context = {"info": raw(each["info"]), "associated": raw(each["associated"])}
    private = raw(CONTENT["hpkePrivateKey"])
    assert hpke.unseal(private, raw(each["sealing"]), **context) == raw(each["message"])
    with fixed_ephemeral(raw(each["ephemeral"])):
        assert hpke.seal(PUBLIC.hpke, raw(each["message"]), **context) == raw(each["sealing"])


@pytest.mark.parametrize("each", CONTENT["inputs"], ids=lambda each: each["backend"])
def test_inputs(each):
    """Honest in the eyes of the KMS, named and attested as the vector says."""
    key = PUBLIC.fhe if each["backend"] == InsecureClearBackend.name else RING_KEY
    encryptor = get_backend(each["backend"]).encryptor(key)
    binding = Binding(each["contract"], each["user"], DOMAINS)
    values = [(FheType(fhe_type), int(value)) for fhe_type, value in each["values"]]
    seed = raw(each["seed"])
    with fixed_ephemeral(raw(each["ephemeral"])), patch("secrets.token_bytes", return_value=seed):
        blob = encrypt_input(values, binding, encryptor, PUBLIC.hpke)
    assert (len(blob), hashlib.sha256(blob).hexdigest()) == (each["length"], each["sha256"])
    types = open_input(blob, binding, encryptor, raw(CONTENT["hpkePrivateKey"]))
    assert types == [fhe_type for fhe_type, _ in values]
    handles = input_handles(blob, types, DOMAINS)
    assert list(map(str, handles)) == each["handles"]
    message = DOMAINS.ciphertext_verification(handles, each["user"], each["contract"])
    assert digest(message) == raw(each["digest"])
    assert recover(message, raw(each["signature"])) == PUBLIC.attestation_signer
    assert input_proof(handles, [raw(each["signature"])]) == raw(each["proof"])


def test_reading():
    reading = CONTENT["reading"]
    kept, handles = reading["permit"], list(map(Handle.parse, reading["handles"]))
    permit = Permit(
        user=kept["user"],
        delegator=None,
        contracts=tuple(kept["contracts"]),
        start=kept["start"],
        days=kept["days"],
        public_key=raw(kept["publicKey"]),
        signature=raw(kept["signature"]),
        private_key=raw(kept["privateKey"]),
    )
    message = DOMAINS.user_decrypt_request(
        permit.public_key, permit.contracts, permit.start, permit.days
    )
    assert digest(message) == raw(reading["permitDigest"])
    assert recover(message, permit.signature) == kept["user"]
    assert Account.from_key(reading["accountKey"]).address == kept["user"]
    assert UserDecryptRequest.parse(reading["request"]).handles == handles
    gateway = Answering(payload=reading["payload"], signatures=[reading["signature"]])
    values = FhevmClient(gateway).read(permit, handles, reading["contract"])
    assert list(map(int, values)) == list(map(int, reading["values"]))
    assert gateway.asked == ("user-decrypt", reading["request"])
    response = DOMAINS.user_decrypt_response(permit.public_key, handles, raw(reading["payload"]))
    assert digest(response) == raw(reading["responseDigest"])


def test_public_decryption():
    public = CONTENT["publicDecryption"]
    gateway = Answering(decryptedValue=public["decryptedValue"], signatures=[public["signature"]])
    found = FhevmClient(gateway).public_decrypt(public["handles"])
    assert list(map(int, found.cleartexts)) == list(map(int, public["values"]))
    assert (found.abi_encoded, found.proof) == (raw(public["decryptedValue"]), raw(public["proof"]))
    handles = list(map(Handle.parse, public["handles"]))
    message = DOMAINS.public_decrypt_verification(handles, found.abi_encoded)
    assert digest(message) == raw(public["digest"])
