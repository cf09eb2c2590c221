"""All that a program needs to play: a chain, what is deployed there, and the fhEVM's client."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from eth_account.signers.local import LocalAccount

from fhevm.client import FhevmClient
from fhevm.devchain import dev_accounts
from fhevm.host import host_addresses
from fogbound.chain import Chain
from fogbound.contracts import Deployment, Registry
from fogbound.errors import DeploymentOutdated, NotDeployed
from fogbound.games import GameSpec, TableTerms, find_game
from fogbound.history import History

log = logging.getLogger(__name__)


@dataclass
class Connection:
    """One chain with its games. `fhevm` is None where no gateway is known."""

    chain: Chain
    registry: Registry
    fhevm: FhevmClient | None = None

    def client(self, game: str | GameSpec, account: LocalAccount) -> Any:
        """The game's own client for an account.

        Raises GameNotInstalled, NotDeployed, ChainReset, DeploymentOutdated.
        """
        spec = find_game(game) if isinstance(game, str) else game
        history = self.history(spec)
        client = spec.client(self.chain, history.contract, account, self.fhevm)
        client.history = history
        return client

    def history(self, game: str | GameSpec) -> History:
        """The events of the game's contract. Raises as `client` does."""
        spec = find_game(game) if isinstance(game, str) else game
        deployment = self.registry.find(spec.contract, self.chain.chain_id)
        contract = self.registry.contract(self.chain, spec.contract)
        return History(self.chain, contract, deployment.block)

    def is_deployed(self, spec: GameSpec) -> bool:
        """Whether the game's contract is where we know it, and of this version (an older one is logged).

        Raises ChainReset where it was, on a chain that is gone.
        """
        try:
            self.registry.contract(self.chain, spec.contract)
        except NotDeployed:
            return False
        except DeploymentOutdated as error:
            log.warning("%s", error)
            return False
        return True

    def deploy(self, spec: GameSpec, deployer: LocalAccount, terms: TableTerms) -> Deployment:
        """Deploy a game anew and remember where.

        Raises what Chain.transact does; WrongChain or HostMissing of fhevm where the game needs an fhEVM.
        """
        if spec.encrypted:
            host_addresses(self.chain.web3)
        arguments = spec.constructor(terms)
        return self.registry.deploy(self.chain, deployer, spec.contract, arguments)

    def deploy_missing(
        self, games: Iterable[GameSpec], deployer: LocalAccount, terms: TableTerms
    ) -> list[Deployment]:
        """Deploy those that are not there, or of an older version; the new deployments.

        What stood there before stays on the chain, but is no longer known. Raises ChainReset.
        """
        return [self.deploy(spec, deployer, terms) for spec in games if not self.is_deployed(spec)]

    def fund(self, address: str, wei: int) -> None:
        """On a local chain: bring an account to at least `wei`, from a development account."""
        missing = wei - self.chain.balance(address)
        if missing > 0:
            self.chain.transfer(dev_accounts()[0], address, missing)
