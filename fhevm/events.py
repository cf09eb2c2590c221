"""Log entries of the executor and the ACL as operations and permissions. ABIs come from the artifacts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from eth_abi.abi import decode
from web3 import Web3
from web3.types import LogReceipt

from fhevm.handles import Handle
from fhevm.host_contracts import artifacts
from fhevm.operations import Operation

BINARY = (
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "BitAnd",
    "BitOr",
    "BitXor",
    "Shl",
    "Shr",
    "Rotl",
    "Rotr",
)
COMPARING = ("Eq", "Ne", "Ge", "Gt", "Le", "Lt", "Min", "Max")
SCALAR = b"\x01"


@dataclass(frozen=True)
class Permission:
    """An allowed handle: somebody may use or read it, or everybody may (`public`)."""

    handle: Handle
    public: bool


@dataclass(frozen=True)
class Entry:
    """An operation or a permission, and its place in the chain."""

    block: int
    transaction: bytes
    account: str  # that sent the transaction
    index: int  # of the log in its block
    event: Operation | Permission


def decode_logs(logs: Iterable[LogReceipt], accounts: Mapping[bytes, str]) -> list[Entry]:
    """What `logs` say, in order; those that concern neither values nor permissions are left out.

    `accounts`: who sent each transaction, by its hash.
    """
    return [
        Entry(
            block=log["blockNumber"],
            transaction=bytes(log["transactionHash"]),
            account=accounts.get(bytes(log["transactionHash"]), ""),
            index=log["logIndex"],
            event=event,
        )
        for log in logs
        for event in _decode(log)
    ]


@dataclass(frozen=True)
class _Signature:
    name: str
    fields: tuple[str, ...]
    types: tuple[str, ...]


@cache
def _signatures() -> dict[bytes, _Signature]:
    """The events of both contracts by topic, with what their data holds."""
    return {
        _topic(entry): _Signature(
            entry["name"],
            tuple(field["name"] for field in entry["inputs"] if not field["indexed"]),
            tuple(field["type"] for field in entry["inputs"] if not field["indexed"]),
        )
        for name in ("FHEVMExecutor", "ACL")
        for entry in artifacts()[name].abi
        if entry["type"] == "event"
    }


def _topic(entry: dict[str, Any]) -> bytes:
    types = ",".join(field["type"] for field in entry["inputs"])
    return bytes(Web3.keccak(text=f"{entry['name']}({types})"))


def _decode(log: LogReceipt) -> Iterable[Operation | Permission]:
    signature = _signatures().get(bytes(log["topics"][0])) if log["topics"] else None
    if signature is None:
        return []
    values = dict(zip(signature.fields, decode(signature.types, bytes(log["data"])), strict=True))
    if signature.name == "Allowed":
        return [Permission(Handle(values["handle"]), public=False)]
    if signature.name == "AllowedForDecryption":
        return [Permission(Handle(handle), public=True) for handle in values["handlesList"]]
    if signature.name not in _OPERATIONS:
        return []
    name, operands = _OPERATIONS[signature.name]
    caller = Web3.to_checksum_address(bytes(log["topics"][1])[-20:])
    return [Operation(name, operands(values), Handle(values["result"]), caller)]


# -- from an event's fields to an operation's operands -----------------------------------------------

Values = dict[str, Any]
Operands = tuple[Handle | int, ...]


def _binary(values: Values) -> Operands:
    left = Handle(values["lhs"])
    if values["scalarByte"] == SCALAR:
        return left, int.from_bytes(values["rhs"]) % left.type.modulus
    return left, Handle(values["rhs"])


def _handles(*fields: str) -> Callable[[Values], Operands]:
    return lambda values: tuple(Handle(values[field]) for field in fields)


def _plaintext(values: Values) -> Operands:
    return (values["pt"] % Handle(values["result"]).type.modulus,)


def _seed(values: Values) -> Operands:
    return (int.from_bytes(values["seed"]),)


def _bound_and_seed(values: Values) -> Operands:
    return values["upperBound"], int.from_bytes(values["seed"])


_OPERATIONS: dict[str, tuple[str, Callable[[Values], Operands]]] = {
    **{f"Fhe{name}": (name.removeprefix("Bit").lower(), _binary) for name in (*BINARY, *COMPARING)},
    "FheNeg": ("neg", _handles("ct")),
    "FheNot": ("not", _handles("ct")),
    "FheIfThenElse": ("select", _handles("control", "ifTrue", "ifFalse")),
    "Cast": ("cast", _handles("ct")),
    "TrivialEncrypt": ("trivial_encrypt", _plaintext),
    "VerifyInput": ("verify_input", _handles()),
    "FheRand": ("rand", _seed),
    "FheRandBounded": ("rand_bounded", _bound_and_seed),
}
