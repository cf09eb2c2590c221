"""Which contract stands where: deployments by chain, kept in a file, checked against the chain."""

import json
import os
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eth_account.signers.local import LocalAccount
from web3.contract import Contract

from fogbound.artifacts import artifact
from fogbound.chain import Chain
from fogbound.errors import ChainReset, ContractError, DeploymentOutdated, NotDeployed

VERSION_VIEW = "timeControls"


@dataclass(frozen=True)
class Deployment:
    """One contract on one chain; `genesis` (block 0's hash) tells a reset chain, where known."""

    contract: str
    address: str
    chain_id: int
    block: int
    genesis: str | None = None


class Registry:
    """The deployments that this user knows, in a JSON file or, without one, in memory."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._known = _read(file)

    def add(self, deployment: Deployment) -> None:
        """Remember a deployment, in place of an older one of the same contract and chain."""
        with self._lock:
            self._known[deployment.contract, deployment.chain_id] = deployment
            if self._file:
                _write(self._file, list(self._known.values()))

    def find(self, contract: str, chain_id: int) -> Deployment:
        """The deployment of a contract. Raises NotDeployed."""
        found = self._known.get((contract, chain_id))
        if found is None:
            raise NotDeployed(contract, chain_id)
        return found

    def on_chain(self, chain_id: int) -> list[Deployment]:
        """All deployments on one chain."""
        return [known for known in self._known.values() if known.chain_id == chain_id]

    def contract(self, chain: Chain, name: str) -> Contract:
        """The contract, ready to call. Raises NotDeployed, ChainReset, DeploymentOutdated."""
        deployment = self.find(name, chain.chain_id)
        check(chain, deployment)
        contract = chain.contract(deployment.address, artifact(name).abi)
        _check_version(chain, deployment, contract)
        return contract

    def deploy(
        self, chain: Chain, account: LocalAccount, name: str, arguments: Sequence[Any] = ()
    ) -> Deployment:
        """Deploy a contract and remember it. Raises what Chain.transact does."""
        made = artifact(name)
        receipt = chain.deploy(account, made.abi, made.bytecode, arguments)
        address = receipt["contractAddress"]
        assert address is not None, "a creation that succeeded has an address"
        genesis = chain.block_hash(0)
        deployment = Deployment(name, address, chain.chain_id, receipt["blockNumber"], genesis)
        self.add(deployment)
        return deployment


def check(chain: Chain, deployment: Deployment) -> None:
    """Raise ChainReset where `chain` is not the chain that `deployment` was made on."""
    if deployment.genesis not in (None, chain.block_hash(0)):
        raise ChainReset("it has another first block")
    if not chain.has_code(deployment.address):
        raise ChainReset(f"no contract is at {deployment.address} ({deployment.contract})")


def _check_version(chain: Chain, deployment: Deployment, contract: Contract) -> None:
    """A table of an older version does not know the view."""
    if not any(each.fn_name == VERSION_VIEW for each in contract.all_functions()):
        return
    try:
        chain.read(contract.functions[VERSION_VIEW]())
    except ContractError:
        raise DeploymentOutdated(
            deployment.contract, deployment.address, deployment.chain_id
        ) from None


def _read(file: Path | None) -> dict[tuple[str, int], Deployment]:
    if file is None or not file.exists():
        return {}
    known = [Deployment(**entry) for entry in json.loads(file.read_text())]
    return {(each.contract, each.chain_id): each for each in known}


def _write(file: Path, deployments: list[Deployment]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps([asdict(each) for each in deployments], indent=1))
    partial.replace(file)
