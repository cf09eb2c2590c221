import pytest

from fhevm import hpke
from fhevm.errors import SealingBroken

# RFC 9180's published test vectors: base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM,
# the first encryption of the context.
VECTOR = {
    "info": "4f6465206f6e2061204772656369616e2055726e",
    "private": "497b4502664cfea5d5af0b39934dac72242a74f8480451e1aee7d6a53320333d",
    "public": "430f4b9859665145a6b1ba274024487bd66f03a2dd577d7753c68d7d7d00c00c",
    "encapsulated": "6c93e09869df3402d7bf231bf540fadd35cd56be14f97178f0954db94b7fc256",
    "associated": "436f756e742d30",
    "ciphertext": (
        "e5d84cd531cfb583096e7cfa9641bd3079cf3a91cda813c52deb5f512be9931980a41de125a925cdad859d5b7a"
    ),
    "message": "4265617574792069732074727574682c20747275746820626561757479",
}
VECTOR_BYTES = {name: bytes.fromhex(value) for name, value in VECTOR.items()}
PRIVATE = bytes(range(32))
PUBLIC = hpke.public_key(PRIVATE)


def test_public_key_of_the_vector():
    assert hpke.public_key(VECTOR_BYTES["private"]) == VECTOR_BYTES["public"]


def test_unseals_the_vector():
    message = hpke.unseal(
        VECTOR_BYTES["private"],
        VECTOR_BYTES["encapsulated"] + VECTOR_BYTES["ciphertext"],
        info=VECTOR_BYTES["info"],
        associated=VECTOR_BYTES["associated"],
    )
    assert message == VECTOR_BYTES["message"]


def test_what_is_sealed_opens():
    sealing = hpke.seal(PUBLIC, b"a secret", info=b"purpose", associated=b"for whom")
    assert len(sealing) == len(b"a secret") + hpke.OVERHEAD
    assert hpke.unseal(PRIVATE, sealing, info=b"purpose", associated=b"for whom") == b"a secret"
    assert hpke.seal(PUBLIC, b"a secret", info=b"purpose", associated=b"for whom") != sealing


@pytest.mark.parametrize(
    ("private", "info", "associated"),
    [
        (bytes(range(1, 33)), b"purpose", b"for whom"),
        (PRIVATE, b"other", b"for whom"),
        (PRIVATE, b"purpose", b"for another"),
        (PRIVATE, b"purpose", b""),
    ],
)
def test_opens_for_nothing_else(private, info, associated):
    sealing = hpke.seal(PUBLIC, b"a secret", info=b"purpose", associated=b"for whom")
    with pytest.raises(SealingBroken):
        hpke.unseal(private, sealing, info=info, associated=associated)


@pytest.mark.parametrize("length", [0, 1, 31, 32, 47, 55])
def test_truncated(length):
    sealing = hpke.seal(PUBLIC, b"a secret", info=b"purpose", associated=b"for whom")
    with pytest.raises(SealingBroken):
        hpke.unseal(PRIVATE, sealing[:length], info=b"purpose", associated=b"for whom")


@pytest.mark.parametrize("position", [0, 31, 32, 40, -1])
def test_changed(position):
    sealing = bytearray(hpke.seal(PUBLIC, b"a secret", info=b"purpose", associated=b"for whom"))
    sealing[position] ^= 1
    with pytest.raises(SealingBroken):
        hpke.unseal(PRIVATE, bytes(sealing), info=b"purpose", associated=b"for whom")


@pytest.mark.parametrize("public", [bytes(32), b"\1" + bytes(31), b"short", bytes(33)])
def test_a_useless_public_key_is_refused(public):
    """The all-zero key and the point of order four would give a shared secret that everybody knows."""
    with pytest.raises(SealingBroken):
        hpke.seal(public, b"a secret", info=b"purpose", associated=b"for whom")
