"""What the local chain must know of a signed transaction before it takes it."""

from dataclasses import dataclass
from typing import Any

import rlp
from eth_account import Account
from eth_utils.crypto import keccak
from eth_utils.hexadecimal import encode_hex

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.chainrules import BASE_FEE
from fogbound.errors import TransactionRefused
from fogbound.jsonrpc import INVALID_PARAMETERS

MAX_BYTES = 128 * 1024  # as geth
MAX_GAS = 1 << 24  # of one transaction (EIP-7825)
FIELDS = {0: (9, 0, 2), 1: (11, 1, 3), 2: (12, 1, 4)}  # by type: how many; where nonce and gas are
# Where price of gas, recipient, value, data are, from where gas is; a tip of its own has type 2 only.
TIP, FEE, TO, VALUE, DATA = -2, -1, 1, 2, 3
HIGHEST_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0  # EIP-2
V = 6  # where a transaction of type 0 has what its chain follows from
MAX_INIT_CODE = 49_152  # bytes (EIP-3860)
NUMBER_BYTES, COUNT_BYTES = 32, 8  # of a number, at most; of nonce and gas
REFUSED = -32000


@dataclass(frozen=True)
class RawTransaction:
    """`raw` and `hash` in hexadecimal; `gas` is its limit, `cost` what its sender must have in wei.

    `to`: an address in small letters; None where it creates a contract. `tip`: what is paid beside the base
    fee, in wei a gas.
    """

    raw: str
    hash: str
    sender: str
    nonce: int
    gas: int
    cost: int
    to: str | None
    tip: int

    @classmethod
    def parse(cls, raw: object) -> "RawTransaction":
        """Raises TransactionRefused for whatever no block could hold."""
        data = _bytes(raw)
        kind, fields = _fields(data)
        count, nonce, gas = FIELDS[kind]
        lists = {gas + DATA + 1} if kind else set()  # the access list is the only one
        if len(fields) != count or any(
            isinstance(each, list) != (place in lists) for place, each in enumerate(fields)
        ):
            raise refusal("not a signed transaction")
        _check_numbers(kind, fields)
        _check_chain(int.from_bytes(fields[V]) if kind == 0 else None, fields)
        if _number(fields[-1]) > HIGHEST_S:
            raise refusal("invalid transaction v, r, s values")
        found = cls(
            raw=encode_hex(data),
            hash=encode_hex(keccak(data)),
            sender=_sender(data),
            nonce=_number(fields[nonce]),
            gas=_number(fields[gas]),
            cost=_number(fields[gas]) * _number(fields[gas + FEE]) + _number(fields[gas + VALUE]),
            to=encode_hex(fields[gas + TO]) if fields[gas + TO] else None,
            tip=_tip(kind, fields[gas + TIP], fields[gas + FEE]),
        )
        if found.gas > MAX_GAS:
            raise refusal(
                f"transaction gas limit too high: {found.gas}, at most {MAX_GAS} (EIP-7825)"
            )
        _check_intrinsic(kind, found.gas, fields[gas + TO :])
        return found

    def check_nonce(self, following: int) -> None:
        """Raise TransactionRefused, in geth's words, where it is not the account's next."""
        if self.nonce != following:
            how = "low" if self.nonce < following else "high"
            words = f"nonce too {how}: next nonce {following}, tx nonce {self.nonce}"
            raise refusal(words)

    def check_funds(self, balance: int) -> None:
        """Raise TransactionRefused where its sender cannot pay for it."""
        if balance < self.cost:
            raise refusal("Insufficient funds for gas * price + value")


def refusal(words: str, code: int = REFUSED) -> TransactionRefused:
    """A refusal as a node would put it."""
    return TransactionRefused({"code": code, "message": words})


def _bytes(raw: object) -> bytes:
    if not isinstance(raw, str) or not raw.startswith("0x"):
        raise refusal("one raw transaction is expected: 0x…", INVALID_PARAMETERS)
    if len(raw) > 2 + 2 * MAX_BYTES:
        raise refusal(f"oversized data: at most {MAX_BYTES} bytes")
    try:
        return bytes.fromhex(raw[2:])
    except ValueError:
        raise refusal("one raw transaction is expected: 0x…", INVALID_PARAMETERS) from None


def _fields(data: bytes) -> tuple[int, list[bytes]]:
    """The type, and the list behind it."""
    kind = data[0] if data and data[0] < 0x80 else 0
    if kind not in FIELDS:
        raise refusal(f"transaction type {kind} not supported")
    try:
        fields = rlp.decode(data[1:] if kind else data)
    except (rlp.exceptions.RLPException, RecursionError):
        raise refusal("not a signed transaction") from None
    if not isinstance(fields, list):
        raise refusal("not a signed transaction")
    return kind, fields


def _check_chain(v: int | None, fields: list[bytes]) -> None:
    """`v`: of a transaction of type 0 (EIP-155)."""
    if v in (27, 28):
        raise refusal("only replay-protected (EIP-155) transactions allowed over RPC")
    chain = int.from_bytes(fields[0]) if v is None else (v - 35) // 2
    if chain != LOCAL_CHAIN_ID:
        raise refusal(f"invalid chain id for signer: have {chain} want {LOCAL_CHAIN_ID}")


def _check_numbers(kind: int, fields: list[bytes]) -> None:
    """No number is longer than a node takes it: a price of pages of digits is none, and cannot be told."""
    _, nonce, gas = FIELDS[kind]
    lengths = {**dict.fromkeys(range(gas + 1), NUMBER_BYTES), gas + VALUE: NUMBER_BYTES}
    if kind == 0:
        lengths[V] = NUMBER_BYTES
    lengths |= {nonce: COUNT_BYTES, gas: COUNT_BYTES}
    if any(len(fields[place]) > length for place, length in lengths.items()):
        raise refusal("not a signed transaction: a number is too long")


def _check_intrinsic(kind: int, gas: int, fields: list[Any]) -> None:
    """What is paid before anything runs: anvil mines an empty block for whoever brings less.

    `fields`: from the recipient on.
    """
    to, _value, data, access = fields[:4]
    needed = 21_000 + 16 * len(data) - 12 * data.count(0)
    if kind:
        needed += sum(2_400 + 1_900 * len(keys) for _, keys in access)
    if not to:
        if len(data) > MAX_INIT_CODE:
            raise refusal(f"max initcode size exceeded: {len(data)} bytes, at most {MAX_INIT_CODE}")
        needed += 32_000 + 2 * -(-len(data) // 32)
    if gas < needed:
        raise refusal(f"intrinsic gas too low: have {gas}, want {needed}")


def _number(field: bytes) -> int:
    return int.from_bytes(field)


def _tip(kind: int, tip: bytes, fee: bytes) -> int:
    most = max(0, _number(fee) - BASE_FEE)
    return min(most, _number(tip)) if kind == 2 else most


def _sender(data: bytes) -> str:
    try:
        return str(Account.recover_transaction(data))
    except Exception:  # noqa: BLE001 - the libraries below raise each their own
        raise refusal("invalid sender: not a signed transaction") from None
