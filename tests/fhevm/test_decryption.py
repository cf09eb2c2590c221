"""Encrypted values end to end in one process: the real host contracts, a real contract, the client."""

import secrets
from dataclasses import replace

import pytest
from eth_account import Account

from fhevm import hpke
from fhevm.client import FhevmClient, PublicDecryption, verify_public_decryption
from fhevm.devchain import dev_accounts
from fhevm.eip712 import decryption_proof, sign
from fhevm.errors import (
    InputRefused,
    KeyChanged,
    MalformedRequest,
    NotAllowed,
    ProofInvalid,
    RequestExpired,
    RequestTooEarly,
    RevertedWith,
    SealingBroken,
    SignatureRefused,
    TooLarge,
    UnknownHandle,
)
from fhevm.freshchain import fresh_chain, mine, snapshot, travel
from fhevm.handles import Handle
from fhevm.kms import DAY_SECONDS, seal_words
from fhevm.local import LocalFhevm
from fhevm.types import FheType
from fhevm.wire import HandleContractPair
from tests.fhevm.box import Box, reverts

SEED = bytes(range(32))
HOUR = 3600
HOST, GUEST, OUTSIDER = dev_accounts()[1:4]


@pytest.fixture(scope="module")
def fhevm():
    with LocalFhevm.create(fresh_chain(), "clear", SEED) as local:
        yield local


@pytest.fixture(autouse=True)
def as_it_was(fhevm, box):
    """Each test leaves the chain as it found it."""
    go_back = snapshot(fhevm.w3)
    yield
    go_back()


@pytest.fixture
def client(fhevm):
    return fhevm.client


@pytest.fixture(scope="module")
def box(fhevm):
    """The host has added 7 with the flag set."""
    deployed = Box(fhevm.w3, HOST)
    deployed.add(fhevm.client, HOST, 7, True)
    return deployed


def now(fhevm):
    return fhevm.w3.eth.get_block("latest")["timestamp"]


def later(fhevm, seconds):
    travel(fhevm.w3, now(fhevm) + seconds)
    mine(fhevm.w3)


# -- inputs on chain -------------------------------------------------------------------------------------


def test_whole_way(box, client):
    box.add(client, HOST, 5, False)
    values = client.user_decrypt([box.total(), box.flag()], box.address, HOST)
    assert values == [12, False]
    assert [type(value) for value in values] == [int, bool]


def test_attack_proof_for_another_user(box, client):
    mine = client.encrypt(box.address, HOST.address).add_uint8(1).add_bool(True).encrypt()
    with reverts("InvalidSigner"):
        box.send(GUEST, "add", *mine.handles, mine.proof)


def test_attack_proof_for_another_contract(box, client, fhevm):
    other = Box(fhevm.w3, GUEST)
    mine = client.encrypt(other.address, HOST.address).add_uint8(1).add_bool(True).encrypt()
    with reverts("InvalidSigner"):
        box.send(HOST, "add", *mine.handles, mine.proof)


def test_attack_handle_of_another_proof(box, client):
    first = client.encrypt(box.address, HOST.address).add_uint8(1).add_bool(True).encrypt()
    second = client.encrypt(box.address, HOST.address).add_uint8(1).add_bool(True).encrypt()
    with reverts("InvalidInputHandle"):
        box.send(HOST, "add", *first.handles, second.proof)


def test_attack_proof_signed_by_oneself(box, client):
    mine = client.encrypt(box.address, HOST.address).add_uint8(1).add_bool(True).encrypt()
    handles = [Handle(raw) for raw in mine.handles]
    message = client.domains.ciphertext_verification(handles, HOST.address, box.address)
    forged = mine.proof[: 2 + 64] + sign(message, bytes(GUEST.key)) + b"\0"
    with reverts("InvalidSigner"):
        box.send(HOST, "add", *mine.handles, forged)


def test_attack_input_sealed_anew(box, client, fhevm):
    """A second sealing of the same ciphertext is a second input; it must not disturb the first."""
    from fhevm import inputs

    binding = inputs.Binding(box.address, HOST.address, client.domains)
    values = [(FheType.EUINT8, 9), (FheType.EBOOL, 1)]
    seed = secrets.token_bytes(32)
    ciphertext = client._loaded_encryptor().encrypt(values, seed)
    attested = []
    for _ in range(2):
        sealing = hpke.seal(
            client.public.hpke,
            seed + inputs._pack(values),
            info=inputs._INFO,
            associated=binding.associated_data,
        )
        blob = len(ciphertext).to_bytes(4) + ciphertext + sealing
        attested.append(attest_raw(client, box, blob))
    handles, proof = attested[0]
    box.send(HOST, "add", *handles, proof)
    assert client.user_decrypt([box.total()], box.address, HOST) == [16]


def attest_raw(client, box, blob):
    answer = client._gateway.answer(
        "input-proof",
        {
            "contractAddress": box.address,
            "userAddress": HOST.address,
            "contractChainId": hex(client.domains.chain_id),
            "ciphertextWithInputVerification": blob.hex(),
            "extraData": "0x00",
        },
    )
    from fhevm.eip712 import input_proof

    handles = [Handle.parse(handle) for handle in answer["handles"]]
    signatures = [bytes.fromhex(signature[2:]) for signature in answer["signatures"]]
    return [bytes(handle) for handle in handles], input_proof(handles, signatures)


def test_an_empty_proof_takes_only_what_the_sender_may_use(box):
    with reverts("SenderNotAllowedToUseHandle"):
        box.send(GUEST, "add", box.total(), box.flag(), b"")


def test_dishonest_inputs_are_not_attested(box, client):
    with pytest.raises(InputRefused):
        attest_raw(client, box, secrets.token_bytes(500))


# -- user decryption -------------------------------------------------------------------------------------


def test_one_permit_reads_often(box, client):
    permit = client.permit(HOST, [box.address], days=7)
    assert client.read(permit, [box.total()], box.address) == [7]
    box.add(client, HOST, 5, False)
    assert client.read(permit, [box.total(), box.flag()], box.address) == [12, False]


def test_the_permit_hides_its_key(box, client):
    permit = client.permit(HOST, [box.address])
    assert permit.private_key.hex() not in repr(permit)
    assert repr(permit.private_key) not in repr(permit)


@pytest.mark.parametrize("reader", [GUEST, OUTSIDER])
def test_attack_reading_what_is_not_allowed(box, client, reader):
    with pytest.raises(NotAllowed, match=f"no FHE.allow for user {reader.address}$"):
        client.user_decrypt([box.total()], box.address, reader)


@pytest.mark.parametrize(("for_sender", "lacking"), [(True, "contract"), (False, "user")])
def test_a_missing_allow_is_named(box, client, for_sender, lacking):
    box.send(HOST, "keepHalfAllowed", 3, for_sender)
    account = {"contract": box.address, "user": HOST.address}[lacking]
    with pytest.raises(NotAllowed, match=f"no FHE.allow for {lacking} {account}$"):
        client.user_decrypt([box.half_allowed()], box.address, HOST)


def test_both_missing_allows_are_named(box, client, fhevm):
    other = Box(fhevm.w3, GUEST)
    with pytest.raises(NotAllowed, match=f"user {GUEST.address} and contract {other.address}"):
        client.user_decrypt([box.total()], other.address, GUEST)


def forged(client, permit, box, **changes):
    """Send a permit with changed fields, as an attacker with a client of their own would."""
    return client.read(replace(permit, **changes), [box.total()], box.address)


def test_attack_signature_of_somebody_else(box, client):
    permit = client.permit(GUEST, [box.address])
    with pytest.raises(SignatureRefused):
        forged(client, permit, box, user=HOST.address)


def test_attack_another_public_key_in_a_signed_request(box, client):
    """Whoever sees a request would have the values sealed to himself."""
    permit = client.permit(HOST, [box.address])
    private = secrets.token_bytes(32)
    with pytest.raises(SignatureRefused):
        forged(client, permit, box, private_key=private, public_key=hpke.public_key(private))


def test_attack_seen_permit_opens_nothing(box, client):
    """A request that was overheard can be sent again, but its answer opens only for its author."""
    permit = client.permit(HOST, [box.address])
    with pytest.raises(SealingBroken):
        forged(client, permit, box, private_key=secrets.token_bytes(32))


@pytest.mark.parametrize(
    "changes", [{"days": 2}, {"start": 0, "days": 365}, {"signature": bytes(65)}]
)
def test_attack_changed_fields(box, client, changes):
    permit = client.permit(HOST, [box.address])
    with pytest.raises((SignatureRefused, RequestExpired)):
        forged(client, permit, box, **changes)


def test_attack_contract_added_later(box, client, fhevm):
    other = Box(fhevm.w3, GUEST)
    permit = client.permit(HOST, [other.address])
    with pytest.raises(MalformedRequest, match="not among the signed contracts"):
        client.read(permit, [box.total()], box.address)
    with pytest.raises(SignatureRefused):
        forged(client, permit, box, contracts=(other.address, box.address))


def test_dates(box, client, fhevm):
    start = now(fhevm)
    for allowed in (start, start - DAY_SECONDS + 100):
        permit = client.permit(HOST, [box.address], start=allowed)
        assert client.read(permit, [box.total()], box.address) == [7]
    with pytest.raises(RequestTooEarly):
        client.read(
            client.permit(HOST, [box.address], start=start + HOUR), [box.total()], box.address
        )
    permit = client.permit(HOST, [box.address], start=start - DAY_SECONDS)
    with pytest.raises(RequestExpired):
        client.read(permit, [box.total()], box.address)


def test_a_permit_ends(box, client, fhevm):
    permit = client.permit(HOST, [box.address], days=1)
    later(fhevm, DAY_SECONDS + 1)
    with pytest.raises(RequestExpired):
        client.read(permit, [box.total()], box.address)


@pytest.mark.parametrize("days", [0, 366])
def test_duration_limits(box, client, days):
    with pytest.raises(MalformedRequest, match="durationDays"):
        client.read(client.permit(HOST, [box.address], days=days), [box.total()], box.address)


def addresses(count):
    return [Account.from_key(bytes([1]) * 31 + bytes([n + 1])).address for n in range(count)]


def test_contract_limits(box, client):
    permit = client.permit(HOST, [box.address, *addresses(9)])
    assert client.read(permit, [box.total()], box.address) == [7]
    with pytest.raises(TooLarge):
        client.read(client.permit(HOST, [box.address, *addresses(10)]), [box.total()], box.address)
    with pytest.raises(MalformedRequest, match="at least 1 item"):
        client.read(client.permit(HOST, []), [box.total()], box.address)


def test_handle_limits(box, client, published):
    """A request names 64 handles at most; reading more takes several."""
    permit, total = client.permit(HOST, [box.address]), box.total()
    assert client.read(permit, [total] * 200, box.address) == [7] * 200
    assert client.public_decrypt([published.total()] * 64).cleartexts == [7] * 64
    with pytest.raises(TooLarge, match="at most 64 items"):
        client.public_decrypt([published.total()] * 65)
    pair = HandleContractPair(handle=Handle(total), contract_address=box.address)
    with pytest.raises(TooLarge, match="at most 64 items"):
        permit.request([pair] * 65, 31337)


def test_bit_limits(client):
    wide = Handle(bytes(21) + b"\xff" + (31337).to_bytes(8) + bytes([FheType.EUINT256, 0]))
    with pytest.raises(UnknownHandle):
        client.public_decrypt([wide] * 8)
    with pytest.raises(TooLarge, match="2048 bits"):
        client.public_decrypt([wide] * 9)


def test_the_user_is_no_contract(box, client):
    permit = client.permit(HOST, [box.address, HOST.address])
    with pytest.raises(MalformedRequest, match="the user is one of them"):
        client.read(permit, [box.total()], box.address)


def test_handles_that_nobody_made(box, client):
    made_up = bytes(range(21)) + b"\xff" + (31337).to_bytes(8) + b"\x02\0"
    with pytest.raises(UnknownHandle):
        client.user_decrypt([made_up], box.address, HOST)
    with pytest.raises(UnknownHandle):
        client.public_decrypt([made_up])


def test_handles_of_another_chain(box, client):
    foreign = box.total()[:22] + (1).to_bytes(8) + box.total()[30:]
    with pytest.raises(MalformedRequest, match="of chain 1"):
        client.user_decrypt([foreign], box.address, HOST)


def test_an_uninitialised_handle(box, client):
    with pytest.raises(MalformedRequest, match="of chain 0"):
        client.user_decrypt([bytes(32)], box.address, HOST)


# -- delegation ------------------------------------------------------------------------------------------


def delegate(client, fhevm, box, delegate=GUEST, hours=2):
    client.delegate(fhevm.w3, HOST, delegate.address, box.address, now(fhevm) + hours * HOUR)


def read_for_host(client, box, reader=GUEST):
    return client.user_decrypt([box.total()], box.address, reader, delegator=HOST.address)


def test_a_delegate_reads(box, client, fhevm):
    delegate(client, fhevm, box)
    assert read_for_host(client, box) == [7]
    with pytest.raises(NotAllowed):
        client.user_decrypt([box.total()], box.address, GUEST)


def test_attack_delegation_that_was_not_given(box, client, fhevm):
    with pytest.raises(NotAllowed, match="has not delegated"):
        read_for_host(client, box)
    delegate(client, fhevm, box)
    with pytest.raises(NotAllowed, match="has not delegated"):
        read_for_host(client, box, OUTSIDER)


def test_a_delegation_ends(box, client, fhevm):
    delegate(client, fhevm, box)
    later(fhevm, 3 * HOUR)
    with pytest.raises(NotAllowed, match="has not delegated"):
        read_for_host(client, box)


def test_a_delegation_is_revoked(box, client, fhevm):
    from fhevm.delegation import revoke_reading

    delegate(client, fhevm, box)
    mine(fhevm.w3)  # both in one block are refused, and gas is estimated in the newest one
    revoke_reading(fhevm.w3, fhevm.host.acl, HOST, delegate=GUEST.address, contract=box.address)
    with pytest.raises(NotAllowed, match="has not delegated"):
        read_for_host(client, box)


def test_a_delegation_too_short(box, client, fhevm):
    with pytest.raises(RevertedWith, match="ExpirationDateBeforeOneHour"):
        delegate(client, fhevm, box, hours=0)


def test_a_delegator_must_be_named_on_that_path(box, client):
    permit = client.permit(HOST, [box.address])
    request = permit.request(
        [HandleContractPair(handle=box.total(), contract_address=box.address)], 31337
    )
    with pytest.raises(MalformedRequest, match="delegatorAddress"):
        client._gateway.answer("delegated-user-decrypt", request.to_json())


# -- public decryption -----------------------------------------------------------------------------------


@pytest.fixture
def published(box):
    box.send(OUTSIDER, "publish")
    return box


def test_nothing_is_public_by_itself(box, client):
    with pytest.raises(NotAllowed, match="not made publicly decryptable"):
        client.public_decrypt([box.total(), box.flag()])


def test_public_decryption_is_accepted_on_chain(published, client):
    decryption = client.public_decrypt([published.total(), published.flag()])
    assert decryption.cleartexts == [7, True]
    assert decryption.abi_encoded == (7).to_bytes(32) + (1).to_bytes(32)
    published.send(OUTSIDER, "open", 7, True, decryption.proof)
    assert published.opened() == (7, True)


def test_wrong_public_decryptions_revert(published, client):
    decryption = client.public_decrypt([published.total(), published.flag()])
    with reverts("KMSInvalidSigner"):
        published.send(OUTSIDER, "open", 8, True, decryption.proof)
    with reverts("KMSInvalidSigner"):
        published.send(OUTSIDER, "open", 7, False, decryption.proof)
    with reverts("EmptyDecryptionProof"):
        published.send(OUTSIDER, "open", 7, True, b"")
    with reverts("KMSZeroSignature"):
        published.send(OUTSIDER, "open", 7, True, b"\0\0")
    with reverts("DeserializingDecryptionProofFail"):
        published.send(OUTSIDER, "open", 7, True, decryption.proof[:60])
    assert published.opened() == (0, False)


def test_attack_proof_of_other_handles(published, client):
    """Right values in the wrong order, and a proof from before."""
    swapped = client.public_decrypt([published.flag(), published.total()])
    with reverts("KMSInvalidSigner"):
        published.send(OUTSIDER, "open", 7, True, swapped.proof)
    old = client.public_decrypt([published.total(), published.flag()])
    published.add(client, HOST, 0, True)
    with reverts("KMSInvalidSigner"):
        published.send(OUTSIDER, "open", 7, True, old.proof)


def test_attack_proof_signed_by_the_old_or_another_key(published, client):
    handles = [Handle(published.total()), Handle(published.flag())]
    message = client.domains.public_decrypt_verification(handles, bytes(64))
    proof = decryption_proof([sign(message, bytes(OUTSIDER.key))])
    with reverts("KMSInvalidSigner"):
        published.send(OUTSIDER, "open", 0, False, proof)


def test_offline_check(published, client):
    found: PublicDecryption = client.public_decrypt([published.total(), published.flag()])
    signers = [client.public.kms_signer]
    good = (found.handles, found.cleartexts, found.proof, signers, client.domains)
    verify_public_decryption(*good)
    for place, wrong in [
        (0, found.handles[::-1]),
        (0, found.handles[:1]),
        (1, [8, True]),
        (1, [7]),
        (1, [-1, True]),
        (2, b""),
        (2, found.proof[:-1]),
        (2, found.proof[:5] + bytes([found.proof[5] ^ 1]) + found.proof[6:]),
        (3, [OUTSIDER.address]),
        (3, []),
        (4, replace(client.domains, gateway=replace(client.domains.gateway, chain_id=1))),
    ]:
        with pytest.raises(ProofInvalid):
            verify_public_decryption(*good[:place], wrong, *good[place + 1 :])


# -- gateways that lie -----------------------------------------------------------------------------------


class Liar:
    """A gateway whose answers are changed on the way."""

    def __init__(self, gateway, change):
        self.key_material, self.clock = gateway.key_material, gateway.clock
        self._gateway, self._change = gateway, change

    def answer(self, kind, payload):
        return self._change(self._gateway.answer(kind, payload), payload)


def test_attack_lying_public_decryption(published, fhevm):
    def change(answer, _):
        return answer | {"decryptedValue": "0x" + (8).to_bytes(32).hex()}

    client = FhevmClient(Liar(fhevm.gateway, change))
    with pytest.raises(ProofInvalid):
        client.public_decrypt([published.total()])


def test_attack_lying_user_decryption(box, fhevm):
    """The gateway knows the public key, so it can seal whatever it likes; it cannot sign it."""

    def change(answer, payload):
        from fhevm.wire import UserDecryptRequest

        sealing = seal_words(UserDecryptRequest.parse(payload), (8).to_bytes(32))
        return answer | {"payload": "0x" + sealing.hex()}

    client = FhevmClient(Liar(fhevm.gateway, change))
    with pytest.raises(ProofInvalid):
        client.user_decrypt([box.total()], box.address, HOST)


def test_attack_attestation_of_other_handles(box, fhevm, client):
    other = client.encrypt(box.address, HOST.address).add_bool(True).encrypt()
    handles, signature = other.handles, other.proof[-66:-1]

    def change(answer, _):
        return {"handles": ["0x" + handles[0].hex()], "signatures": ["0x" + signature.hex()]}

    liar = FhevmClient(Liar(fhevm.gateway, change))
    with pytest.raises(ProofInvalid):
        liar.encrypt(box.address, HOST.address).add_bool(False).encrypt()


def test_a_pinned_fingerprint(fhevm, client):
    pinned = client.public.fingerprint
    assert FhevmClient(fhevm.gateway, fingerprint=pinned).public == client.public
    with pytest.raises(KeyChanged):
        FhevmClient(fhevm.gateway, fingerprint="00" * 32)


# -- real ciphertexts ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_whole_way_on_real_ciphertexts():
    with LocalFhevm.create(fresh_chain(), "concrete", SEED) as local:
        box, client = Box(local.w3, HOST), local.client
        box.add(client, HOST, 200, True)
        box.add(client, HOST, 100, False)
        handles = [box.total(), box.flag()]
        assert client.user_decrypt(handles, box.address, HOST) == [44, False]
        with pytest.raises(NotAllowed):
            client.user_decrypt(handles, box.address, GUEST)
        box.send(OUTSIDER, "publish")
        decryption = client.public_decrypt(handles)
        assert decryption.cleartexts == [44, False]
        box.send(OUTSIDER, "open", 44, False, decryption.proof)
        assert box.opened() == (44, False)
