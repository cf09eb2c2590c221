"""What the page says, from its own catalogue: things are found by the names that people see."""

import json
import subprocess
from functools import cache

from fhevm.toolchain import node
from tests.e2e.stack import ROOT

CATALOGUE = ROOT / "frontend" / "web" / "src" / "lib" / "i18n"
READ = """
const all = await Promise.all(process.argv.slice(1).map((file) => import(file)));
console.log(JSON.stringify(Object.assign({}, ...all.flatMap((module) => Object.values(module)))));
"""


@cache
def catalogue(language: str) -> dict:
    """All texts of a language by key; a text is a string, or its plural forms."""
    files = [file for file in (CATALOGUE / language).glob("*.ts") if file.stem != "index"]
    command = [str(node()), "--input-type=module", "--disable-warning=ExperimentalWarning"]
    command += ["--experimental-strip-types", "--eval", READ, *map(str, files)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def short(address: str) -> str:
    """As the page writes an address."""
    return f"{address[:6]}…{address[-4:]}"


def text(key: str, language: str = "en", **given: object) -> str:
    """A text with its parameters filled in; a plural takes the form of `count`."""
    found = catalogue(language)[key]
    if isinstance(found, dict):
        found = found["one"] if given["count"] == 1 and "one" in found else found["other"]
    for name, value in given.items():
        found = found.replace(f"{{{name}}}", str(value))
    return found
