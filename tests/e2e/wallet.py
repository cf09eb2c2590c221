"""A wallet extension whose keys are in the test: pages see EIP-6963 and EIP-1193 only."""

import json
from pathlib import Path
from typing import Any

from eth_account.messages import encode_defunct, encode_typed_data
from eth_account.signers.local import LocalAccount
from playwright.sync_api import BrowserContext
from web3 import Web3
from web3.contract import Contract
from web3.types import RPCEndpoint

NAME = "Test Wallet"
SCRIPT = Path(__file__).with_name("wallet.js")
REFUSED, UNAUTHORIZED, DISCONNECTED, UNKNOWN_CHAIN = 4001, 4100, 4900, 4902
SIGNATURES = ("personal_sign", "eth_signTypedData_v4")


class WalletError(Exception):
    """What an EIP-1193 provider rejects a request with."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.answer = {"code": code, "message": message}


class Wallet:
    """`signs`, `sends`: whether its owner agrees; `reaches_chain`: whether its node answers."""

    def __init__(self, account: LocalAccount, web3: Web3) -> None:
        self.account, self.address, self._web3 = account, account.address, web3
        self.chain_id = self.own_chain_id = web3.eth.chain_id
        self.signs = self.sends = self.reaches_chain = True
        self.connected = False
        self.asked: list[str] = []

    def install(self, context: BrowserContext) -> None:
        self._context = context
        context.expose_function("fogboundTestWallet", self._answer)
        context.add_init_script(path=SCRIPT)

    # -- what the owner does -----------------------------------------------------------------------------

    def change_account(self, account: LocalAccount) -> None:
        self.account, self.address = account, account.address
        self._emit("accountsChanged", [account.address.lower()])

    def change_chain(self, chain_id: int) -> None:
        self.chain_id = chain_id
        self._emit("chainChanged", hex(chain_id))

    def _emit(self, event: str, value: Any) -> None:
        for page in self._context.pages:
            page.evaluate("([name, value]) => fogboundTestWalletEmit(name, value)", [event, value])

    # -- what the page asks ------------------------------------------------------------------------------

    def _answer(self, method: str, params: list[Any]) -> dict[str, Any]:
        self.asked.append(method)
        try:
            return {"result": self._do(method, params)}
        except WalletError as error:
            return {"error": error.answer}

    def _do(self, method: str, params: list[Any]) -> Any:
        match method:
            case "eth_requestAccounts":
                self.connected = True
                return [self.address.lower()]
            case "eth_accounts":
                return [self.address.lower()] if self.connected else []
            case "eth_chainId":
                return hex(self.chain_id)
            case "wallet_switchEthereumChain":
                return self._switch(int(params[0]["chainId"], 16))
            case "wallet_addEthereumChain":
                return None
            case "personal_sign":
                return self._sign(encode_defunct(hexstr=params[0]), params[1])
            case "eth_signTypedData_v4":
                return self._sign(encode_typed_data(full_message=json.loads(params[1])), params[0])
            case "eth_sendTransaction":
                return self._send(params[0])
        return self._pass_on(method, params)

    def _switch(self, chain_id: int) -> None:
        if chain_id != self.own_chain_id:
            raise WalletError(UNKNOWN_CHAIN, "Unrecognized chain ID.")
        self.chain_id = chain_id
        self._emit_later("chainChanged", hex(chain_id))

    def _emit_later(self, event: str, value: Any) -> None:
        """After the answer: the page waits for it."""
        for page in self._context.pages:
            page.evaluate(
                "([name, value]) => setTimeout(() => fogboundTestWalletEmit(name, value))",
                [event, value],
            )

    def _sign(self, message: Any, address: str) -> str:
        self._check(address, self.signs)
        return Web3.to_hex(self.account.sign_message(message).signature)

    def _send(self, transaction: dict[str, Any]) -> str:
        self._check(transaction["from"], self.sends)
        chain = self._web3.eth
        filled = {
            **self._request(transaction),
            "nonce": chain.get_transaction_count(self.account.address),
            "chainId": chain.chain_id,
            "gasPrice": chain.gas_price * 2,
        }
        asked = {**filled, "from": self.account.address}
        filled["gas"] = chain.estimate_gas(asked) * 12 // 10
        signed = self.account.sign_transaction(filled)
        return Web3.to_hex(chain.send_raw_transaction(signed.raw_transaction))

    def _request(self, transaction: dict[str, Any]) -> dict[str, Any]:
        return {
            "to": Web3.to_checksum_address(transaction["to"]),
            "data": transaction.get("data", "0x"),
            "value": int(transaction.get("value", "0x0"), 16),
        }

    def _check(self, address: str, agrees: bool) -> None:
        if not self.reaches_chain:
            raise WalletError(DISCONNECTED, "The Provider is disconnected from all chains.")
        if not self.connected or address.lower() != self.address.lower():
            raise WalletError(UNAUTHORIZED, "The account has not been authorized by the user.")
        if not agrees:
            raise WalletError(REFUSED, "User rejected the request.")

    def _pass_on(self, method: str, params: list[Any]) -> Any:
        if not self.reaches_chain:
            raise WalletError(DISCONNECTED, "The Provider is disconnected from all chains.")
        answer = self._web3.provider.make_request(RPCEndpoint(method), params)
        if error := answer.get("error"):
            raise WalletError(error["code"], error["message"])
        return answer["result"]


class SmartWallet(Wallet):
    """Of a contract account (see contracts/testing/Puppets.sol), through which the owner's key sends."""

    def __init__(self, owner: LocalAccount, contract: Contract, web3: Web3) -> None:
        super().__init__(owner, web3)
        self.address, self._contract = contract.address, contract

    def _request(self, transaction: dict[str, Any]) -> dict[str, Any]:
        asked = super()._request(transaction)
        data = self._contract.encode_abi("act", [asked["to"], asked["data"]])
        return {**asked, "to": self.address, "data": data}
