"""The `fogbound` command. Each subcommand imports what it needs: the help comes at once."""

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from fhevm.logs import log_to_stderr
from fogbound import console
from fogbound.clocks import (
    CLOCKS_TEXT,
    CONTROLS_TEXT,
    ClocksOption,
    ControlsOption,
    parse_clocks,
    parse_controls,
)
from fogbound.errors import StackRunning
from fogbound.locks import DATA, exclusive, is_running

if TYPE_CHECKING:
    from fogbound.contracts import Registry
    from fogbound.settings import Preset
    from fogbound.stackinfo import StackInfo

LOCAL_FOLDERS = ("chain", "kms", "coprocessor", "host", "keeper", "web", "logs", ".keys")
LOCAL_FILES = ("stack.json", "deployments.json", ".keys.lock")

app = typer.Typer(
    help="Hidden-information games on an EVM.", no_args_is_help=True, pretty_exceptions_enable=False
)
Data = Annotated[Path, typer.Option(help="Folder for all local state.", envvar="FOGBOUND_DATA")]
PresetData = Annotated[
    Path | None,
    typer.Option(help="Folder for all local state; default: the preset's.", envvar="FOGBOUND_DATA"),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
PresetName = Annotated[str | None, typer.Option(help="Which .env.<preset>; default: that of .env.")]


@app.command()
def up(  # noqa: PLR0917 - each is an option
    data: Data = DATA,
    port: Annotated[int, typer.Option(help="The chain's; the next two are used too.")] = 8545,
    backend: Annotated[str | None, typer.Option(help="concrete (default) or clear.")] = None,
    rpc: Annotated[str | None, typer.Option(help="Use this local chain, start none.")] = None,
    clocks: ClocksOption = CLOCKS_TEXT,
    controls: ControlsOption = CONTROLS_TEXT,
) -> None:
    """Start the stack on this machine and watch over it until Ctrl-C."""
    from fogbound.stackinfo import StackInfo
    from fogbound.up import Options, run_stack

    log_to_stderr()
    chosen, listed = parse_clocks(clocks), parse_controls(controls)
    options = Options(data, port, backend, rpc, chosen, listed)
    try:
        with console.progress() as step:
            run_stack(options, step, _say_ready)
    except StackRunning:
        _say_ready(StackInfo.read(data))


@app.command()
def deploy(preset: PresetName = None) -> None:
    """Deploy the games to a preset's chain and write their addresses into its file."""
    from fogbound.chain import Chain
    from fogbound.connection import Connection
    from fogbound.games import TableTerms, installed_games
    from fogbound.settings import load_preset, preset_registry, write_back

    chosen = load_preset(preset)
    deployer = chosen.deployer(console.ask_passphrase)
    chain = Chain.connect(chosen.deploy_rpc_url or chosen.rpc_url, expected=chosen.chain_id)
    connection = Connection(chain, preset_registry(chosen))
    terms = TableTerms(chosen.pool_owner or deployer.address, chosen.clocks, chosen.time_controls)
    for spec in installed_games().values():
        with console.progress() as step:
            step(f"deploying {spec.name}")
            made = connection.deploy(spec, deployer, terms)
        write_back(chosen, made)
        typer.echo(f"{spec.name} {made.address}")


@app.command()
def status(data: Data = DATA, as_json: Json = False) -> None:
    """Say what runs where; exit code 3 where nothing runs."""
    from fogbound.status import status_of

    found = status_of(data)
    if as_json:
        typer.echo(json.dumps(found))
    else:
        Console(highlight=False).print(_table(found))
    if not found["running"]:
        raise typer.Exit(3)


@app.command()
def reset(
    data: Data = DATA, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False
) -> None:
    """Wipe the local chain, keys, ciphertexts and games. Cannot be undone."""
    if is_running(data):
        raise StackRunning(data)
    if not yes:
        typer.confirm(f"Wipe the chain, keys and games in {data}?", abort=True)
    with exclusive(data):
        for name in LOCAL_FOLDERS:
            shutil.rmtree(data / name, ignore_errors=True)
        for name in LOCAL_FILES:
            (data / name).unlink(missing_ok=True)
    (data / "stack.lock").unlink()
    typer.echo(f"{data} is empty")


@app.command()
def keeper(
    data: PresetData = None,
    preset: PresetName = None,
    *,
    rpc: Annotated[str | None, typer.Option(help="The chain; default: the preset's.")] = None,
    gateway: Annotated[str | None, typer.Option(help="The gateway that decrypts.")] = None,
    mine_after: Annotated[
        float, typer.Option(min=0, help="Seconds without a block until one is mined for a draw.")
    ] = 5.0,
    gas_an_hour: Annotated[int, typer.Option(min=0, help="Gas to spend in an hour.")] = 500_000_000,
    fingerprint: Annotated[
        str | None, typer.Option(help="Of the only keys to accept from the gateway.")
    ] = None,
) -> None:
    """Settle draws, decryptions and results of every game, until Ctrl-C."""
    from fogbound.keeping import KeeperOptions, keeper_account, run_keeper
    from fogbound.settings import load_preset

    log_to_stderr()
    chosen = load_preset(preset)
    folder = chosen.folder(data)
    run_keeper(
        KeeperOptions(
            data=folder,
            rpc=rpc or chosen.rpc_url,
            gateway=gateway or chosen.gateway_url,
            account=chosen.account("keeper_key") if chosen.keeper_key else keeper_account(folder),
            registry=_registry(chosen, folder),
            mine_after=mine_after,
            gas_an_hour=gas_an_hour,
            socket=chosen.ws_url if rpc is None else None,
            fingerprint=fingerprint,
        )
    )


def main() -> None:
    """The console script."""
    console.run(app, "fogbound")


def _registry(preset: "Preset", data: Path) -> "Registry":
    """A local chain's deployments are in the data folder, others' in the preset's file."""
    from fogbound.contracts import Registry
    from fogbound.settings import preset_registry

    return (
        Registry(data / "deployments.json") if preset.name == "local" else preset_registry(preset)
    )


def _say_ready(info: "StackInfo") -> None:
    own = "" if info.pid == os.getpid() else f" already (process {info.pid})"
    typer.echo(f"The stack runs{own}: chain {info.rpc}, gateway {info.gateway}, {info.backend}")


def _table(found: dict[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, value in found.items():
        if isinstance(value, dict):
            for inner, content in value.items():
                shown = content if not isinstance(content, dict) else _shown(content)
                table.add_row(inner, str(shown))
        else:
            table.add_row(name, str(value))
    return table


def _shown(content: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in content.items())


if __name__ == "__main__":
    main()
