"""pytest fixtures: a local fhEVM beside the chain that the tests use."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--fhevm-backend`: what computes in tests that do not choose a backend themselves."""
    group = parser.getgroup("fhevm")
    group.addoption(
        "--fhevm-backend",
        choices=("clear", "concrete"),
        default="clear",
        help="what the coprocessor of the `fhevm` fixture computes with",
    )
