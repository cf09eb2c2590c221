"""The `fogbound-web` command. Each subcommand imports what it needs: the help comes at once."""

from pathlib import Path
from typing import Annotated

import typer

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
from fogbound.locks import DATA

app = typer.Typer(
    help="The games in a browser.", no_args_is_help=True, pretty_exceptions_enable=False
)
Data = Annotated[Path, typer.Option(help="Folder for all local state.", envvar="FOGBOUND_DATA")]
PresetData = Annotated[
    Path | None,
    typer.Option(help="Folder for all local state; default: the preset's.", envvar="FOGBOUND_DATA"),
]
PresetName = Annotated[
    str | None, typer.Option(help="Serve the chain of this .env.<preset>, not the local stack's.")
]
Host = Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0: all of this machine's.")]
WebPort = Annotated[int, typer.Option(help="Port of the page.")]
Names = Annotated[
    list[str] | None,
    typer.Option("--name", help="Another host name than localhost that browsers may use."),
]
Proxies = Annotated[
    list[str] | None,
    typer.Option("--proxy", help="Address of a reverse proxy whose X-Forwarded-For is believed."),
]


@app.command()
def play(  # noqa: PLR0917 - each is an option
    data: Data = DATA,
    port: Annotated[int, typer.Option(help="The chain's; the next two are used too.")] = 8545,
    backend: Annotated[str | None, typer.Option(help="concrete (default) or clear.")] = None,
    web_port: WebPort = 8080,
    host: Host = "127.0.0.1",
    names: Names = None,
    proxies: Proxies = None,
    clocks: ClocksOption = CLOCKS_TEXT,
    controls: ControlsOption = CONTROLS_TEXT,
) -> None:
    """Start the stack and the web app, say where to play, and watch over them until Ctrl-C."""
    from fogbound.up import Options
    from frontend.app.play import run_play
    from frontend.app.settings import load_settings

    log_to_stderr()
    settings = load_settings(data=data, host=host, port=web_port, names=names, proxies=proxies)
    chosen, listed = parse_clocks(clocks), parse_controls(controls)
    options = Options(data, port, backend, clocks=chosen, controls=listed)
    with console.progress() as step:
        run_play(options, settings, step, typer.echo)


@app.command()
def serve(  # noqa: PLR0917 - each is an option
    data: PresetData = None,
    preset: PresetName = None,
    web_port: WebPort = 8080,
    host: Host = "127.0.0.1",
    names: Names = None,
    proxies: Proxies = None,
) -> None:
    """Serve the web app alone, for the stack that runs on the data folder or for a preset's chain."""
    from frontend.app.server import run_server
    from frontend.app.settings import load_settings

    log_to_stderr()
    run_server(
        load_settings(
            data=data, preset=preset, host=host, port=web_port, names=names, proxies=proxies
        )
    )


@app.command()
def reindex(data: PresetData = None, preset: PresetName = None) -> None:
    """Make the index of games anew from the chain; a server may run meanwhile."""
    from frontend.app.reindex import run_reindex
    from frontend.app.settings import load_settings

    log_to_stderr()
    with console.progress() as step:
        block = run_reindex(load_settings(data=data, preset=preset), step)
    typer.echo(f"The index stands at block {block}.")


def main() -> None:
    """The console script."""
    console.run(app, "fogbound-web")


if __name__ == "__main__":
    main()
