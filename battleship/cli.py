"""The `battleship` command."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from battleship.bots import BOTS
from battleship.errors import BattleshipError
from battleship.fleets import SIZES
from battleship.rules import Shot, State
from fogbound import console
from fogbound.clocks import ControlOption

app = typer.Typer(
    help="Battleship: committed boards, answers that cannot be false.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
Json = Annotated[bool, typer.Option("--json", help="One JSON object on the last line of stdout.")]
BotName = Annotated[str, typer.Option(help=f"{', '.join(BOTS)}.")]


@app.command()
def demo(  # noqa: PLR0917 - each is an option
    size: Annotated[int, typer.Option(help=f"{', '.join(map(str, SIZES))}.")] = 10,
    seed: Annotated[int, typer.Option(help="Decides keys, fleets, first seat and bots.")] = 0,
    first_bot: BotName = "density",
    second_bot: BotName = "density",
    control: ControlOption = None,
    record: Annotated[Path | None, typer.Option(help="Export the game to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Let two bots play a whole game on a fresh chain."""
    from battleship.demo import DemoOptions, run_demo

    for bot in (first_bot, second_bot):
        if bot not in BOTS:
            raise typer.BadParameter(f"{bot}: choose {', '.join(BOTS)}")
    options = DemoOptions(size, seed, (first_bot, second_bot), record, control)
    screen = Console(highlight=False)
    with console.progress() as step:
        result = run_demo(options, step, None if as_json else lambda *seen: _tell(screen, *seen))
    typer.echo(json.dumps(result) if as_json else _told(result))


@app.command()
def play(  # noqa: PLR0917 - each is an option
    address: Annotated[str | None, typer.Option("-a", "--address", help="Who you are.")] = None,
    key: Annotated[
        str | None,
        typer.Option("-k", "--key", envvar="BATTLESHIP_KEY", help="Your private key."),
    ] = None,
    player: Annotated[
        str | None, typer.Option("-p", "--player", help="A or B: a player of the preset.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="Which .env.<preset>; default: that of .env.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="Folder of the local stack.", envvar="FOGBOUND_DATA")
    ] = None,
    control: ControlOption = None,
) -> None:
    """Play in this terminal; games that you left go on."""
    from battleship.players import choose_account, connect
    from battleship.terminal import Terminal
    from fogbound.settings import load_preset

    chosen = load_preset(preset)
    account = choose_account(chosen, player, address, key)
    screen = Console(highlight=False, soft_wrap=True)
    Terminal(connect(chosen, account, data), screen, input, control=control).play()


@app.command(name="verify")
def verify_record(file: Path, as_json: Json = False) -> None:
    """Check an exported record: the rules kept, proofs, who signed it. Whether it was played, only its
    chain can say.
    """
    from battleship.record import Verified, verify
    from fogbound.games import installed_events
    from fogbound.records import read_record

    record = read_record(file, installed_events())
    found: Verified = verify(record)
    result = found.game.result
    facts = {
        "game": record.game,
        "chain_id": record.chain_id,
        "contract": record.contract,
        "game_id": record.game_id,
        "exporter": record.exporter,
        "on_chain": "not checked",
        "size": found.game.size,
        "shots": len(found.game.fired),
        "openings": len(record.evidence),
        "revealed": sorted(found.game.revealed),
        "outcome": None if result is None else str(result[0]),
        "winner": None if result is None else result[1],
    }
    if as_json:
        typer.echo(json.dumps(facts))
    else:
        for name, value in facts.items():
            typer.echo(f"{name}: {value}")


def main() -> None:
    """The console script."""
    console.run(app, "battleship", BattleshipError)


def _tell(screen: Console, state: State, seat: int, shot: Shot) -> None:
    x, y, answer = shot.cell % state.size, shot.cell // state.size, shot.answer
    told = f"hit, {answer.sunk.code} sunk" if answer.sunk else "hit" if answer.hit else "miss"
    screen.print(f"seat {seat}: {x} {y} {told}")


def _told(result: dict[str, Any]) -> str:
    fleets = [", ".join(" ".join(map(str, ship)) for ship in fleet) for fleet in result["fleets"]]
    return (
        f"seat {result['winner']} wins ({result['outcome']}) after {len(result['shots'])} shots.\n"
        f"fleets: {fleets[0]} | {fleets[1]}\ngas: {result['gas']}"
    )


if __name__ == "__main__":
    main()
