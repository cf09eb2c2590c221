"""Compiles the contracts for ape's tests, as far as they are stale.

ape compiles a changed file anew, but not the contracts that import it. So whatever is older than the
newest source goes, before ape reads it.
"""

from pathlib import Path

from fhevm.toolchain import export_environment

ROOT = Path(__file__).parents[1]
MANIFEST = ROOT / ".build" / "__local__.json"


def compile_contracts() -> None:
    export_environment()
    _drop_stale_artifacts()
    from ape import Project

    Project(ROOT).load_contracts()


def _drop_stale_artifacts() -> None:
    sources = [path for path in ROOT.glob("contracts/**/*.sol") if ".cache" not in path.parts]
    newest = max(path.stat().st_mtime for path in sources)
    if MANIFEST.exists() and MANIFEST.stat().st_mtime < newest:
        MANIFEST.unlink(missing_ok=True)


if __name__ == "__main__":
    compile_contracts()
