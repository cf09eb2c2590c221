"""Deployment of the host contracts on a local chain, and look-up of those of any chain.

The local addresses follow from the nonces of a deployer whose key is public. So the deployment is a
fixed list of its transactions, transaction n with nonce n: how many are done is the deployer's nonce,
and a deployment that was cut off goes on where it stopped. The last one offers the ACL, which governs
all the others, to a key of one's own, which accepts it: from then on the public key can do nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from eth_account import Account
from eth_account.signers.local import LocalAccount
from eth_typing import ChecksumAddress
from eth_utils.crypto import keccak
from web3 import Web3
from web3.types import Nonce, Wei
from web3.utils.address import get_create_address

from fhevm.addresses import (
    LOCAL,
    LOCAL_CHAIN_ID,
    LOCAL_GATEWAY,
    PUBLIC_HOSTS,
    GatewayDomain,
    HostAddresses,
)
from fhevm.devchain import dev_accounts
from fhevm.errors import (
    ContractNotConfigured,
    DeploymentFailed,
    HostForeign,
    HostMissing,
    HostUnfunded,
    WrongChain,
)
from fhevm.host_contracts import artifacts, host_contract

__all__ = [
    "LOCAL",
    "LOCAL_CHAIN_ID",
    "LOCAL_GATEWAY",
    "GatewayDomain",
    "HostAddresses",
    "HostSigners",
    "check_configured",
    "deploy_host",
    "deployer",
    "gateway_domain",
    "host_addresses",
]

MNEMONIC = "adapt mosquito move limb mobile illegal tree voyage juice mosquito burger raise father hope layer"
STEP_GAS = 6_000_000
IMPLEMENTATION_SLOT = int(keccak(text="eip1967.proxy.implementation").hex(), 16) - 1
# keccak256(abi.encode(uint256(keccak256("confidential.storage.config")) - 1)) & ~bytes32(uint256(0xff))
CONFIG_SLOT = 0x9E7B61F58C47DC699AC88507C4F5BB9F121C03808C5676A8078FE583E4649700


@dataclass(frozen=True)
class HostSigners:
    """Whose signatures the host accepts: the KMS's on decryptions, the gateway's on inputs."""

    kms: str
    attestation: str


@dataclass(frozen=True)
class _Step:
    what: str
    data: bytes
    to: str | None = None


@cache
def deployer() -> LocalAccount:
    """Account 5 of the public development mnemonic: its first nonces give the canonical addresses."""
    Account.enable_unaudited_hdwallet_features()
    account: LocalAccount = Account.from_mnemonic(MNEMONIC, account_path="m/44'/60'/0'/0/5")
    return account


def deploy_host(w3: Web3, owner: LocalAccount, signers: HostSigners) -> HostAddresses:
    """Deploy the host contracts, owned by `owner`, or check that they stand there as asked for.

    Idempotent. A host of the same owner gets new signers where they differ.
    Raises WrongChain, HostForeign, HostUnfunded, DeploymentFailed.
    """
    if w3.eth.chain_id != LOCAL_CHAIN_ID:
        raise WrongChain(w3.eth.chain_id, f"{LOCAL_CHAIN_ID}, where a host may be deployed")
    if _owner_of_acl(w3) != owner.address:
        _take_steps(w3, owner, signers)
        _accept_ownership(w3, owner)
        _check_implementations(w3)
    _set_signers(w3, owner, signers)
    return LOCAL


def host_addresses(w3: Web3) -> HostAddresses:
    """The host contracts of the chain. Raises WrongChain, HostMissing."""
    chain_id = w3.eth.chain_id
    if chain_id == LOCAL_CHAIN_ID:
        _require_code(w3, LOCAL.executor)
        return LOCAL
    if chain_id not in PUBLIC_HOSTS:
        raise WrongChain(chain_id, f"one of {sorted([LOCAL_CHAIN_ID, *PUBLIC_HOSTS])}")
    acl, executor, kms_verifier = PUBLIC_HOSTS[chain_id]
    _require_code(w3, executor)
    functions = host_contract(w3, "FHEVMExecutor", executor).functions
    return HostAddresses(
        acl=acl,
        executor=executor,
        kms_verifier=kms_verifier,
        input_verifier=functions.getInputVerifierAddress().call(),
        hcu_limit=functions.getHCULimitAddress().call(),
        pauser_set=host_contract(w3, "ACL", acl).functions.getPauserSetAddress().call(),
    )


def gateway_domain(w3: Web3, host: HostAddresses) -> GatewayDomain:
    """The gateway that the chain's verifiers accept signatures for."""
    kms = host_contract(w3, "KMSVerifier", host.kms_verifier).functions.eip712Domain().call()
    inputs = host_contract(w3, "InputVerifier", host.input_verifier).functions.eip712Domain().call()
    return GatewayDomain(chain_id=kms[3], decryption=kms[4], input_verification=inputs[4])


def check_configured(w3: Web3, contract: str) -> None:
    """Raise ContractNotConfigured unless `contract` uses this chain's host contracts."""
    address = Web3.to_checksum_address(contract)
    word = w3.eth.get_storage_at(address, CONFIG_SLOT)
    found = Web3.to_checksum_address(bytes(word)[-20:].rjust(20, b"\0"))
    if found != host_addresses(w3).acl:
        raise ContractNotConfigured(contract, found if int(found, 16) else "not set")


def created_address(nonce: int) -> ChecksumAddress:
    """The address of the contract that the deployer creates with this nonce."""
    return get_create_address(deployer().address, Nonce(nonce))


def _require_code(w3: Web3, address: str) -> None:
    if not w3.eth.get_code(Web3.to_checksum_address(address)):
        raise HostMissing(w3.eth.chain_id, address)


def _owner_of_acl(w3: Web3) -> str | None:
    if not w3.eth.get_code(Web3.to_checksum_address(LOCAL.acl)):
        return None
    owner: str = host_contract(w3, "ACL", LOCAL.acl).functions.owner().call()
    return owner


# -- the steps ---------------------------------------------------------------------------------------

_UPGRADED = {
    "ACL": LOCAL.acl,
    "FHEVMExecutor": LOCAL.executor,
    "KMSVerifier": LOCAL.kms_verifier,
    "InputVerifier": LOCAL.input_verifier,
    "HCULimit": LOCAL.hcu_limit,
}
_FIRST_IMPLEMENTATION = 8  # nonces 0–7 are spent on proxies and PauserSet


def _steps(w3: Web3, owner: str, signers: HostSigners) -> Iterator[_Step]:
    yield from _proxies(w3)
    yield _Step("create PauserSet", artifacts()["PauserSet"].bytecode)
    for name in _UPGRADED:
        yield _Step(f"create {name}", artifacts()[name].bytecode)
    for number, (name, proxy) in enumerate(_UPGRADED.items()):
        initialize = _encode(w3, name, "initializeFromEmptyProxy", *_arguments(name, signers))
        implementation = created_address(_FIRST_IMPLEMENTATION + number)
        upgrade = _encode(w3, name, "upgradeToAndCall", implementation, initialize)
        yield _Step(f"initialize {name}", upgrade, proxy)
    yield _Step("offer ownership", _encode(w3, "ACL", "transferOwnership", owner), LOCAL.acl)


def _proxies(w3: Web3) -> Iterator[_Step]:
    yield _Step("create EmptyUUPSProxyACL", artifacts()["EmptyUUPSProxyACL"].bytecode)
    first = _encode(w3, "EmptyUUPSProxyACL", "initialize", deployer().address)
    yield _Step("create ACL proxy", _proxy_code(w3, created_address(0), first))
    yield _Step("create EmptyUUPSProxy", artifacts()["EmptyUUPSProxy"].bytecode)
    empty = _encode(w3, "EmptyUUPSProxy", "initialize")
    for name in list(_UPGRADED)[1:]:
        yield _Step(f"create {name} proxy", _proxy_code(w3, created_address(2), empty))


def _arguments(name: str, signers: HostSigners) -> list[object]:
    gateway = LOCAL_GATEWAY
    if name == "KMSVerifier":
        return [gateway.decryption, gateway.chain_id, [signers.kms], 1]
    if name == "InputVerifier":
        return [gateway.input_verification, gateway.chain_id, [signers.attestation], 1]
    return []


def _encode(w3: Web3, name: str, function: str, *arguments: object) -> bytes:
    contract = w3.eth.contract(abi=artifacts()[name].abi)
    return bytes.fromhex(contract.encode_abi(function, args=list(arguments))[2:])


def _proxy_code(w3: Web3, implementation: str, initialize: bytes) -> bytes:
    proxy = artifacts()["ERC1967Proxy"]
    factory = w3.eth.contract(abi=proxy.abi, bytecode=proxy.bytecode)
    return bytes.fromhex(factory.constructor(implementation, initialize).data_in_transaction[2:])


# -- sending them ------------------------------------------------------------------------------------


def _take_steps(w3: Web3, owner: LocalAccount, signers: HostSigners) -> None:
    done = w3.eth.get_transaction_count(deployer().address)
    steps = list(_steps(w3, owner.address, signers))[done:]
    _fund(w3, deployer().address, STEP_GAS * len(steps))
    for nonce, step in enumerate(steps, start=done):
        _send(w3, deployer(), step, nonce)


def _accept_ownership(w3: Web3, owner: LocalAccount) -> None:
    acl = host_contract(w3, "ACL", LOCAL.acl).functions
    if not w3.eth.get_code(Web3.to_checksum_address(LOCAL.acl)):
        raise DeploymentFailed("create ACL proxy")
    if acl.pendingOwner().call() != owner.address:
        raise HostForeign("the owner", acl.owner().call(), owner.address)
    _send_as_owner(
        w3, owner, _Step("accept ownership", _encode(w3, "ACL", "acceptOwnership"), LOCAL.acl)
    )


def _check_implementations(w3: Web3) -> None:
    """Anybody could have used the public key up to now: see that nobody has."""
    for number, (name, proxy) in enumerate(_UPGRADED.items()):
        wanted = created_address(_FIRST_IMPLEMENTATION + number)
        word = w3.eth.get_storage_at(Web3.to_checksum_address(proxy), IMPLEMENTATION_SLOT)
        found = Web3.to_checksum_address(bytes(word)[-20:])
        if found != wanted:
            raise HostForeign(f"the {name}", found, wanted)


def _set_signers(w3: Web3, owner: LocalAccount, signers: HostSigners) -> None:
    for name, address, getter, signer in (
        ("KMSVerifier", LOCAL.kms_verifier, "getKmsSigners", signers.kms),
        ("InputVerifier", LOCAL.input_verifier, "getCoprocessorSigners", signers.attestation),
    ):
        contract = host_contract(w3, name, address)
        if contract.functions[getter]().call() != [signer]:
            data = _encode(w3, name, "defineNewContext", [signer], 1)
            _send_as_owner(w3, owner, _Step(f"set the signer of {name}", data, address))


def _send_as_owner(w3: Web3, owner: LocalAccount, step: _Step) -> None:
    _fund(w3, owner.address, STEP_GAS)
    _send(w3, owner, step, w3.eth.get_transaction_count(owner.address))


def _send(w3: Web3, sender: LocalAccount, step: _Step, nonce: int) -> None:
    wanted = {"nonce": nonce, "to": step.to or b"", "data": step.data, "gas": STEP_GAS}
    if not _send_signed(w3, sender, wanted):
        raise DeploymentFailed(step.what)


def _send_signed(w3: Web3, sender: LocalAccount, wanted: dict[str, Any]) -> bool:
    """Whether it succeeds. Signed here: a node may act for nobody."""
    common = {"chainId": LOCAL_CHAIN_ID, "gasPrice": _gas_price(w3), "value": 0}
    signed = sender.sign_transaction({**common, **wanted})
    sent = w3.eth.send_raw_transaction(signed.raw_transaction)
    return w3.eth.wait_for_transaction_receipt(sent, poll_latency=0.005)["status"] == 1


def _gas_price(w3: Web3) -> int:
    return 2 * w3.eth.get_block("latest").get("baseFeePerGas", 10**9)


def _fund(w3: Web3, account: ChecksumAddress, gas: int) -> None:
    """Give `account` what `gas` costs, from the first development account that can."""
    missing = gas * _gas_price(w3) * 2 - w3.eth.get_balance(account)
    if missing <= 0:
        return
    for rich in dev_accounts():
        if w3.eth.get_balance(rich.address) > 2 * missing:
            nonce = w3.eth.get_transaction_count(rich.address, "pending")
            payment = {
                "nonce": nonce,
                "to": account,
                "value": Wei(missing),
                "gas": 21_000,
            }
            if _send_signed(w3, rich, payment):
                return
    raise HostUnfunded(account, missing)
