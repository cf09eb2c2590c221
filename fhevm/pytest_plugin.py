"""pytest fixtures: a local fhEVM beside the chain that the tests use.

`fhevm` is a `LocalFhevm` for the whole session, with the backend of `--fhevm-backend`. It stands on
`fhevm_w3`: the chain of ape where ape runs the tests, else a fresh anvil; override that fixture for another.
A chain that is reverted between tests, as ape does, is followed.
"""

import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # a session that uses none of this loads none of it
    from web3 import Web3

    from fhevm.local import LocalFhevm

SEED_BYTES = 32


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options for what computes, and with which keys."""
    group = parser.getgroup("fhevm")
    group.addoption(
        "--fhevm-backend",
        choices=("clear", "concrete"),
        default="clear",
        help="what the coprocessor of the `fhevm` fixture computes with",
    )
    group.addoption(
        "--fhevm-seed",
        type=bytes.fromhex,
        default=None,
        help="32 bytes in hexadecimal that all keys follow from (the header shows them)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose a seed where none is given; offer ape the chain `ethereum:local:fhevm`."""
    if config.option.fhevm_seed is None:
        config.option.fhevm_seed = secrets.token_bytes(SEED_BYTES)
    if config.pluginmanager.hasplugin("ape_test"):
        from fhevm.ape_chain import register

        register()


def pytest_report_header(config: pytest.Config) -> str:
    """How to repeat this session's keys."""
    seed: bytes = config.option.fhevm_seed
    return f"fhevm: --fhevm-backend {config.option.fhevm_backend} --fhevm-seed {seed.hex()}"


@pytest.fixture(scope="session")
def fhevm_w3(request: pytest.FixtureRequest) -> "Web3":
    """The chain under test."""
    if request.config.pluginmanager.has_plugin("ape-test"):
        from ape import networks

        if provider := networks.active_provider:
            web3: Web3 = provider.web3
            return web3
    from fhevm.freshchain import fresh_chain

    return fresh_chain()


@pytest.fixture(scope="session")
def fhevm(request: pytest.FixtureRequest, fhevm_w3: "Web3") -> "Iterator[LocalFhevm]":
    """A local fhEVM on the chain under test."""
    from fhevm.local import LocalFhevm

    option = request.config.option
    with LocalFhevm.create(fhevm_w3, option.fhevm_backend, option.fhevm_seed) as local:
        yield local
