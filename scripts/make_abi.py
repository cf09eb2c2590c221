"""Writes frontend/web/src/lib/chain/abi/*.ts from the compiled contracts: nobody types an ABI."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fhevm.host_contracts import artifacts
from fogbound.artifacts import artifact

FOLDER = Path(__file__).parent.parent / "frontend" / "web" / "src" / "lib" / "chain" / "abi"
WANTED = {"function", "event", "error"}
HOST_VIEWS = {
    "FHEVMExecutor": {"getInputVerifierAddress"},
    "InputVerifier": {"eip712Domain", "getCoprocessorSigners"},
    "KMSVerifier": {"eip712Domain", "getKmsSigners"},
}
Entry = dict[str, Any]


def files() -> dict[str, str]:
    """The content of each file by name. The table's ABI is what the games share."""
    bunker_war, battleship = (_clean(artifact(name).abi) for name in ("BunkerWar", "Battleship"))
    table = [entry for entry in bunker_war if entry in battleship]
    return {
        "table.ts": _constant("tableAbi", table),
        "bunkerWar.ts": _of_game("bunkerWar", bunker_war, table),
        "battleship.ts": _of_game("battleship", battleship, table),
        "hostErrors.ts": _constant("hostErrorsAbi", _host_errors()),
        "hostViews.ts": _constant("hostViewsAbi", _host_views()),
    }


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in files().items():
        (FOLDER / name).write_text(content)


def _of_game(name: str, abi: list[Entry], table: list[Entry]) -> str:
    own = [entry for entry in abi if entry not in table]
    whole = f"export const {name}Abi = [...tableAbi, ...own] as const;\n"
    imported = "import { tableAbi } from './table';\n\n"
    return _text(imported + _list("const own", own) + "\n" + whole)


def _host_errors() -> list[Entry]:
    """What the calls of a game may meet in Zama's contracts."""
    found = [entry for made in artifacts().values() for entry in _clean(made.abi)]
    errors = {json.dumps(entry): entry for entry in found if entry["type"] == "error"}
    return [errors[key] for key in sorted(errors)]


def _host_views() -> list[Entry]:
    """Whose signatures Zama's contracts accept, and for which gateway."""
    found = [
        entry
        for name, wanted in HOST_VIEWS.items()
        for entry in _clean(artifacts()[name].abi)
        if entry["type"] == "function" and entry["name"] in wanted
    ]
    return [entry for at, entry in enumerate(found) if entry not in found[:at]]


def _clean(abi: Iterable[Entry]) -> list[Entry]:
    entries = [_without_internal(entry) for entry in abi if entry["type"] in WANTED]
    return sorted(entries, key=lambda entry: (entry["type"], entry["name"], json.dumps(entry)))


def _without_internal(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if key != "internalType"}
        return {key: _without_internal(each) for key, each in kept.items()}
    return [_without_internal(each) for each in value] if isinstance(value, list) else value


def _constant(name: str, abi: list[Entry]) -> str:
    return _text(_list(f"export const {name}", abi))


def _list(declared: str, abi: list[Entry]) -> str:
    entries = "".join(f"  {json.dumps(entry)},\n" for entry in abi)
    return f"{declared} = [\n{entries}] as const;\n"


def _text(content: str) -> str:
    return f"// Made by scripts/make_abi.py from the compiled contracts.\n{content}"


if __name__ == "__main__":
    main()
