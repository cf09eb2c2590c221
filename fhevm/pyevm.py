"""A local chain that lives in this process: py-evm."""

import sys
from ast import literal_eval
from typing import Any

from eth import EVM_RECURSION_LIMIT
from eth_tester import EthereumTester, PyEVMBackend
from eth_tester.exceptions import TransactionFailed
from web3 import EthereumTesterProvider, Web3
from web3.providers.eth_tester.defaults import API_ENDPOINTS, static_return
from web3.types import RPCEndpoint, RPCResponse

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.devchain import DEV_MNEMONIC, DEV_PATH

DEV_BALANCE = 10_000 * 10**18  # wei

# As much as py-evm asks for. What it imports asks for 100,000, at which nested JSON overflows the stack.
sys.setrecursionlimit(EVM_RECURSION_LIMIT)


def in_process_chain() -> Web3:
    """A new py-evm chain (Prague) in this process, with the local chain id; it mines on each transaction."""
    state = {"balance": DEV_BALANCE, "nonce": 0, "code": b"", "storage": {}}
    backend = PyEVMBackend.from_mnemonic(
        DEV_MNEMONIC, genesis_state_overrides=state, num_accounts=10, hd_path=DEV_PATH
    )
    type(backend.chain).chain_id = LOCAL_CHAIN_ID
    return Web3(_Tester(EthereumTester(backend), api_endpoints=_endpoints()))


def _endpoints() -> dict[str, Any]:
    eth = {**API_ENDPOINTS["eth"], "chainId": static_return(LOCAL_CHAIN_ID)}
    return {**API_ENDPOINTS, "eth": eth}


class _Tester(EthereumTesterProvider):
    """Answers a revert as a node does, with the error's data, so that web3.py tells which it is."""

    def make_request(self, method: RPCEndpoint, params: Any) -> RPCResponse:
        try:
            return super().make_request(method, params)
        except TransactionFailed as failure:
            error: dict[str, Any] = {"code": 3, "message": str(failure)}
            if (data := _revert_data(failure)) is not None:
                error["data"] = "0x" + data.hex()
            return {"jsonrpc": "2.0", "id": 0, "error": error}  # type: ignore[typeddict-item]


def _revert_data(failure: BaseException) -> bytes | None:
    """The bytes that a contract reverted with; eth-tester hands them over as an exception or as text."""
    reason: Any = failure.__context__ or failure
    while isinstance(reason, BaseException):
        reason = reason.args[0] if reason.args else None
    if isinstance(reason, str) and reason.startswith(("b'", 'b"')):
        reason = literal_eval(reason)
    return reason if isinstance(reason, bytes) else None
