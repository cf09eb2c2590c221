"""ape's test chain `ethereum:local:fhevm`: a fresh anvil over a pipe, as every other test's.

Several times as fast as ape's own providers: no HTTP, no traces, no second validation of what ape has made
itself. `register` must come before ape looks for a provider; our pytest plugin sees to that.
"""

import sys
from collections.abc import Iterator
from typing import Any, ClassVar

from ape import plugins
from ape.api import ReceiptAPI, TestProviderAPI, TraceAPI, TransactionAPI
from ape.api.providers import CallResult
from ape.exceptions import (
    APINotImplementedError,
    ContractLogicError,
    OutOfGasError,
    TransactionError,
    VirtualMachineError,
)
from ape.plugins.pluggy_patch import plugin_manager
from ape.types import AddressType
from ape_ethereum.provider import Web3Provider
from eth_abi.abi import decode
from eth_pydantic_types import HexBytes
from eth_utils.hexadecimal import encode_hex
from web3 import Web3
from web3.types import RPCEndpoint

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.chainrules import BASE_FEE, BLOCK_GAS, HARDFORK
from fhevm.freshchain import end_chain, fresh_chain

Json = dict[str, Any]
ERROR_SELECTOR = "0x08c379a0"  # Error(string)


class Refused(Exception):
    """The chain's error in answer to a request."""

    def __init__(self, error: Any) -> None:
        super().__init__(error["message"])
        self.data = error.get("data")


class AnvilProvider(TestProviderAPI, Web3Provider):  # type: ignore[misc]
    """ape's view of a fresh chain. `provider_settings={"hardfork": …}` asks for another than ours."""

    _web3: Web3 | None = None

    auto_mine: ClassVar[bool] = True
    chain_id: ClassVar[int] = LOCAL_CHAIN_ID
    max_gas: ClassVar[int] = BLOCK_GAS
    gas_price: ClassVar[int] = BASE_FEE
    base_fee: ClassVar[int] = BASE_FEE
    priority_fee: ClassVar[int] = 0
    supports_tracing: ClassVar[bool] = False  # ape would ask for one of each call

    @property
    def hardfork(self) -> str:
        """The rules that its chain goes by."""
        return str(self.provider_settings.get("hardfork", HARDFORK))

    @property
    def connection_id(self) -> str:
        """ape keeps one connection for each."""
        return f"{self.network_choice}:{self.hardfork}"

    @property
    def is_connected(self) -> bool:
        """Whether it has a chain."""
        return self._web3 is not None

    def connect(self) -> None:
        """Start a chain."""
        self._web3 = fresh_chain(self.hardfork)

    def disconnect(self) -> None:
        """End the chain."""
        if self._web3 is not None:
            end_chain(self._web3)
        self._web3 = None

    def update_settings(self, new_settings: Json) -> None:
        """Start another chain."""
        self.provider_settings.update(new_settings)
        self.disconnect()
        self.connect()

    def ask(self, method: str, *parameters: Any) -> Any:
        """The result of a request. Raises Refused."""
        answer = self.web3.provider.make_request(RPCEndpoint(method), parameters)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    # -- what only a chain for tests can do

    def snapshot(self) -> str:
        """What `restore` goes back to, once."""
        return str(self.ask("evm_snapshot"))

    def restore(self, snapshot_id: str) -> None:
        """Go back."""
        self.ask("evm_revert", snapshot_id)

    def set_timestamp(self, new_timestamp: int) -> None:
        """The next block's second."""
        self.ask("evm_setNextBlockTimestamp", new_timestamp)

    def mine(self, num_blocks: int = 1) -> None:
        """Add empty blocks; none, where the number is below 1."""
        if num_blocks > 0:
            self.ask("anvil_mine", hex(num_blocks))

    def set_balance(self, account: AddressType, amount: int) -> None:
        """What an address holds, in wei."""
        self.ask("anvil_setBalance", account, hex(amount))

    def set_code(self, address: AddressType, code: Any) -> bool:
        """Put code at an address."""
        self.ask("anvil_setCode", address, encode_hex(HexBytes(code)))
        return True

    # -- what ape asks of each chain

    def get_nonce(self, address: AddressType, block_id: Any = None) -> int:
        """Transactions sent from an address."""
        return int(self.ask("eth_getTransactionCount", address, _tag(block_id)), 16)

    def get_balance(self, address: AddressType, block_id: Any = None) -> int:
        """Wei held by an address."""
        return int(self.ask("eth_getBalance", address, _tag(block_id)), 16)

    def get_transaction_trace(self, transaction_hash: str, **_: Any) -> TraceAPI:  # noqa: ARG002
        """There are none."""
        raise APINotImplementedError("traces")

    def send_call(
        self, txn: TransactionAPI, block_id: Any = None, state: Json | None = None, **options: Any
    ) -> HexBytes:
        """What a call returns."""
        try:
            return HexBytes(self.ask("eth_call", _call_of(txn), _tag(block_id), state or {}))
        except Refused as refusal:
            error = self._error_of(refusal, txn)
            if options.get("raise_on_revert", txn.raise_on_revert):
                raise error from refusal
            return CallResult.from_revert(error)

    def estimate_gas_cost(self, txn: TransactionAPI, block_id: Any = "pending") -> int:
        """Gas that is enough for a transaction, by default in the block to come."""
        try:
            return int(self.ask("eth_estimateGas", _call_of(txn), _tag(block_id)), 16)
        except Refused as refusal:
            raise self._error_of(refusal, txn) from refusal

    def send_transaction(self, txn: TransactionAPI) -> ReceiptAPI:
        """Mine a transaction. Raises VirtualMachineError where it is not taken or reverts."""
        try:
            mined = self._mine(txn)
        except Refused as refusal:
            raise self._error_of(refusal, txn) from refusal
        receipt = self._create_receipt(**_fields_of(txn), **_fields_of_receipt(mined))
        self.chain_manager.history.append(receipt)
        if receipt.failed:
            receipt.error = self._failure(receipt)
            if txn.raise_on_revert:
                raise receipt.error
        return receipt

    def _mine(self, txn: TransactionAPI) -> Any:
        if txn.signature is not None:
            return self.ask("eth_sendRawTransactionSync", encode_hex(txn.serialize_transaction()))
        return self.ask("eth_sendTransactionSync", {**_call_of(txn), "gas": hex(txn.gas_limit)})

    def _failure(self, receipt: ReceiptAPI) -> VirtualMachineError:
        if receipt.ran_out_of_gas:
            return OutOfGasError(txn=receipt)
        trace = self.ask("debug_traceTransaction", receipt.txn_hash, {"tracer": "callTracer"})
        return self._reverted(trace.get("output") or "0x", receipt)

    def _error_of(self, refusal: Refused, txn: TransactionAPI) -> VirtualMachineError:
        if refusal.data is not None:
            return self._reverted(refusal.data, txn, refusal)
        return VirtualMachineError(str(refusal), base_err=refusal, txn=txn)

    def _reverted(
        self, data: str, txn: TransactionAPI | ReceiptAPI, base: Exception | None = None
    ) -> ContractLogicError:
        """By its name, where the contract is known."""
        message = TransactionError.DEFAULT_MESSAGE if data == "0x" else _words(data)
        error = ContractLogicError(revert_message=message, base_err=base, txn=txn)
        return self.compiler_manager.enrich_error(error)


def _tag(block_id: Any) -> str:
    if block_id is None:
        return "latest"
    return hex(block_id) if isinstance(block_id, int) else str(block_id)


def _call_of(txn: TransactionAPI) -> Json:
    fields = {
        "from": txn.sender,
        "to": txn.receiver,
        "data": encode_hex(txn.data),
        "value": hex(txn.value),
    }
    return {name: value for name, value in fields.items() if value}


def _fields_of(txn: TransactionAPI) -> Json:
    return {**txn.model_dump(by_alias=True, mode="json"), "signature": txn.signature}


def _fields_of_receipt(receipt: Json) -> Json:
    """What a receipt adds to a transaction."""
    numbers = ("blockNumber", "gasUsed", "status")
    return {
        **{name: int(receipt[name], 16) for name in numbers},
        "gasPrice": int(receipt["effectiveGasPrice"], 16),
        "transactionHash": receipt["transactionHash"],
        "contractAddress": receipt["contractAddress"],
        "logs": [_log_of(each) for each in receipt["logs"]],
        "required_confirmations": 0,
    }


def _log_of(log: Json) -> Json:
    """As web3.py gives it."""
    topics = [HexBytes(topic) for topic in log["topics"]]
    return {**log, "topics": topics, "data": HexBytes(log["data"])}


def _words(data: str) -> str:
    """What `require` says in words; other data as it is."""
    if not data.startswith(ERROR_SELECTOR):
        return data
    (words,) = decode(["string"], bytes.fromhex(data[len(ERROR_SELECTOR) :]))
    return str(words)


def register() -> None:
    """Offer it to ape under the name `fhevm`."""
    if not plugin_manager.has_plugin("ape_fhevm"):
        plugin_manager.register(sys.modules[__name__], name="ape_fhevm")


@plugins.register(plugins.ProviderPlugin)  # type: ignore[untyped-decorator]
def providers() -> Iterator[tuple[str, str, type[AnvilProvider]]]:
    """What ape asks a plugin."""
    yield "ethereum", "local", AnvilProvider
