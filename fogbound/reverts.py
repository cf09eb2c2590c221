"""Reverts as typed exceptions: custom errors by the names in the ABIs, ours and Zama's."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, NoReturn

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError
from eth_utils.abi import abi_to_signature, get_abi_input_names, get_abi_input_types
from web3 import Web3
from web3.exceptions import ContractLogicError, TransactionNotFound, Web3Exception

from fhevm.acl import ODD_ANSWER
from fhevm.errors import FhevmError
from fhevm.host_contracts import artifacts
from fogbound.errors import ChainRefused, ChainUnreachable, ContractError

STANDARD_ERRORS: list[dict[str, Any]] = [
    {"type": "error", "name": "Error", "inputs": [{"name": "message", "type": "string"}]},
    {"type": "error", "name": "Panic", "inputs": [{"name": "code", "type": "uint256"}]},
]


class ErrorTable:
    """Custom errors by selector; every ABI that a chain connection meets is learned."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._by_selector = _by_selector(STANDARD_ERRORS)

    def learn(self, abi: Sequence[Any]) -> None:
        """Add the errors of an ABI."""
        self._by_selector |= _by_selector(abi)

    def decode(self, data: bytes) -> ContractError:
        """The exception for a revert's return data; an unknown error shows its data."""
        shown = {"data": "0x" + data[:68].hex()}
        entry = self._by_selector.get(data[:4]) or _host_errors().get(data[:4])
        if entry is None:
            return ContractError.of("Unknown", shown)
        try:
            values = decode(get_abi_input_types(entry), data[4:])
        except DecodingError:
            return ContractError.of(entry["name"], shown)
        return ContractError.of(entry["name"], dict(zip(_names(entry), values, strict=True)))

    def refuse(self, answer: Any) -> NoReturn:
        """Raise ChainRefused for the error object of a JSON-RPC answer."""
        words = answer.get("message") if isinstance(answer, dict) else answer
        raise ChainRefused(str(words)[:300])

    @contextmanager
    def translated(self) -> Iterator[None]:
        """The one place where web3's and the transport's errors become ours."""
        try:
            yield
        except TransactionNotFound:
            raise
        except ContractLogicError as error:
            raise self.decode(_revert_data(error.data)) from error
        except Web3Exception as error:
            raise ChainRefused(str(error)[:300]) from error
        except OSError as error:
            raise ChainUnreachable(self._url) from error
        except (*ODD_ANSWER, AttributeError, DecodingError) as error:
            raise ChainRefused(f"the node answers in no known form: {error!r}"[:300]) from error


def _by_selector(abi: Sequence[Any]) -> dict[bytes, Any]:
    return {
        bytes(Web3.keccak(text=abi_to_signature(entry))[:4]): entry
        for entry in abi
        if entry["type"] == "error"
    }


@cache
def _host_errors() -> dict[bytes, Any]:
    """The errors of Zama's contracts, which a game's calls may meet; none without the toolchain."""
    try:
        return _by_selector([entry for made in artifacts().values() for entry in made.abi])
    except FhevmError:
        return {}


def _names(entry: Any) -> list[str]:
    return [name or str(position) for position, name in enumerate(get_abi_input_names(entry))]


def _revert_data(data: Any) -> bytes:
    """Nodes answer with the data itself, or with an object that holds it."""
    if isinstance(data, dict):
        data = data.get("data")
    try:
        return bytes.fromhex(str(data or "").removeprefix("0x"))
    except ValueError:
        return b""
