"""Encrypted key files (Web3 Secret Storage, version 3), such as ape and geth make."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from eth_account import Account
from eth_account.signers.local import LocalAccount
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from fogbound.errors import SettingsInvalid
from fogbound.transactions import account_from_key

Ask = Callable[[str], str]
"""Asks for a passphrase, with these words, and shows nothing of it."""
BYTES = 64 << 10  # a key file has half a thousand
Hex = Annotated[str, Field(pattern=r"^(0x)?[0-9a-fA-F]*$", max_length=1024)]


class _Form(BaseModel):
    model_config = ConfigDict(strict=True)


class _Scrypt(_Form):
    """Its memory is n · r · 128 bytes: 256 MiB where others make the file, a gigabyte here at most."""

    n: Annotated[int, Field(ge=2, le=2**20)]
    r: Annotated[int, Field(ge=1, le=8)]
    p: Annotated[int, Field(ge=1, le=16)]
    dklen: Annotated[int, Field(ge=32, le=64)]
    salt: Hex


class _Pbkdf2(_Form):
    c: Annotated[int, Field(ge=1, le=10_000_000)]
    prf: Literal["hmac-sha256"]
    dklen: Annotated[int, Field(ge=32, le=64)]
    salt: Hex


class _CipherParameters(_Form):
    iv: Hex


class _Crypto(_Form):
    cipher: Literal["aes-128-ctr"]
    cipherparams: _CipherParameters
    ciphertext: Hex
    mac: Hex


class _ByScrypt(_Crypto):
    kdf: Literal["scrypt"]
    kdfparams: _Scrypt


class _ByPbkdf2(_Crypto):
    kdf: Literal["pbkdf2"]
    kdfparams: _Pbkdf2


class _KeyFile(_Form):
    """What is read of a key file; older ones spell `Crypto`."""

    version: Literal[3]
    crypto: Annotated[_ByScrypt | _ByPbkdf2, Field(discriminator="kdf")] = Field(
        validation_alias=AliasChoices("crypto", "Crypto")
    )


def kept_in_keystore(folder: Path, name: str, ask: Ask) -> LocalAccount:
    """The account in `folder`/`name`, which may leave out .json. Raises SettingsInvalid; never with the
    passphrase.
    """
    file = _file(folder, name)
    encrypted = _read(file)
    try:
        return account_from_key(bytes(Account.decrypt(encrypted, ask(f"Passphrase of {name}"))))
    except (ValueError, TypeError, KeyError):
        raise SettingsInvalid(f"{file} does not open with that passphrase") from None


def _file(folder: Path, name: str) -> Path:
    """geth's files have no ending."""
    if Path(name).name == name:
        for file in (folder / f"{name}.json", folder / name):
            if file.is_file():
                return file
    raise SettingsInvalid(f"there is no account {name} in {folder}")


def _read(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            content = stream.read(BYTES + 1)
    except OSError as error:
        words = (error.strerror or type(error).__name__).lower()
        raise SettingsInvalid(f"{file} cannot be read: {words}") from None
    if len(content) > BYTES:
        raise SettingsInvalid(f"{file} is no key file: it has more than {BYTES} bytes")
    try:
        return _KeyFile.model_validate_json(content).model_dump()
    except ValidationError as error:
        wrong = {str(each["loc"][0]) for each in error.errors() if each["loc"]}
        reason = (
            "is of a version that is not read here (3 is)" if "version" in wrong else "is damaged"
        )
        raise SettingsInvalid(f"{file} {reason if wrong else 'is no key file'}") from None
