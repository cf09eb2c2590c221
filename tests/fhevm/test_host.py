import json
from dataclasses import replace

import pytest
from eth_account import Account
from web3.exceptions import ContractCustomError

from fhevm import host as host_module
from fhevm.addresses import LOCAL, LOCAL_GATEWAY
from fhevm.devchain import dev_accounts
from fhevm.errors import (
    ContractNotConfigured,
    DeploymentFailed,
    HostForeign,
    HostMissing,
    HostUnfunded,
    WrongChain,
)
from fhevm.freshchain import ask, fresh_chain
from fhevm.host import (
    HostSigners,
    check_configured,
    deploy_host,
    deployer,
    gateway_domain,
    host_addresses,
)
from fhevm.host_contracts import artifacts, host_contract
from fhevm.toolchain import node_modules

OWNER = Account.from_key("0x" + "01" * 32)
SIGNERS = HostSigners(
    kms=Account.from_key("0x" + "02" * 32).address,
    attestation=Account.from_key("0x" + "03" * 32).address,
)


@pytest.fixture
def chain():
    return fresh_chain()


@pytest.fixture
def deployed(chain):
    deploy_host(chain, OWNER, SIGNERS)
    return chain


def npm_artifact(name):
    folder = node_modules() / "@fhevm" / "host-contracts" / "artifacts" / "contracts"
    (file,) = folder.rglob(f"{name}.json")
    return json.loads(file.read_text())


@pytest.mark.parametrize(
    "name", ["FHEVMExecutor", "KMSVerifier", "InputVerifier", "HCULimit", "PauserSet"]
)
def test_bytecode_is_that_of_the_package(name):
    published = npm_artifact(name)
    assert "0x" + artifacts()[name].bytecode.hex() == published["bytecode"]
    assert "0x" + artifacts()[name].runtime.hex() == published["deployedBytecode"]


def test_acl_differs_from_the_package_by_the_pauser_set_alone():
    """The published one names a PauserSet that the local deployment does not have."""
    ours = artifacts()["ACL"].bytecode.hex()
    published = npm_artifact("ACL")["bytecode"].removeprefix("0x")
    pauser_set = LOCAL.pauser_set[2:].lower()
    at = ours.index(pauser_set)
    foreign = published[at : at + 40]
    assert foreign != pauser_set
    assert published.replace(foreign, pauser_set) == ours


def test_the_deployment_is_complete(deployed):
    assert host_addresses(deployed) == LOCAL
    assert gateway_domain(deployed, LOCAL) == LOCAL_GATEWAY
    executor = host_contract(deployed, "FHEVMExecutor", LOCAL.executor).functions
    assert executor.getACLAddress().call() == LOCAL.acl
    assert executor.getInputVerifierAddress().call() == LOCAL.input_verifier
    assert executor.getHCULimitAddress().call() == LOCAL.hcu_limit
    acl = host_contract(deployed, "ACL", LOCAL.acl).functions
    assert acl.getPauserSetAddress().call() == LOCAL.pauser_set
    assert acl.owner().call() == OWNER.address
    kms = host_contract(deployed, "KMSVerifier", LOCAL.kms_verifier).functions
    assert kms.getKmsSigners().call() == [SIGNERS.kms]
    inputs = host_contract(deployed, "InputVerifier", LOCAL.input_verifier).functions
    assert inputs.getCoprocessorSigners().call() == [SIGNERS.attestation]
    for address in vars(LOCAL).values():
        assert deployed.eth.get_code(address)


def test_a_second_call_changes_nothing(deployed):
    before = deployed.eth.get_block("latest")["hash"]
    assert deploy_host(deployed, OWNER, SIGNERS) == LOCAL
    assert deployed.eth.get_block("latest")["hash"] == before


@pytest.mark.parametrize("steps", [1, 9, 18])
def test_a_deployment_that_was_cut_off_goes_on(chain, monkeypatch, steps):
    send, sent = host_module._send, []

    def send_until_cut(*arguments):
        if len(sent) == steps:
            raise KeyboardInterrupt
        sent.append(arguments)
        send(*arguments)

    monkeypatch.setattr(host_module, "_send", send_until_cut)
    with pytest.raises(KeyboardInterrupt):
        deploy_host(chain, OWNER, SIGNERS)
    monkeypatch.undo()
    deploy_host(chain, OWNER, SIGNERS)
    assert host_contract(chain, "ACL", LOCAL.acl).functions.owner().call() == OWNER.address


def test_new_signers_replace_the_old(deployed):
    other = Account.from_key("0x" + "04" * 32).address
    deploy_host(deployed, OWNER, replace(SIGNERS, kms=other))
    kms = host_contract(deployed, "KMSVerifier", LOCAL.kms_verifier).functions
    assert kms.getKmsSigners().call() == [other]


def test_the_host_of_another_owner_is_refused(deployed):
    stranger = Account.from_key("0x" + "05" * 32)
    before = deployed.eth.block_number
    with pytest.raises(HostForeign, match=OWNER.address):
        deploy_host(deployed, stranger, SIGNERS)
    assert deployed.eth.block_number == before


@pytest.mark.parametrize(
    ("name", "address", "function", "arguments"),
    [
        ("ACL", LOCAL.acl, "transferOwnership", [deployer().address]),
        ("ACL", LOCAL.acl, "blockAccount", [SIGNERS.kms]),
        ("ACL", LOCAL.acl, "unpause", []),
        ("ACL", LOCAL.acl, "upgradeToAndCall", [LOCAL.executor, b""]),
        ("FHEVMExecutor", LOCAL.executor, "upgradeToAndCall", [LOCAL.acl, b""]),
        ("HCULimit", LOCAL.hcu_limit, "upgradeToAndCall", [LOCAL.acl, b""]),
        ("KMSVerifier", LOCAL.kms_verifier, "upgradeToAndCall", [LOCAL.acl, b""]),
        ("KMSVerifier", LOCAL.kms_verifier, "defineNewContext", [[deployer().address], 1]),
        ("KMSVerifier", LOCAL.kms_verifier, "setThreshold", [1]),
        ("InputVerifier", LOCAL.input_verifier, "upgradeToAndCall", [LOCAL.acl, b""]),
        ("InputVerifier", LOCAL.input_verifier, "defineNewContext", [[deployer().address], 1]),
        ("PauserSet", LOCAL.pauser_set, "addPauser", [deployer().address]),
    ],
)
def test_the_public_deployer_can_change_nothing(deployed_once, name, address, function, arguments):
    contract = host_contract(deployed_once, name, address)
    call = contract.functions[function](*arguments)
    with pytest.raises(ContractCustomError) as refusal:
        call.call({"from": deployer().address})
    own = {"ACL": "OwnableUnauthorizedAccount"}.get(name, "NotHostOwner")
    assert str(refusal.value.data).startswith("0x" + selector(name, own))


def selector(name, error):
    from web3 import Web3

    (entry,) = [item for item in artifacts()[name].abi if item.get("name") == error]
    signature = f"{error}({','.join(field['type'] for field in entry['inputs'])})"
    return Web3.keccak(text=signature)[:4].hex()


@pytest.fixture(scope="module")
def deployed_once():
    chain = fresh_chain()
    deploy_host(chain, OWNER, SIGNERS)
    return chain


def test_another_chain_id_is_refused(chain):
    ask(chain, "anvil_setChainId", 131277322940537)
    for call in (lambda: deploy_host(chain, OWNER, SIGNERS), lambda: host_addresses(chain)):
        with pytest.raises(WrongChain, match="131277322940537"):
            call()


def test_a_chain_without_host_is_named(chain):
    with pytest.raises(HostMissing, match=LOCAL.executor):
        host_addresses(chain)


def test_a_contract_without_configuration_is_named(deployed):
    with pytest.raises(ContractNotConfigured, match="not set"):
        check_configured(deployed, LOCAL.pauser_set)


def test_nobody_can_pay(chain):
    for account in dev_accounts():
        ask(chain, "anvil_setBalance", account.address, "0x0")
    with pytest.raises(HostUnfunded, match=deployer().address):
        deploy_host(chain, OWNER, SIGNERS)


def test_a_step_that_fails_is_named(chain, monkeypatch):
    monkeypatch.setattr(host_module, "STEP_GAS", 1_000_000)
    with pytest.raises(DeploymentFailed, match="create ACL"):
        deploy_host(chain, OWNER, SIGNERS)


def test_dev_accounts_are_funded(chain):
    assert chain.eth.accounts == [account.address for account in dev_accounts()]
    assert chain.eth.get_balance(dev_accounts()[0].address) > 10**21
