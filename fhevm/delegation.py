"""Delegation on chain: let another account read what oneself may read through one contract."""

from eth_account.signers.local import LocalAccount
from web3 import Web3
from web3.contract.contract import ContractFunction
from web3.exceptions import ContractLogicError

from fhevm.errors import MalformedRequest, RevertedWith
from fhevm.host_contracts import host_contract
from fhevm.reverts import decode_revert


def delegate_reading(
    w3: Web3, acl: str, account: LocalAccount, *, delegate: str, contract: str, until: int
) -> None:
    """Delegate until `until` (seconds, at least an hour ahead; one change a block).

    Raises RevertedWith: ExpirationDateBeforeOneHour, SenderCannotBeDelegate, …; MalformedRequest.
    """
    if not 0 <= until < 1 << 64:
        raise MalformedRequest("until: not a time in seconds")
    functions = host_contract(w3, "ACL", acl).functions
    _send(w3, account, functions.delegateForUserDecryption(delegate, contract, until))


def revoke_reading(w3: Web3, acl: str, account: LocalAccount, delegate: str, contract: str) -> None:
    """End a delegation at once. Raises RevertedWith: NotDelegatedYet, …."""
    functions = host_contract(w3, "ACL", acl).functions
    _send(w3, account, functions.revokeDelegationForUserDecryption(delegate, contract))


def _send(w3: Web3, account: LocalAccount, call: ContractFunction) -> None:
    try:
        transaction = call.build_transaction(
            {"from": account.address, "nonce": w3.eth.get_transaction_count(account.address)}
        )
    except ContractLogicError as error:
        raise _named(error) from None
    signed = account.sign_transaction(transaction)  # type: ignore[arg-type]
    receipt = w3.eth.wait_for_transaction_receipt(
        w3.eth.send_raw_transaction(signed.raw_transaction), poll_latency=0.05
    )
    if receipt["status"] != 1:
        raise RevertedWith("Unknown")


def _named(error: ContractLogicError) -> RevertedWith:
    data = error.data if isinstance(error.data, str) else ""
    return decode_revert(bytes.fromhex(data.removeprefix("0x")))
