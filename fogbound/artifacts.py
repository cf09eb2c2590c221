"""Compiled contracts, from `contracts/` of this checkout; each is compiled once (see `fhevm.compiler`)."""

import re
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from fhevm.compiler import Artifact, compile_sources
from fogbound.errors import UnknownContract

SOLC_VERSION = "0.8.37"
SETTINGS: dict[str, Any] = {  # as in ape-config.yaml
    "evmVersion": "cancun",
    "viaIR": True,
    "optimizer": {"enabled": True, "runs": 800},
}
SOURCES = Path(__file__).parent.parent / "contracts"

_IMPORT = re.compile(r"""^\s*import\b[^;"']*["'](\.[^"']+)["']""", re.MULTILINE)


@cache
def artifact(name: str) -> Artifact:
    """The contract `name`, which its file is named after.

    Raises UnknownContract, CompilationFailed.
    """
    found = sorted(SOURCES.rglob(f"{name}.sol"))
    if not found:
        raise UnknownContract(name)
    return compile_contract(found[0], SOURCES.parent)


def compile_contract(file: Path, root: Path) -> Artifact:
    """Compile one file below `root` with what it imports; the contract is named after the file."""
    wanted = file.relative_to(root).as_posix()
    sources = _with_imports(wanted, root)
    compiled = compile_sources(sources, version=SOLC_VERSION, settings=SETTINGS, wanted=[wanted])
    if file.stem not in compiled:
        raise UnknownContract(file.stem)
    return compiled[file.stem]


def _with_imports(name: str, root: Path) -> dict[str, str]:
    """A file and all that it imports by relative path, by name; libraries are left to solc."""
    sources: dict[str, str] = {}
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current not in sources:
            sources[current] = (root / current).read_text()
            folder = PurePosixPath(current).parent
            waiting += [_joined(folder, path) for path in _IMPORT.findall(sources[current])]
    return sources


def _joined(folder: PurePosixPath, relative: str) -> str:
    parts: list[str] = []
    for part in (*folder.parts, *PurePosixPath(relative).parts):
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
