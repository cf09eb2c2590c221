"""What slither finds in the contracts, against what is known and meant.

contracts/slither.toml holds each finding that stays, beside its reason. A finding that is not there fails,
and so does an entry there that slither no longer finds. What is informational, or of gas, is left to solhint
and to the tests of gas; contracts for tests are left out.
"""

import argparse
import inspect
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import solcx
from crytic_compile import CryticCompile
from crytic_compile.compilation_unit import CompilationUnit
from crytic_compile.compiler.compiler import CompilerVersion
from crytic_compile.platform.solc_standard_json import SolcStandardJson, parse_standard_json_output
from slither import Slither
from slither.detectors import all_detectors
from slither.detectors.abstract_detector import AbstractDetector, DetectorClassification

from fhevm.compiler import kept, read_sources
from fhevm.toolchain import export_environment, node_modules
from fogbound.artifacts import SETTINGS, SOLC_VERSION, SOURCES

MEANT = SOURCES / "slither.toml"
LEVELS = (
    DetectorClassification.HIGH,
    DetectorClassification.MEDIUM,
    DetectorClassification.LOW,
)
NO_CODE = {"bytecode": {"object": "", "sourceMap": ""}}
PLACE = re.compile(r" \([^() ]*#[\d-]+\)")
"""Where a finding is; lines move with every edit, so they are no part of it."""


@dataclass(frozen=True, order=True)
class Finding:
    """`text`: slither's own words in one line, without places."""

    check: str
    text: str


class PinnedCompiler(SolcStandardJson):
    """The compiler of the lock file, asked for syntax trees alone: slither needs no code, which is slow."""

    def __init__(self, root: Path, wanted: dict[str, Any]) -> None:
        super().__init__(wanted)
        self._root = root

    def compile(self, crytic_compile: CryticCompile, **_: Any) -> None:
        export_environment()
        output = solcx.compile_standard(
            self.to_dict(), solc_version=SOLC_VERSION, base_path=str(node_modules())
        )
        for contract in (each for file in output["contracts"].values() for each in file.values()):
            contract["evm"] = {**NO_CODE, "deployedBytecode": NO_CODE["bytecode"]}
        unit = CompilationUnit(crytic_compile, "contracts")
        unit.compiler_version = CompilerVersion("solc", SOLC_VERSION, optimized=True)
        parse_standard_json_output(output, unit, str(self._root))


def findings(root: Path) -> list[Finding]:
    """What slither finds in the contracts below `root`/contracts, in order; asked once for each state."""
    sources = read_sources(("contracts", root / "contracts"))
    wanted = _input({name: text for name, text in sources.items() if "/testing/" not in name})
    causes = [wanted, version("slither-analyzer"), Path(__file__).read_text()]
    found = kept("slither", causes, lambda: [*map(astuple, _find(root, wanted))])
    return [Finding(*each) for each in found]


def _find(root: Path, wanted: dict[str, Any]) -> list[Finding]:
    compiler = PinnedCompiler(root, wanted)
    slither = Slither(CryticCompile(compiler), filter_paths=["node_modules"])
    for detector in _detectors():
        slither.register_detector(detector)
    found = (each for results in slither.run_detectors() for each in results)
    return sorted({_finding(each["check"], each["description"]) for each in found})


def _input(sources: dict[str, str]) -> dict[str, Any]:
    libraries = ("@fhevm/solidity", "@openzeppelin/contracts", "encrypted-types")
    settings = {
        **SETTINGS,
        "remappings": [f"{name}/={node_modules()}/{name}/" for name in libraries],
        "outputSelection": {"*": {"*": ["abi"], "": ["ast"]}},
    }
    contents = {name: {"content": text} for name, text in sources.items()}
    return {"language": "Solidity", "sources": contents, "settings": settings}


def _detectors() -> Iterator[type[AbstractDetector]]:
    for each in vars(all_detectors).values():
        if inspect.isclass(each) and issubclass(each, AbstractDetector) and each.IMPACT in LEVELS:
            yield each


def _finding(check: str, description: str) -> Finding:
    return Finding(check, " ".join(PLACE.sub("", description).split()))


def meant(file: Path) -> list[Finding]:
    """The findings that a list holds. Raises ValueError where one has no reason or is there twice."""
    known: list[Finding] = []
    for entry in tomllib.loads(file.read_text())["meant"]:
        if not entry.get("reason", "").strip():
            raise ValueError(f"{file.name}: {entry['check']} has no reason beside it")
        known += [Finding(entry["check"], text) for text in entry["findings"]]
    if len(set(known)) < len(known):
        raise ValueError(f"{file.name}: a finding is there twice")
    return known


def differences(found: Iterable[Finding], known: Iterable[Finding]) -> list[str]:
    """A line for each finding that nobody has explained, and for each explanation without a finding."""
    new = [f"new: {each.check}: {each.text}" for each in sorted(set(found) - set(known))]
    return new + [f"gone: {each.check}: {each.text}" for each in sorted(set(known) - set(found))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.slither_check", description=__doc__)
    parser.add_argument(
        "--show", action="store_true", help="print all findings, as they are listed"
    )
    shown = parser.parse_args().show
    found = findings(SOURCES.parent)
    told = differences(found, [] if shown else meant(MEANT))
    if shown:
        print(*told, sep="\n")
    elif told:
        sys.exit("\n".join(["slither and contracts/slither.toml differ:", *told]))


if __name__ == "__main__":
    main()
