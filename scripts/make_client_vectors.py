"""Write tests/vectors/fhevm-client.json: what every client of the gateway must make and open alike.

The randomness of inputs and sealings is fixed here, so that a client with the same randomness gives the same
bytes. The inputs of the real backend use the public key in ring-encryption.json.
"""

import base64
import hashlib
import json
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from Crypto.Protocol.DH import import_x25519_private_key
from eth_account.messages import _hash_eip191_message

from fhevm import hpke
from fhevm.addresses import LOCAL, LOCAL_CHAIN_ID, LOCAL_GATEWAY, PUBLIC_HOSTS
from fhevm.backends import get_backend
from fhevm.devchain import dev_accounts
from fhevm.eip712 import Domains, decryption_proof, input_proof, sign
from fhevm.handles import Handle
from fhevm.inputs import Binding, encrypt_input, input_handles
from fhevm.keys import generate_keys
from fhevm.kms import seal_words
from fhevm.permits import Permit
from fhevm.types import FheType
from fhevm.wire import HandleContractPair

VECTORS = Path(__file__).parents[1] / "tests" / "vectors"
FILE = VECTORS / "fhevm-client.json"
KEYS = generate_keys(get_backend("clear"), bytes(range(32)))
DOMAINS = Domains()
CONTRACT = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
OTHER_CONTRACT = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512"
START = 1_700_000_000
BIT = (FheType.EBOOL, 1)
MIXED = [(FheType.EBOOL, 0), (FheType.EUINT8, 200), (FheType.EADDRESS, 2**160 - 2)]


def main():
    account = dev_accounts()[1]
    content = {
        "keyMaterial": _key_material(),
        "hosts": _hosts(),
        "hpkePrivateKey": _hex(KEYS.kms.hpke),
        "sealings": [_sealing(number) for number in range(2)],
        "inputs": [
            _input("clear", account.address, [BIT]),
            _input("clear", account.address, MIXED),
            _input("concrete", account.address, [BIT]),
            _input("concrete", account.address, MIXED),
        ],
        "reading": _reading(account),
        "publicDecryption": _public_decryption(),
    }
    FILE.write_text(json.dumps(content, indent=1) + "\n")


def _key_material():
    return {
        "publicKeys": KEYS.public.to_json(),
        "fingerprint": KEYS.public.fingerprint,
        "chainId": DOMAINS.chain_id,
        "acl": DOMAINS.acl,
        "gatewayChainId": LOCAL_GATEWAY.chain_id,
        "decryption": LOCAL_GATEWAY.decryption,
        "inputVerification": LOCAL_GATEWAY.input_verification,
    }


def _hosts():
    """ACL, executor and KMSVerifier of each chain that the protocol is on, by chain id."""
    local = (LOCAL.acl, LOCAL.executor, LOCAL.kms_verifier)
    return {
        str(chain_id): host for chain_id, host in {LOCAL_CHAIN_ID: local, **PUBLIC_HOSTS}.items()
    }


def _sealing(number):
    ephemeral = _random("sealing", number)
    message, info, associated = b"a message"[: 9 * number], b"purpose" * number, b"for whom"
    with fixed_ephemeral(ephemeral):
        sealing = hpke.seal(KEYS.public.hpke, message, info=info, associated=associated)
    return {
        "ephemeral": _hex(ephemeral),
        "info": _hex(info),
        "associated": _hex(associated),
        "message": _hex(message),
        "sealing": _hex(sealing),
    }


def _input(backend, user, values):
    seed, ephemeral = _random(f"{backend} seed", len(values)), _random(backend, len(values))
    binding = Binding(CONTRACT, user, DOMAINS)
    encryptor = get_backend(backend).encryptor(_fhe_key(backend))
    with fixed_ephemeral(ephemeral), patch("fhevm.inputs.secrets.token_bytes", return_value=seed):
        blob = encrypt_input(values, binding, encryptor, KEYS.public.hpke)
    handles = input_handles(blob, [fhe_type for fhe_type, _ in values], DOMAINS)
    message = DOMAINS.ciphertext_verification(handles, user, CONTRACT)
    signature = sign(message, KEYS.coprocessor.attestation)
    return {
        "backend": backend,
        "contract": CONTRACT,
        "user": user,
        "values": [[int(fhe_type), str(value)] for fhe_type, value in values],
        "seed": _hex(seed),
        "ephemeral": _hex(ephemeral),
        "length": len(blob),
        "sha256": hashlib.sha256(blob).hexdigest(),
        "tail": _hex(blob[-200:]),
        "handles": list(map(str, handles)),
        "digest": _digest(message),
        "signature": _hex(signature),
        "proof": _hex(input_proof(handles, [signature])),
    }


def _reading(account):
    """A permit, a request for three values and the KMS's answer."""
    private, ephemeral = _random("permit", 0), _random("answer", 0)
    contracts = [CONTRACT, OTHER_CONTRACT]
    with patch("fhevm.permits.secrets.token_bytes", return_value=private):
        permit = Permit.sign(account, DOMAINS, contracts, start=START, days=1)
    types = [FheType.EBOOL, FheType.EUINT64, FheType.EBOOL]
    values = [1, 2**64 - 1, 0]
    handles = [_computed(number, fhe_type) for number, fhe_type in enumerate(types)]
    pairs = [HandleContractPair(handle=each, contract_address=CONTRACT) for each in handles]
    request = permit.request(pairs, DOMAINS.chain_id)
    with fixed_ephemeral(ephemeral):
        payload = seal_words(request, b"".join(value.to_bytes(32) for value in values))
    response = DOMAINS.user_decrypt_response(permit.public_key, handles, payload)
    return {
        "accountKey": _hex(bytes(account.key)),
        "permit": {
            "user": permit.user,
            "contracts": list(permit.contracts),
            "start": permit.start,
            "days": permit.days,
            "publicKey": _hex(permit.public_key),
            "privateKey": _hex(permit.private_key),
            "signature": _hex(permit.signature),
        },
        "permitDigest": _digest(
            DOMAINS.user_decrypt_request(permit.public_key, contracts, START, 1)
        ),
        "request": json.loads(json.dumps(request.to_json())),
        "contract": CONTRACT,
        "handles": list(map(str, handles)),
        "values": list(map(str, values)),
        "payload": _hex(payload),
        "responseDigest": _digest(response),
        "signature": _hex(sign(response, KEYS.kms.signer)),
    }


def _public_decryption():
    handles = [_computed(7, FheType.EUINT8), _computed(8, FheType.EBOOL)]
    result = (200).to_bytes(32) + (1).to_bytes(32)
    message = DOMAINS.public_decrypt_verification(handles, result)
    signature = sign(message, KEYS.kms.signer)
    return {
        "handles": list(map(str, handles)),
        "values": ["200", "1"],
        "decryptedValue": _hex(result),
        "digest": _digest(message),
        "signature": _hex(signature),
        "proof": _hex(decryption_proof([signature])),
    }


def _computed(number, fhe_type):
    head = bytes([number + 1] * 21) + b"\xff" + DOMAINS.chain_id.to_bytes(8)
    return Handle(head + bytes([fhe_type, 0]))


def _fhe_key(backend):
    if backend == KEYS.public.backend:
        return KEYS.public.fhe
    ring = json.loads((VECTORS / "ring-encryption.json").read_text())
    return base64.b64decode(ring["publicKey"])


@contextmanager
def fixed_ephemeral(private):
    """Sealings use this key instead of a new one."""
    key = import_x25519_private_key(private)
    with patch("Crypto.Protocol.HPKE.ECC.generate", return_value=key):
        yield


def _random(purpose, number):
    return hashlib.sha256(f"{purpose} {number}".encode()).digest()


def _digest(message):
    return _hex(_hash_eip191_message(message))


def _hex(data):
    return "0x" + bytes(data).hex()


if __name__ == "__main__":
    main()
