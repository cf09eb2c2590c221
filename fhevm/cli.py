"""The `fhevm` command: a local fhEVM beside any chain, and tools around it.

Each subcommand imports what it needs: the help comes at once.
"""

import json
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from fhevm.backends import get_backend
from fhevm.errors import FhevmError, MalformedVectors, UnknownHandle
from fhevm.handles import Handle
from fhevm.logs import log_to_stderr
from fhevm.types import FheType

DATA = Path(".fogbound")
RPC = "http://127.0.0.1:8545"
PORT = 8546
SHOWN_MISMATCHES = 10

app = typer.Typer(
    help="A local fhEVM: coprocessor, KMS and gateway beside a chain.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
_stderr = Console(stderr=True, highlight=False)

Data = Annotated[
    Path, typer.Option(help="Folder for keys and ciphertexts.", envvar="FOGBOUND_DATA")
]
Rpc = Annotated[str, typer.Option(help="The chain's RPC address.")]
Socket = Annotated[
    str | None,
    typer.Option(
        help="Where the node tells of blocks: ws://…; default: at --rpc.", envvar="WS_URL"
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
BackendName = Annotated[str, typer.Option(help="concrete or clear (insecure, instant).")]


@app.command("up")
def start(
    rpc: Rpc = RPC,
    data: Data = DATA,
    backend: BackendName = "concrete",
    port: Annotated[int, typer.Option(help="The gateway's; the KMS takes the next.")] = PORT,
) -> None:
    """Run coprocessor, gateway and KMS until Ctrl-C. On a local chain, deploy the host contracts."""
    from fhevm import up

    log_to_stderr()
    options = up.UpOptions(data, rpc, backend, port)
    up.run(options, lambda step: _stderr.print(f"· {step}", markup=False, soft_wrap=True))


@app.command()
def kms(
    rpc: Rpc = RPC,
    data: Data = DATA,
    port: Annotated[int, typer.Option(help="Where to listen, on 127.0.0.1.")] = PORT + 1,
) -> None:
    """Run the KMS alone: the part that holds the secret key (`up` starts it by itself)."""
    from fhevm import processes

    log_to_stderr()
    processes.serve_kms(data, rpc, port)


@app.command()
def coprocessor(
    rpc: Rpc = RPC,
    data: Data = DATA,
    port: Annotated[int, typer.Option(help="The gateway's, on 127.0.0.1.")] = PORT,
    kms: Annotated[str, typer.Option(help="The KMS's address.")] = f"http://127.0.0.1:{PORT + 1}",
    ws: Socket = None,
) -> None:
    """Run coprocessor and gateway alone, beside a KMS that runs already."""
    from fhevm import processes

    log_to_stderr()
    processes.serve_coprocessor(data, rpc, port, kms, ws)


@app.command("check-vectors")
def check_vectors(
    file: Annotated[Path, typer.Argument(help="A table of operators with inputs and outputs.")],
    backend: BackendName = "concrete",
    types: Annotated[
        str, typer.Option(help="Only operators on these types, such as ebool,euint8.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Run a table of operators on real ciphertexts and compare; exit code 1 where one differs."""
    from fhevm import vectors

    chosen = vectors.read_vectors(file, _types(types))
    if not chosen:
        raise MalformedVectors(f"{file}: no vector for these types")
    started = time.perf_counter()
    wrong = list(vectors.check_vectors(get_backend(backend), chosen))
    seconds = round(time.perf_counter() - started, 2)
    report = {"backend": backend, "vectors": len(chosen), "wrong": len(wrong), "seconds": seconds}
    if as_json:
        typer.echo(json.dumps(report | {"mismatches": [mismatch.__dict__ for mismatch in wrong]}))
    else:
        for each in islice(wrong, SHOWN_MISMATCHES):
            typer.echo(f"{each.overload}{each.inputs}: {each.found}, not {each.expected}")
        typer.echo(f"{len(chosen) - len(wrong)} of {len(chosen)} right on {backend}, {seconds} s")
    raise typer.Exit(1 if wrong else 0)


@app.command()
def bench(as_json: Json = False) -> None:
    """Measure the Concrete backend on this machine: bootstraps, operators, encryption, noise."""
    from fhevm.backends.concrete.measure import measure

    figures = measure()
    if as_json:
        typer.echo(json.dumps(figures, default=str))
        return
    operators = figures.pop("operators")
    for name, value in figures.items():
        typer.echo(f"{name:28} {value:.3g}" if isinstance(value, float) else f"{name:28} {value}")
    for name, cost in operators.items():
        typer.echo(f"{name:28} {cost['bootstraps']:4} bootstraps {cost['seconds']:8.3f} s")


@app.command()
def decrypt(
    handle: Annotated[str, typer.Argument(help="32 bytes in hexadecimal.")],
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Decrypt any computed value WITHOUT asking the ACL, for debugging. Needs the KMS's key folder."""
    from fhevm.keyfiles import load_kms

    parsed = Handle.parse("0x" + handle.removeprefix("0x"))
    keys = load_kms(data)
    ciphertext = _stored(data, parsed)
    value = get_backend(keys.public.backend).decryptor(keys.secret).decrypt(ciphertext, parsed.type)
    shown = bool(value) if parsed.type is FheType.EBOOL else value
    if as_json:
        typer.echo(json.dumps({"handle": str(parsed), "type": str(parsed.type), "value": shown}))
    else:
        _stderr.print("read with the secret key, whoever may read it", markup=False, soft_wrap=True)
        typer.echo(str(shown))


def main() -> None:
    """The console script: an error is one line and exit code 1."""
    try:
        app(prog_name="fhevm")
    except (FhevmError, OSError) as error:
        words = str(error).strip() or type(error).__name__
        _stderr.print(f"fhevm: {words.splitlines()[0]}", markup=False, soft_wrap=True)
        sys.exit(1)


def _types(names: str) -> list[FheType] | None:
    by_name = {str(fhe_type): fhe_type for fhe_type in FheType}
    chosen = [name.strip() for name in names.split(",") if name.strip()]
    if unknown := [name for name in chosen if name not in by_name]:
        raise typer.BadParameter(f"{', '.join(unknown)}: not among {', '.join(by_name)}")
    return [by_name[name] for name in chosen] or None


def _stored(data: Path, handle: Handle) -> bytes:
    from fhevm.store import Store

    if not (data / "coprocessor").is_dir():
        raise UnknownHandle(f"no coprocessor has worked in {data}")
    store = Store.in_folder(data / "coprocessor")
    try:
        ciphertext = store.ciphertext(handle)
    finally:
        store.close()
    if ciphertext is None:
        raise UnknownHandle(f"{handle}: not computed in {data}")
    return ciphertext


if __name__ == "__main__":
    main()
