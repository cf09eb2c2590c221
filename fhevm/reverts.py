"""Reverts of Zama's contracts by name: their custom errors, read from their ABIs."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError
from eth_utils.abi import abi_to_signature, get_abi_input_types
from eth_utils.crypto import keccak

from fhevm.compiler import Abi
from fhevm.errors import RevertedWith
from fhevm.host_contracts import artifacts

SELECTOR_BYTES = 4


def decode_revert(data: bytes, abi: Sequence[dict[str, Any]] = ()) -> RevertedWith:
    """The custom error in a call's return data; `abi` adds a contract's own to the host contracts'.

    An error that no ABI names is called Unknown, with its data as text.
    """
    errors = _by_selector(abi) | _host_errors()
    entry = errors.get(data[:SELECTOR_BYTES])
    if entry is None:
        return RevertedWith("Unknown", ("0x" + data[:68].hex(),))
    try:
        arguments = decode(get_abi_input_types(entry), data[SELECTOR_BYTES:])
    except DecodingError:
        return RevertedWith(entry["name"], ("0x" + data[:68].hex(),))
    return RevertedWith(entry["name"], arguments)


@cache
def _host_errors() -> dict[bytes, Any]:
    abis: list[Abi] = [artifact.abi for artifact in artifacts().values()]
    return _by_selector([entry for abi in abis for entry in abi])


def _by_selector(abi: Sequence[dict[str, Any]]) -> dict[bytes, Any]:
    return {
        keccak(text=abi_to_signature(entry))[:SELECTOR_BYTES]: entry  # type: ignore[arg-type]
        for entry in abi
        if entry["type"] == "error"
    }
