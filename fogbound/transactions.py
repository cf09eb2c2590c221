"""Sending transactions: gas, fees, nonces shared by threads, receipts that may be late."""

import random
import threading
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

from eth_account import Account
from eth_account.signers.local import LocalAccount
from eth_typing import ChecksumAddress
from web3 import Web3
from web3.exceptions import TransactionNotFound
from web3.types import TxParams, TxReceipt, Wei

from fogbound.errors import (
    ChainRefused,
    ChainUnreachable,
    TransactionFailed,
    TransactionLost,
)
from fogbound.reverts import ErrorTable

RECEIPT_SECONDS = 120.0
FIRST_POLL_SECONDS, LAST_POLL_SECONDS = 0.005, 0.5
USUAL_TIP = 100 * 10**9  # wei a gas; more is paid only where that is a small part of the money:
TIP_SHARE = 20  # then one part in so many of the sender's money, for the whole transaction
NONCE_SECONDS, NONCE_PAUSE_SECONDS = 60.0, 0.05
STALE_NONCE = (
    "nonce too low",
    "nonce too high",
    "already known",
    "already imported",
    "underpriced",
    "too many transactions wait",  # at a local chain that is flooded
    "too many calls are tried out",
)


def account_from_key(key: str | bytes) -> LocalAccount:
    """The account of a private key (32 bytes, or hexadecimal)."""
    account: LocalAccount = Account.from_key(key)
    return account


@dataclass(frozen=True)
class Sent:
    """A transaction on its way."""

    request: TxParams
    raw: bytes
    hash: str


class Sender:
    """Sends for any account; one at a time each, so that nonces are taken in order."""

    def __init__(self, web3: Web3, chain_id: int, errors: ErrorTable) -> None:
        self._eth = web3.eth
        self._chain_id = chain_id
        self._errors = errors
        self.gas_spent: Counter[str] = Counter()  # by sender
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def send(
        self, account: LocalAccount, request: TxParams, value: int, gas: int | None
    ) -> TxReceipt:
        """Sign, send, and wait for the receipt; errors as in Chain.transact."""
        filled: TxParams = {**request, "from": account.address, "value": Wei(value)}
        with self._locks[account.address]:
            sent = self._submit(account, filled, gas)
        receipt = self._receipt(sent)
        self.gas_spent[account.address] += receipt["gasUsed"]
        if not receipt["status"]:
            self._explain(sent, receipt)
        return receipt

    def _submit(self, account: LocalAccount, request: TxParams, gas: int | None) -> Sent:
        """Another process may use the same account: a nonce just taken there is tried anew."""
        until = time.monotonic() + NONCE_SECONDS
        while True:
            try:
                return self._submit_once(account, request, gas)
            except ChainRefused as error:
                stale = any(words in str(error).lower() for words in STALE_NONCE)
                if not stale or time.monotonic() > until:
                    raise
            time.sleep(random.uniform(0, NONCE_PAUSE_SECONDS))  # else the same one is first again

    def _submit_once(self, account: LocalAccount, request: TxParams, gas: int | None) -> Sent:
        with self._errors.translated():
            # In the next block, since a clock may have run out after the newest. A third more than
            # estimated: another's transaction may come first and add work.
            limit = gas or self._eth.estimate_gas(request, "pending") * 4 // 3 + 20_000
            whole: Any = {**request, **self._fees(request, limit)}
            signed = account.sign_transaction(whole)
            sent = Sent(request, bytes(signed.raw_transaction), Web3.to_hex(signed.hash))
        with suppress(ChainUnreachable), self._errors.translated():  # it may have arrived
            self._eth.send_raw_transaction(sent.raw)
        return sent

    def _fees(self, request: TxParams, gas: int) -> dict[str, int]:
        sender = Web3.to_checksum_address(request["from"])
        base = int(self._eth.get_block("latest").get("baseFeePerGas", 0))
        tip = self._tip(sender, gas, request["value"] + 2 * base * gas)
        return {
            "type": 2,
            "chainId": self._chain_id,
            "nonce": int(self._eth.get_transaction_count(sender, "pending")),
            "gas": gas,
            "maxPriorityFeePerGas": tip,
            "maxFeePerGas": 2 * base + tip,
        }

    def _tip(self, sender: ChecksumAddress, gas: int, spent: int) -> int:
        """As the node advises, who may lie: what is usual as far as the money goes, more only where that is
        a small part of it. `spent`: wei that are needed for something else.
        """
        advised = int(self._eth.max_priority_fee)
        if not advised:
            return 0
        has = max(0, int(self._eth.get_balance(sender)) - spent)
        return min(advised, max(has // TIP_SHARE, min(has, USUAL_TIP * gas)) // gas)

    def _receipt(self, sent: Sent) -> TxReceipt:
        """Polled: right after sending, and while the node restarts, there is none."""
        pause, until = FIRST_POLL_SECONDS, time.monotonic() + RECEIPT_SECONDS
        while time.monotonic() < until:
            try:
                with self._errors.translated():
                    return self._eth.get_transaction_receipt(Web3.to_bytes(hexstr=sent.hash))  # type: ignore[arg-type]
            except TransactionNotFound:
                if pause >= LAST_POLL_SECONDS:
                    self._send_again(sent)
            except ChainUnreachable:
                pass
            time.sleep(pause)
            pause = min(2 * pause, LAST_POLL_SECONDS)
        raise TransactionLost(sent.hash, RECEIPT_SECONDS)

    def _send_again(self, sent: Sent) -> None:
        """A node that was killed may have forgotten it; one that knows it says so, harmlessly."""
        with suppress(ChainRefused, ChainUnreachable), self._errors.translated():
            self._eth.send_raw_transaction(sent.raw)

    def _explain(self, sent: Sent, receipt: TxReceipt) -> NoReturn:
        """Replay a failed transaction on the state before its block, for its custom error."""
        with self._errors.translated():
            self._eth.call(sent.request, receipt["blockNumber"] - 1)
        raise TransactionFailed(sent.hash)
