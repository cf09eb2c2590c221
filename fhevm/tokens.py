"""Tokens that two processes of one account share: each lies in a file of mode 0600."""

import re
import secrets
from contextlib import suppress
from pathlib import Path

from fhevm.errors import KeysDamaged
from fhevm.keyfiles import write_private

_TOKEN_BYTES = 32
_TOKEN = re.compile(r"[0-9a-f]{64}")


def make_token(file: Path) -> str:
    """The token in `file`, made where there is none (once, whoever else makes one). Raises KeysDamaged."""
    if not file.exists():
        file.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        token = secrets.token_hex(_TOKEN_BYTES)
        partial = file.with_name(f"{file.name}.{token[:8]}")
        write_private(partial, token.encode())
        with suppress(FileExistsError):
            file.hardlink_to(partial)
        partial.unlink()
    return read_token(file)


def read_token(file: Path) -> str:
    """The token in `file`. Raises KeysDamaged where others could read it, or it is none."""
    try:
        token, mode = file.read_text(), file.stat().st_mode
    except (OSError, UnicodeDecodeError) as error:
        raise KeysDamaged(f"{file}: {type(error).__name__}") from None
    if mode & 0o077 or not _TOKEN.fullmatch(token):
        raise KeysDamaged(f"{file}: not a token that only its owner can read")
    return token
