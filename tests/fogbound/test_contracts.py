"""Artifacts and the registry of deployments."""

import json

import pytest
import yaml

from fhevm.freshchain import fresh_chain
from fogbound import artifacts
from fogbound.artifacts import SETTINGS, SOLC_VERSION, compile_contract
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Deployment, Registry, check
from fogbound.errors import ChainReset, DeploymentOutdated, NotDeployed, UnknownContract
from fogbound.games import TableTerms
from tests.fogbound.sandbox import GAME


def test_settings_are_those_of_ape():
    config = yaml.safe_load((artifacts.SOURCES.parent / "ape-config.yaml").read_text())["solidity"]
    assert config["version"] == SOLC_VERSION
    assert config["evm_version"] == SETTINGS["evmVersion"]
    assert config["via_ir"] is SETTINGS["viaIR"]
    optimizer = {"enabled": config["optimize"], "runs": config["optimization_runs"]}
    assert optimizer == SETTINGS["optimizer"]


def test_an_unknown_contract_is_named():
    with pytest.raises(UnknownContract, match="Nowhere"):
        artifacts.artifact("Nowhere")


def test_imports_are_followed(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "Base.sol").write_text(
        'pragma solidity ^0.8.28;\nimport {Top} from "../Top.sol";\ncontract Base is Top {}\n'
    )
    (tmp_path / "Top.sol").write_text("pragma solidity ^0.8.28;\ncontract Top { uint256 x; }\n")
    (tmp_path / "Broken.sol").write_text("this is no Solidity")
    assert compile_contract(tmp_path / "lib" / "Base.sol", tmp_path).name == "Base"


@pytest.fixture
def sample_registry(tmp_path, monkeypatch, sample_artifact):
    monkeypatch.setattr("fogbound.contracts.artifact", lambda name: sample_artifact)
    return Registry(tmp_path / "deployments.json")


def test_a_deployment_is_found_again_after_a_restart(chain, host, sample_registry, tmp_path):
    made = sample_registry.deploy(chain, host, "Sample")
    again = Registry(tmp_path / "deployments.json")
    assert again.find("Sample", chain.chain_id) == made
    assert again.on_chain(chain.chain_id) == [made]
    assert again.contract(chain, "Sample").functions.total().call() == 0
    assert json.loads((tmp_path / "deployments.json").read_text())[0]["contract"] == "Sample"


def test_nothing_deployed_says_so(chain, sample_registry):
    with pytest.raises(NotDeployed, match="Sample"):
        sample_registry.contract(chain, "Sample")


def test_a_reset_chain_is_recognised_by_its_missing_code(chain, host, sample_registry):
    sample_registry.deploy(chain, host, "Sample")
    with pytest.raises(ChainReset):
        sample_registry.contract(Chain(fresh_chain()), "Sample")


def test_a_reset_chain_is_recognised_by_its_first_block(chain, sample):
    other = Deployment("Sample", sample.address, chain.chain_id, 1, genesis="0x" + "12" * 32)
    with pytest.raises(ChainReset, match="first block"):
        check(chain, other)


@pytest.fixture
def outdated(chain, sample):
    """A connection that knows a table of a version that counted its clocks in blocks."""
    registry = Registry()
    registry.add(Deployment("Sandbox", sample.address, chain.chain_id, 1))
    return Connection(chain, registry)


def test_a_deployment_of_an_older_version_says_what_to_do(outdated, host, sample, chain):
    with pytest.raises(DeploymentOutdated) as caught:
        outdated.client(GAME, host)
    error = caught.value
    assert (error.contract, error.address, error.chain_id) == (
        "Sandbox", sample.address, chain.chain_id
    )  # fmt: skip
    assert "counts clocks in blocks" in str(error)
    assert "fogbound deploy" in str(error)


def test_beside_an_older_version_the_game_is_deployed_anew(outdated, host, sample, caplog):
    (made,) = outdated.deploy_missing([GAME], host, TableTerms(host.address))
    assert made.address != sample.address
    assert sample.address in caplog.text
    assert outdated.client(GAME, host).open(b"", 2) == 1
    assert outdated.deploy_missing([GAME], host, TableTerms(host.address)) == []


def test_a_client_reads_no_block_before_the_deployment(chain, registry, host, monkeypatch):
    """On a public chain there are millions."""
    chain.mine(5)
    deployed = registry.deploy(chain, host, "Sandbox", TableTerms(host.address).arguments)
    client = Connection(chain, registry).client(GAME, host)
    client.open(b"", 2)
    asked = []
    true_logs = chain.logs
    monkeypatch.setattr(chain, "logs", lambda *given: asked.append(given[1]) or true_logs(*given))
    assert [event.name for event in client.history.events()] == ["GameOpened"]
    assert asked == [deployed.block]
