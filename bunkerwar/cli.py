"""The `bunkerwar` command. Each subcommand imports what it needs: the help comes at once."""

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.live import Live

from bunkerwar.board import draw_state
from bunkerwar.bots import BOTS
from bunkerwar.rules import State
from fogbound import console
from fogbound.clocks import ControlOption
from fogbound.locks import DATA

if TYPE_CHECKING:
    from bunkerwar.demo import Watcher
    from bunkerwar.record import Verified
    from bunkerwar.replay import Played
    from fogbound.records import Record

NAMES = ("first seat", "second seat")

app = typer.Typer(
    help="Bunker War Z: two hidden boards, real ciphertexts.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
Json = Annotated[bool, typer.Option("--json", help="One JSON object on the last line of stdout.")]
Lanes = Annotated[int, typer.Option(min=1, max=8, help="Lanes of a board.")]
Depth = Annotated[int, typer.Option(min=2, max=8, help="Cells of a lane.")]
Stacked = Annotated[bool, typer.Option(help="Build on the base or on a building only.")]
Backend = Annotated[
    str, typer.Option(help="concrete (real ciphertexts), or clear (insecure, for rapid tests).")
]


@app.command()
def demo(  # noqa: PLR0917 - each is an option
    lanes: Lanes = 4,
    depth: Depth = 4,
    seed: Annotated[int, typer.Option(help="Decides keys, first seat and bots.")] = 0,
    backend: Backend = "concrete",
    stacked: Stacked = False,
    control: ControlOption = None,
    record: Annotated[Path | None, typer.Option(help="Export the game to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Let two bots play a whole game on a fresh chain."""
    from bunkerwar.demo import DemoOptions, run_demo

    options = DemoOptions(lanes, depth, seed, stacked, backend, record, control)
    if as_json:
        with console.progress() as step:
            result = run_demo(options, step)
        typer.echo(json.dumps(result))
        return
    screen = Console(highlight=False)
    with Live(console=screen, auto_refresh=False) as live:
        result = run_demo(options, lambda step: live.console.print(f"· {step}"), _watcher(live))
    screen.print(_told(result))


@app.command()
def play(  # noqa: PLR0917 - each is an option
    lanes: Lanes = 4,
    depth: Depth = 4,
    stacked: Stacked = False,
    control: ControlOption = None,
    bot: Annotated[str, typer.Option(help=f"Your opponent: {', '.join(BOTS)}.")] = "sensible",
    data: Annotated[
        Path, typer.Option(help="Folder for all local state.", envvar="FOGBOUND_DATA")
    ] = DATA,
    backend: Annotated[
        str | None, typer.Option(help="For a stack that is started here: concrete or clear.")
    ] = None,
) -> None:
    """Play against a bot; a game that you left goes on."""
    from bunkerwar.play import PlayOptions, Terminal, local_stack, sit_down

    if bot not in BOTS:
        raise typer.BadParameter(f"{bot}: choose {' or '.join(BOTS)}", param_hint="--bot")
    screen = Console(highlight=False)
    with local_stack(data, backend, lambda step: screen.print(f"· {step}")) as stack:
        options = PlayOptions(lanes, depth, stacked, control)
        seats = sit_down(stack, options, data / "bunkerwar" / "play.json")
        player = BOTS[bot](random.SystemRandom().getrandbits(64))
        Terminal(stack, seats, player, screen, input).play()


@app.command(name="verify")
def verify_record(
    file: Path,
    signer: Annotated[
        list[str] | None, typer.Option(help="The KMS signers that you trust (default: any).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check an exported record: the rules kept, proofs, who signed it. Whether it was played, only its
    chain can say.
    """
    from bunkerwar.record import verify
    from fogbound.games import installed_events
    from fogbound.records import read_record

    record = read_record(file, installed_events())
    found = _facts(record, verify(record))
    if signer and set(signer) != set(record.signers):
        raise typer.BadParameter(f"the proofs are signed by {', '.join(record.signers)}")
    if as_json:
        typer.echo(json.dumps(found))
    else:
        for name, value in found.items():
            typer.echo(f"{name}: {value}")


def main() -> None:
    """The console script."""
    console.run(app, "bunkerwar")


def _watcher(live: Live) -> "Watcher":
    """In a terminal the boards change in place; elsewhere the moves are told line by line."""

    def show(state: State, played: "Played | None") -> None:
        note = _note(played)
        if live.console.is_terminal:
            live.update(draw_state(state, NAMES, note), refresh=True)
        elif note:
            live.console.print(note)

    return show


def _note(played: "Played | None") -> str:
    if played is None:
        return ""
    stop = {None: "", 0: ", which flew through"}.get(
        played.stop, f", stopped by a bunker at depth {played.stop}"
    )
    return f"{NAMES[played.seat]}: {played.move}{stop}"


def _told(result: dict[str, Any]) -> str:
    winner = "a tie" if result["result"] == "tie" else f"the {NAMES[int(result['result'])]} wins"
    seconds = result["seconds"]
    return (
        f"{winner}. Houses, as each player decrypts their own: {result['scores']}.\n"
        f"{result['operations']} encrypted operations, {result['bootstraps']} bootstraps, "
        f"{seconds['compute']:.1f} s of computing in {seconds['total']:.1f} s."
    )


def _facts(record: "Record", found: "Verified") -> dict[str, Any]:
    state = found.game.state
    return {
        "game": record.game,
        "chain_id": record.chain_id,
        "contract": record.contract,
        "game_id": record.game_id,
        "exporter": record.exporter,
        "on_chain": "not checked",
        "signers": list(record.signers),
        "proofs": len(record.proofs),
        "actions": len(found.game.played),
        "position": None if state is None else str(state),
        "outcome": found.table.outcome.name.lower(),
        "result": None if found.game.result is None else str(found.game.result),
    }


if __name__ == "__main__":
    main()
