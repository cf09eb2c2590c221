"""Real keys, made once, and the roles that use them."""

import os
from pathlib import Path

import pytest

from fhevm.backends import get_backend
from fhevm.vectors import Machine

SEED = bytes(range(32))
ROOT = Path(__file__).parents[3]
VECTORS = ROOT / "tests" / "vectors"


@pytest.fixture(scope="session")
def keys():
    return get_backend("concrete").generate_keys(SEED)


@pytest.fixture(scope="session")
def machine(keys):
    return Machine(get_backend("concrete"), keys)


@pytest.fixture(scope="session")
def vector_files():
    """Ours, and the protocol's public table where it is at hand."""
    public = Path(os.environ.get("FHEVM_VECTORS", ROOT / "../shared/vectors/fhevm-operators.json"))
    return [file for file in (VECTORS / "operators.json", public) if file.exists()]
