import json
import os
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from fhevm import keyfiles
from fhevm.backends import get_backend
from fhevm.errors import KeysDamaged, KeysMismatched
from fhevm.keyfiles import ensure_keys, load_coprocessor, load_host, load_keys, load_kms
from fhevm.keys import generate_keys

BACKEND = get_backend("clear")
SEED = bytes(range(32))
FILES = [
    "kms/keys/secret.key",
    "kms/keys/signer.key",
    "kms/keys/hpke.key",
    "kms/keys/manifest.json",
    "coprocessor/keys/evaluation.key",
    "coprocessor/keys/attestation.key",
    "coprocessor/keys/manifest.json",
    "host/keys/owner.key",
    "host/keys/manifest.json",
]


class Crash(Exception):
    """The process ends here."""


def names(data):
    return sorted(str(f.relative_to(data)) for f in data.rglob("*") if f.is_file())


def contents(data):
    return {name: (data / name).read_bytes() for name in FILES}


def test_made_once_then_kept(tmp_path):
    first = ensure_keys(tmp_path, BACKEND)
    before = contents(tmp_path)
    assert ensure_keys(tmp_path, BACKEND) == first
    assert contents(tmp_path) == before
    assert names(tmp_path) == sorted([*FILES, ".keys.lock"])


def test_each_role_reads_its_own_folder_only(tmp_path):
    public = ensure_keys(tmp_path, BACKEND)
    for role, load in (("kms", load_kms), ("coprocessor", load_coprocessor), ("host", load_host)):
        alone = tmp_path / f"only-{role}"
        shutil.copytree(tmp_path / role, alone / role)
        assert load(alone).public == public


def test_only_the_owner_can_read(tmp_path):
    ensure_keys(tmp_path, BACKEND)
    for name in FILES:
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600, name


def test_the_coprocessor_has_no_secret(tmp_path):
    ensure_keys(tmp_path, BACKEND)
    keys = load_keys(tmp_path)
    below = b"".join(f.read_bytes() for f in (tmp_path / "coprocessor").rglob("*") if f.is_file())
    for secret in (keys.kms.secret, keys.kms.signer, keys.kms.hpke, keys.host.owner):
        assert secret not in below
        assert secret.hex().encode() not in below


def test_secrets_are_not_shown():
    keys = generate_keys(BACKEND, SEED)
    for secret in (keys.kms.secret, keys.kms.signer, keys.kms.hpke, keys.coprocessor.attestation):
        assert repr(secret) not in repr(keys)


def test_a_seed_gives_the_same_keys_again(tmp_path):
    first = ensure_keys(tmp_path / "a", BACKEND, SEED)
    second = ensure_keys(tmp_path / "b", BACKEND, SEED)
    other = ensure_keys(tmp_path / "c", BACKEND, bytes(32))
    assert first == second
    assert load_keys(tmp_path / "a") == load_keys(tmp_path / "b")
    assert other.fingerprint != first.fingerprint


def test_no_two_keys_are_equal():
    keys = generate_keys(BACKEND, SEED)
    private = [keys.kms.signer, keys.kms.hpke, keys.coprocessor.attestation, keys.host.owner, SEED]
    assert len(set(private)) == len(private)


def test_a_seed_has_32_bytes():
    with pytest.raises(ValueError, match="32 bytes"):
        generate_keys(BACKEND, b"short")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["changed", "truncated", "missing", "empty"])
def test_a_damaged_file_is_an_error_and_stays(tmp_path, name, damage):
    ensure_keys(tmp_path, BACKEND)
    file = tmp_path / name
    content = file.read_bytes()
    if damage == "missing":
        file.unlink()
    else:
        damaged = {
            "changed": bytes([content[0] ^ 1]) + content[1:],
            "truncated": content[:-1],
            "empty": b"",
        }
        file.write_bytes(damaged[damage])
    before = {n: (tmp_path / n).read_bytes() for n in FILES if (tmp_path / n).exists()}
    with pytest.raises(KeysDamaged):
        ensure_keys(tmp_path, BACKEND)
    assert {n: (tmp_path / n).read_bytes() for n in FILES if (tmp_path / n).exists()} == before


@pytest.mark.parametrize("role", ["kms", "coprocessor", "host"])
def test_a_missing_role_is_an_error(tmp_path, role):
    ensure_keys(tmp_path, BACKEND)
    shutil.rmtree(tmp_path / role)
    with pytest.raises(KeysDamaged):
        ensure_keys(tmp_path, BACKEND)
    assert not (tmp_path / role).exists()


@pytest.mark.parametrize("role", ["kms", "coprocessor", "host"])
def test_a_role_of_another_set_is_an_error(tmp_path, role):
    ensure_keys(tmp_path / "mine", BACKEND)
    ensure_keys(tmp_path / "theirs", BACKEND)
    shutil.rmtree(tmp_path / "mine" / role)
    shutil.copytree(tmp_path / "theirs" / role, tmp_path / "mine" / role)
    with pytest.raises(KeysMismatched):
        ensure_keys(tmp_path / "mine", BACKEND)


def test_keys_of_another_backend_are_an_error(tmp_path):
    ensure_keys(tmp_path, BACKEND)
    with pytest.raises(KeysMismatched, match="clear"):
        load_keys(tmp_path, "concrete")


def test_another_public_key_in_the_manifest_is_an_error(tmp_path):
    ensure_keys(tmp_path, BACKEND)
    file = tmp_path / "coprocessor/keys/manifest.json"
    manifest = json.loads(file.read_text())
    manifest["public"]["hpke"] = "00" * 32
    file.write_text(json.dumps(manifest))
    with pytest.raises(KeysDamaged):
        load_coprocessor(tmp_path)


def count_steps(folder, monkeypatch):
    """How many changes of the disk one generation makes."""
    steps = crash_after(10**6, monkeypatch)
    ensure_keys(folder, BACKEND, SEED)
    monkeypatch.undo()
    return len(steps)


def crash_after(limit, monkeypatch):
    steps = []

    def counting(function):
        def counted(*arguments, **options):
            if len(steps) >= limit:
                raise Crash
            steps.append(function.__name__)
            return function(*arguments, **options)

        return counted

    for name in ("open", "fsync", "rename"):
        monkeypatch.setattr(os, name, counting(getattr(os, name)))
    monkeypatch.setattr(keyfiles.shutil, "rmtree", counting(shutil.rmtree))
    return steps


def test_a_crash_at_any_step_leaves_nothing_half_valid(tmp_path, monkeypatch):
    total = count_steps(tmp_path / "whole", monkeypatch)
    assert total > 20
    for limit in range(total):
        data = tmp_path / str(limit)
        with monkeypatch.context() as patch:
            crash_after(limit, patch)
            with pytest.raises(Crash):
                ensure_keys(data, BACKEND, SEED)
        committed = (data / ".keys" / "complete").exists() or (data / "host/keys").exists()
        public = ensure_keys(data, BACKEND, None if committed else bytes(32))
        expected = SEED if committed else bytes(32)
        assert public == generate_keys(BACKEND, expected).public, limit
        assert not (data / ".keys").exists()


def test_two_starts_at_once_make_one_set(tmp_path):
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: ensure_keys(tmp_path, BACKEND), range(4)))
    assert len({public.fingerprint for public in made}) == 1
