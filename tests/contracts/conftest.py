"""For every contract test: no stale artifacts.

ape compiles a changed file anew, but not the contracts that import it. So whatever is older than the
newest source goes, before ape reads it.
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / ".build" / "__local__.json"


def drop_stale_artifacts() -> None:
    sources = [path for path in ROOT.glob("contracts/**/*.sol") if ".cache" not in path.parts]
    newest = max(path.stat().st_mtime for path in sources)
    if MANIFEST.exists() and MANIFEST.stat().st_mtime < newest:
        MANIFEST.unlink(missing_ok=True)


drop_stale_artifacts()
