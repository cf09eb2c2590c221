"""Which public key a gateway is known by: a pinned fingerprint, or the first one seen at its URL."""

import json
from pathlib import Path

from fhevm.errors import KeyChanged
from fhevm.keys import PublicKeys


def check_pinned(public: PublicKeys, fingerprint: str | None) -> None:
    """Raises KeyChanged unless the key has this fingerprint (or none is pinned)."""
    if fingerprint is not None and public.fingerprint != fingerprint:
        raise KeyChanged(f"fingerprint {public.fingerprint}, not {fingerprint}")


def check_known(public: PublicKeys, url: str, known_keys: Path) -> None:
    """Compare with what `known_keys` remembers of `url`; remember it where it is new.

    The file is JSON, URL → fingerprint. Raises KeyChanged.
    """
    known = json.loads(known_keys.read_text()) if known_keys.exists() else {}
    if url in known:
        check_pinned(public, known[url])
        return
    known_keys.parent.mkdir(parents=True, exist_ok=True)
    partial = known_keys.with_suffix(".partial")
    partial.write_text(json.dumps({**known, url: public.fingerprint}, indent=1))
    partial.replace(known_keys)
