"""Key files: one folder per role, mode 0600, made in one atomic step, checked at every read.

All roles' files are written to `DIR/.keys`, then the marker `complete` commits them, then each role's
folder moves to `DIR/<role>/keys`. A crash before the marker leaves nothing; after it, the next
start finishes the moves. A role whose folder is missing, or whose files changed, is an error.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from pydantic import Field

from fhevm.backends.base import Backend
from fhevm.errors import KeysDamaged, KeysMismatched, ServiceError
from fhevm.keys import (
    CoprocessorKeys,
    HostKeys,
    KeySet,
    KmsKeys,
    PublicKeys,
    address_of,
    generate_keys,
)
from fhevm.typed import Typed, Word
from fhevm.wire import ShownKeys

ROLES = ("kms", "coprocessor", "host")
_MANIFEST = "manifest.json"
_COMPLETE = "complete"
_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Manifest(Typed):
    """What a role's folder holds: the public keys, and the digest of each key file."""

    public: ShownKeys
    fingerprint: _Digest
    sha256: Annotated[dict[Word, _Digest], Field(max_length=16)]


def ensure_keys(data: Path, backend: Backend, seed: bytes | None = None) -> PublicKeys:
    """Make `data`'s keys on first use (from `seed` where given); afterwards only check them.

    Raises KeysDamaged where some are missing or changed, KeysMismatched where they are of
    different sets or of another backend.
    """
    data.mkdir(parents=True, exist_ok=True)
    with _locked(data):
        staging = data / ".keys"
        if not (staging / _COMPLETE).exists() and not any(_folder(data, r).exists() for r in ROLES):
            _stage(staging, generate_keys(backend, seed))
        _move_into_place(staging, data)
    return load_keys(data, backend.name).public


def load_keys(data: Path, backend: str | None = None) -> KeySet:
    """Every role's keys below one data folder. Raises as `ensure_keys` does."""
    keys = KeySet(load_kms(data), load_coprocessor(data), load_host(data))
    prints = {role.public.fingerprint for role in (keys.kms, keys.coprocessor, keys.host)}
    if len(prints) != 1:
        raise KeysMismatched(f"{data}: the roles' keys were not made together")
    if backend not in (None, keys.public.backend):
        raise KeysMismatched(f"{data}: keys of backend {keys.public.backend}, not {backend}")
    return keys


def load_kms(data: Path) -> KmsKeys:
    """The KMS's keys. Raises KeysDamaged, KeysMismatched."""
    public, files = _read(_folder(data, "kms"), "secret", "signer", "hpke")
    _check_address(data, files["signer"], public.kms_signer)
    return KmsKeys(public, files["secret"], files["signer"], files["hpke"])


def load_coprocessor(data: Path) -> CoprocessorKeys:
    """The coprocessor's keys. Raises KeysDamaged, KeysMismatched."""
    public, files = _read(_folder(data, "coprocessor"), "evaluation", "attestation")
    _check_address(data, files["attestation"], public.attestation_signer)
    return CoprocessorKeys(public, files["evaluation"], files["attestation"])


def load_host(data: Path) -> HostKeys:
    """The host owner's key. Raises KeysDamaged."""
    public, files = _read(_folder(data, "host"), "owner")
    return HostKeys(public, files["owner"])


def _folder(data: Path, role: str) -> Path:
    return data / role / "keys"


@contextmanager
def _locked(data: Path) -> Iterator[None]:
    """One process at a time makes keys; the lock goes with the process, however it ends."""
    with (data / ".keys.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _stage(staging: Path, keys: KeySet) -> None:
    shutil.rmtree(staging, ignore_errors=True)
    kms, coprocessor, host = keys.kms, keys.coprocessor, keys.host
    contents = {
        "kms": {"secret": kms.secret, "signer": kms.signer, "hpke": kms.hpke},
        "coprocessor": {
            "evaluation": coprocessor.evaluation,
            "attestation": coprocessor.attestation,
        },
        "host": {"owner": host.owner},
    }
    for role, files in contents.items():
        _write_role(staging / role, keys.public, files)
    write_private(staging / _COMPLETE, b"")
    _sync(staging)


def _write_role(folder: Path, public: PublicKeys, files: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, mode=0o700)
    for name, content in files.items():
        write_private(folder / f"{name}.key", content)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    manifest = {
        "public": public.to_json(),
        "fingerprint": public.fingerprint,
        "sha256": digests,
    }
    write_private(folder / _MANIFEST, json.dumps(manifest, indent=1).encode())
    _sync(folder)


def write_private(file: Path, content: bytes) -> None:
    """Write a file that only its owner can read, and wait until it is on the disk."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        os.fchmod(stream.fileno(), 0o600)
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _move_into_place(staging: Path, data: Path) -> None:
    if not (staging / _COMPLETE).exists():
        return
    for role in ROLES:
        if (staging / role).exists():
            _folder(data, role).parent.mkdir(mode=0o700, exist_ok=True)
            (staging / role).rename(_folder(data, role))
            _sync(_folder(data, role).parent)
    shutil.rmtree(staging)


def _read(folder: Path, *names: str) -> tuple[PublicKeys, dict[str, bytes]]:
    try:
        manifest = _Manifest.read((folder / _MANIFEST).read_bytes())
        files = {name: (folder / f"{name}.key").read_bytes() for name in names}
    except (OSError, ServiceError) as error:
        raise KeysDamaged(f"{folder}: {type(error).__name__}: {error}") from None
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != manifest.sha256.get(name):
            raise KeysDamaged(f"{folder / name}.key: changed since it was made")
    public = PublicKeys.of(manifest.public)
    if public.fingerprint != manifest.fingerprint:
        raise KeysDamaged(f"{folder / _MANIFEST}: the public key is not the fingerprint's")
    return public, files


def _check_address(data: Path, private_key: bytes, expected: str) -> None:
    try:
        found = address_of(private_key)
    except ValueError:
        raise KeysDamaged(f"{data}: the key of {expected} is no private key") from None
    if found != expected:
        raise KeysMismatched(f"{data}: a signer's key is not the one of {expected}")
