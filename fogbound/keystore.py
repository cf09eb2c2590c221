"""Encrypted key files (Web3 Secret Storage), such as `ape accounts generate NAME` makes."""

import json
from collections.abc import Callable
from pathlib import Path

from eth_account import Account
from eth_account.signers.local import LocalAccount

from fogbound.errors import SettingsInvalid
from fogbound.transactions import account_from_key

Ask = Callable[[str], str]
"""Asks for a passphrase, with these words, and shows nothing of it."""


def kept_in_keystore(folder: Path, name: str, ask: Ask) -> LocalAccount:
    """The account in `folder`/`name`.json. Raises SettingsInvalid; never with the passphrase."""
    file = folder / f"{name}.json"
    try:
        encrypted = json.loads(file.read_text())
    except (OSError, ValueError):
        raise SettingsInvalid(f"there is no account {name} in {folder}") from None
    try:
        return account_from_key(bytes(Account.decrypt(encrypted, ask(f"Passphrase of {name}"))))
    except (ValueError, TypeError, KeyError):
        raise SettingsInvalid(f"{file} does not open with that passphrase") from None
