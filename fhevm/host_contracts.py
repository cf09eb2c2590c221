"""Zama's host contracts, compiled with the settings that give npm's own bytecode."""

from dataclasses import asdict
from functools import cache
from typing import Any

from web3 import Web3
from web3.contract import Contract

from fhevm.addresses import LOCAL
from fhevm.compiler import Artifact, compile_sources, read_sources
from fhevm.toolchain import node_modules

SOLC_VERSION = "0.8.24"
SETTINGS: dict[str, Any] = {
    "evmVersion": "cancun",
    "optimizer": {"enabled": True, "runs": 800},
    "metadata": {"bytecodeHash": "none"},
}
PROXY = "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol"

# The package leaves this generated file out.
_ADDRESS_CONSTANTS = {
    "acl": "aclAdd",
    "executor": "fhevmExecutorAdd",
    "kms_verifier": "kmsVerifierAdd",
    "input_verifier": "inputVerifierAdd",
    "hcu_limit": "hcuLimitAdd",
    "pauser_set": "pauserSetAdd",
}


@cache
def artifacts() -> dict[str, Artifact]:
    """The host contracts by name: ACL, FHEVMExecutor, KMSVerifier, InputVerifier, HCULimit, PauserSet,
    EmptyUUPSProxyACL, EmptyUUPSProxy, ERC1967Proxy. Raises ToolMissing, CompilationFailed.
    """
    sources = read_sources(
        ("contracts", node_modules() / "@fhevm" / "host-contracts" / "contracts")
    )
    sources["addresses/FHEVMHostAddresses.sol"] = _addresses_source()
    sources[PROXY] = (node_modules() / PROXY).read_text()
    return compile_sources(sources, version=SOLC_VERSION, settings=SETTINGS, wanted=list(sources))


def _addresses_source() -> str:
    constants = [
        f"address constant {_ADDRESS_CONSTANTS[field]} = {address};"
        for field, address in asdict(LOCAL).items()
    ]
    return "\n".join(["// SPDX-License-Identifier: MIT", "pragma solidity ^0.8.24;", *constants])


def host_contract(w3: Web3, name: str, address: str) -> Contract:
    """The host contract `name` (as in `artifacts`) at `address`."""
    return w3.eth.contract(address=Web3.to_checksum_address(address), abi=artifacts()[name].abi)
