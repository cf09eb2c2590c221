"""Each message hashes as Zama's contracts and the EIP say, computed here by hand from the type strings."""

import pytest
from eth_account import Account
from eth_account.messages import _hash_eip191_message
from eth_utils.crypto import keccak

from fhevm.addresses import LOCAL_GATEWAY
from fhevm.eip712 import (
    Domains,
    decryption_proof,
    input_proof,
    proof_signatures,
    recover,
    sign,
)
from fhevm.errors import MalformedProof
from fhevm.handles import Handle

SIGNER = Account.from_key("0x" + "0a" * 32)
USER, GAME = "0x" + "11" * 20, "0x" + "22" * 20
HANDLES = [Handle(bytes([fill]) * 22 + (31337).to_bytes(8) + b"\x02\0") for fill in (1, 2)]
DOMAINS = Domains()


def word(value):
    return (
        value.to_bytes(32) if isinstance(value, int) else bytes.fromhex(value[2:]).rjust(32, b"\0")
    )


def domain(name, chain_id, contract):
    kind = b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    return keccak(keccak(kind) + keccak(name) + keccak(b"1") + word(chain_id) + word(contract))


def digest(separator, kind, *fields):
    return keccak(b"\x19\x01" + separator + keccak(keccak(kind) + b"".join(fields)))


HANDLES_HASH = keccak(b"".join(map(bytes, HANDLES)))
EXTRA_HASH = keccak(b"\0")


def test_ciphertext_verification():
    kind = (
        b"CiphertextVerification(bytes32[] ctHandles,address userAddress,address contractAddress,"
        b"uint256 contractChainId,bytes extraData)"
    )
    place = domain(b"InputVerification", 10901, LOCAL_GATEWAY.input_verification)
    expected = digest(place, kind, HANDLES_HASH, word(USER), word(GAME), word(31337), EXTRA_HASH)
    message = DOMAINS.ciphertext_verification(HANDLES, USER, GAME)
    assert _hash_eip191_message(message) == expected


def test_public_decrypt_verification():
    kind = b"PublicDecryptVerification(bytes32[] ctHandles,bytes decryptedResult,bytes extraData)"
    place = domain(b"Decryption", 10901, LOCAL_GATEWAY.decryption)
    result = word(7) + word(1)
    expected = digest(place, kind, HANDLES_HASH, keccak(result), EXTRA_HASH)
    message = DOMAINS.public_decrypt_verification(HANDLES, result)
    assert _hash_eip191_message(message) == expected


def test_user_decrypt_request():
    kind = (
        b"UserDecryptRequestVerification(bytes publicKey,address[] contractAddresses,"
        b"uint256 startTimestamp,uint256 durationDays,bytes extraData)"
    )
    place = domain(b"Decryption", 31337, LOCAL_GATEWAY.decryption)
    contracts = keccak(word(GAME) + word(USER))
    expected = digest(place, kind, keccak(b"key"), contracts, word(5), word(9), EXTRA_HASH)
    message = DOMAINS.user_decrypt_request(b"key", [GAME, USER], 5, 9)
    assert _hash_eip191_message(message) == expected


def test_delegated_user_decrypt_request():
    kind = (
        b"DelegatedUserDecryptRequestVerification(bytes publicKey,address[] contractAddresses,"
        b"address delegatorAddress,uint256 startTimestamp,uint256 durationDays,bytes extraData)"
    )
    place = domain(b"Decryption", 31337, LOCAL_GATEWAY.decryption)
    expected = digest(
        place, kind, keccak(b"key"), keccak(word(GAME)), word(USER), word(5), word(9), EXTRA_HASH
    )
    message = DOMAINS.user_decrypt_request(b"key", [GAME], 5, 9, delegator=USER)
    assert _hash_eip191_message(message) == expected


def test_signatures_recover():
    message = DOMAINS.public_decrypt_verification(HANDLES, word(1))
    signature = sign(message, bytes(SIGNER.key))
    assert (len(signature), signature[64] in (27, 28)) == (65, True)
    assert recover(message, signature) == SIGNER.address
    assert (
        recover(DOMAINS.public_decrypt_verification(HANDLES, word(2)), signature) != SIGNER.address
    )


@pytest.mark.parametrize("signature", [b"", bytes(64), bytes(65), bytes(66), b"\xff" * 65])
def test_bytes_that_are_no_signature(signature):
    with pytest.raises(MalformedProof):
        recover(DOMAINS.public_decrypt_verification(HANDLES, b""), signature)


def test_input_proof_layout():
    proof = input_proof(HANDLES, [b"s" * 65])
    assert proof == b"\x02\x01" + b"".join(map(bytes, HANDLES)) + b"s" * 65 + b"\0"


def test_decryption_proof_layout():
    signatures = [b"a" * 65, b"b" * 65]
    proof = decryption_proof(signatures)
    assert proof == b"\x02" + b"a" * 65 + b"b" * 65 + b"\0"
    assert proof_signatures(proof) == signatures


@pytest.mark.parametrize("proof", [b"", b"\0", b"\x01" + bytes(65), b"\x01" + bytes(67), bytes(67)])
def test_bytes_that_are_no_proof(proof):
    with pytest.raises(MalformedProof):
        proof_signatures(proof)
