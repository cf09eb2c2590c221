"""Solidity compilation through py-solc-x, each result kept by the hash of its whole input."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import solcx

from fhevm.errors import CompilationFailed
from fhevm.toolchain import export_environment, node_modules

Abi = list[dict[str, Any]]


@dataclass(frozen=True)
class Artifact:
    """One compiled contract: its ABI, creation code and runtime code (both without libraries)."""

    name: str
    abi: Abi
    bytecode: bytes
    runtime: bytes


def cache_folder() -> Path:
    """`$FHEVM_CACHE`, else `fhevm` in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("FHEVM_CACHE") or Path(base) / "fhevm")


def read_sources(*roots: tuple[str, Path]) -> dict[str, str]:
    """Every .sol file below each folder, named `prefix/relative/path.sol`."""
    return {
        f"{prefix}/{file.relative_to(folder).as_posix()}": file.read_text()
        for prefix, folder in roots
        for file in sorted(folder.rglob("*.sol"))
    }


def compile_sources(
    sources: dict[str, str],
    *,
    version: str,
    settings: dict[str, Any],
    wanted: list[str] | None = None,
) -> dict[str, Artifact]:
    """Compile `sources` (name → text); imports are looked up in node_modules.

    Returns the artifacts by contract name, only the files in `wanted` where it is given.
    Raises CompilationFailed with the compiler's own words.
    """
    selection = {"*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"]}
    standard_input = {
        "language": "Solidity",
        "sources": {name: {"content": text} for name, text in sources.items()},
        "settings": {
            **settings,
            "outputSelection": dict.fromkeys(wanted, selection) if wanted else {"*": selection},
        },
    }
    return _artifacts(_cached_output(standard_input, version))


def _cached_output(standard_input: dict[str, Any], version: str) -> dict[str, Any]:
    made = kept("solc", [version, standard_input], lambda: _run_compiler(standard_input, version))
    return dict(made)


def kept(folder: str, causes: list[Any], make: Callable[[], Any]) -> Any:
    """What `make` gives, as JSON, kept in `folder` of the cache by `causes` and npm's packages."""
    key = hashlib.sha256(json.dumps([*causes, _libraries()]).encode()).hexdigest()
    file = cache_folder() / folder / f"{key}.json"
    if file.exists():
        return json.loads(file.read_text())
    made = make()
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(made))
    partial.replace(file)
    return made


def _libraries() -> str:
    """What imports resolve to: npm's own record of what is installed."""
    record = node_modules() / ".package-lock.json"
    return hashlib.sha256(record.read_bytes()).hexdigest() if record.exists() else ""


def _run_compiler(standard_input: dict[str, Any], version: str) -> dict[str, Any]:
    export_environment()
    try:
        output: dict[str, Any] = solcx.compile_standard(
            standard_input, solc_version=version, base_path=str(node_modules())
        )
    except solcx.exceptions.SolcError as error:
        raise CompilationFailed(str(error)) from error
    return {"contracts": output.get("contracts", {})}


def _artifacts(output: dict[str, Any]) -> dict[str, Artifact]:
    return {
        name: Artifact(
            name,
            contract["abi"],
            bytes.fromhex(contract["evm"]["bytecode"]["object"]),
            bytes.fromhex(contract["evm"]["deployedBytecode"]["object"]),
        )
        for file in output["contracts"].values()
        for name, contract in file.items()
        if contract["evm"]["bytecode"]["object"]
    }
