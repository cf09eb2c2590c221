"""Hybrid public-key encryption (RFC 9180), base mode: X25519, HKDF-SHA256, AES-256-GCM.

A sealing is `encapsulated key (32 bytes) ‖ ciphertext ‖ tag (16 bytes)`: one message for one key.
"""

from Crypto.Protocol import HPKE
from Crypto.Protocol.DH import import_x25519_private_key, import_x25519_public_key
from Crypto.PublicKey.ECC import EccKey

from fhevm.errors import SealingBroken

KEY_BYTES = 32
OVERHEAD = 48  # how much longer a sealing is than its message
_AEAD = HPKE.AEAD.AES256_GCM


def public_key(private: bytes) -> bytes:
    """The X25519 public key of 32 private bytes (any 32 random bytes are a private key)."""
    raw: bytes = import_x25519_private_key(private).public_key().export_key(format="raw")
    return raw


def seal(public: bytes, message: bytes, *, info: bytes, associated: bytes) -> bytes:
    """Encrypt for the holder of `public`; opens only with the same `info` and `associated` data.

    Raises SealingBroken where `public` is no usable X25519 key.
    """
    try:
        receiver = import_x25519_public_key(public)
        cipher = HPKE.new(receiver_key=receiver, aead_id=_AEAD, info=info)
    except ValueError as error:
        raise SealingBroken(f"not a usable X25519 public key: {error}") from None
    return bytes(cipher.enc + cipher.seal(message, associated))


def unseal(private: bytes, sealing: bytes, *, info: bytes, associated: bytes) -> bytes:
    """The message in a sealing. Raises SealingBroken where anything differs from what was sealed."""
    receiver: EccKey = import_x25519_private_key(private)
    encapsulated, ciphertext = sealing[:KEY_BYTES], sealing[KEY_BYTES:]
    try:
        cipher = HPKE.new(receiver_key=receiver, aead_id=_AEAD, enc=encapsulated, info=info)
        return bytes(cipher.unseal(ciphertext, associated))
    except ValueError:
        raise SealingBroken("made for another key or purpose, or changed on the way") from None
