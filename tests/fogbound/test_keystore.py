"""Encrypted key files: those of ape and geth open; of whatever else one line says what it is."""

import json

import pytest
from eth_account import Account

from fogbound.errors import SettingsInvalid
from fogbound.keystore import BYTES, kept_in_keystore

KEY, PASSPHRASE = "0x" + "5e" * 32, "a very long evening"
MADE = {
    kdf: Account.encrypt(KEY, PASSPHRASE, kdf=kdf, iterations=iterations)
    for kdf, iterations in (("scrypt", 2), ("pbkdf2", 5))
}


@pytest.fixture
def open_file(tmp_path):
    """Open a file of this content under a name."""

    def opened(content, name="me", file="me.json"):
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        (tmp_path / file).write_bytes(text)
        return kept_in_keystore(tmp_path, name, lambda _: PASSPHRASE)

    return opened


def changed(*path, to):
    """A good key file but for one value."""
    made = json.loads(json.dumps(MADE["scrypt"]))
    inner = made
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = to
    return made


@pytest.mark.parametrize("kdf", MADE)
def test_what_ape_makes_opens(open_file, kdf):
    assert open_file(MADE[kdf]).key.to_0x_hex() == KEY


def test_what_geth_makes_opens_by_its_name(open_file):
    name = "UTC--2026-01-02T03-04-05.678Z--19e7e376e7c213b7e7e7e46cc70a5dd086daff2a"
    older = {"Crypto" if name == "crypto" else name: each for name, each in MADE["scrypt"].items()}
    assert open_file(older, name, name).key.to_0x_hex() == KEY


NONE_OF_OURS = [b"", b"no json", b"[]", b"null", b"\xff\xfe", b"[" * 50_000]
DAMAGED = [
    {"version": 3},
    changed("crypto", to=None),
    changed("crypto", "cipher", to="des"),
    changed("crypto", "ciphertext", to="zz"),
    changed("crypto", "kdf", to="pbkdf2"),
    changed("crypto", "kdfparams", "n", to=2**30),
    changed("crypto", "kdfparams", "n", to="2"),
    changed("crypto", "kdfparams", "r", to=10**6),
    changed("crypto", "kdfparams", "salt", to=7),
]


@pytest.mark.parametrize(
    ("content", "words"),
    [(content, "is no key file") for content in NONE_OF_OURS]
    + [(content, "is damaged") for content in DAMAGED]
    + [(changed("version", to=version), "is of a version") for version in (1, 2, "3", None, 4)]
    + [(b"{" + b" " * BYTES, f"has more than {BYTES} bytes")],
)
def test_what_does_not_open_is_said_in_one_line(open_file, tmp_path, content, words):
    with pytest.raises(SettingsInvalid) as caught:
        open_file(content)
    assert str(caught.value).startswith(str(tmp_path / "me.json"))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["nobody", "", "../me", "sub/me", "."])
def test_no_file_of_that_name(tmp_path, name):
    (tmp_path / "accounts").mkdir()
    (tmp_path / "me.json").write_text(json.dumps(MADE["scrypt"]))
    with pytest.raises(SettingsInvalid, match="there is no account"):
        kept_in_keystore(tmp_path / "accounts", name, lambda _: pytest.fail("asked"))
