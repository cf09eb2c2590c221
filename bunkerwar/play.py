"""The game in a terminal, against a bot, on the local stack; an open game is taken up again."""

import json
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from eth_account.signers.local import LocalAccount
from rich.console import Console

from bunkerwar.board import draw_state
from bunkerwar.bots import Bot
from bunkerwar.client import BunkerWarClient
from bunkerwar.game import GAME
from bunkerwar.replay import Played
from bunkerwar.rules import IllegalMove, MalformedText, Move, apply, legal_moves, parse_move, public
from fhevm.errors import Unavailable
from fhevm.keyfiles import write_private
from fogbound.clocks import time_left
from fogbound.connection import Connection
from fogbound.errors import ChainUnreachable, StackNotRunning
from fogbound.game import Game, Outcome, Phase
from fogbound.ports import free_port
from fogbound.process import Process
from fogbound.progress import Progress
from fogbound.stack import Stack
from fogbound.transactions import account_from_key

GAS_MONEY = 10**18
STACK_SECONDS = 300.0
HELP = """\
H a3       build a house in lane a, depth 3 (1 is the base end)
B a4       build a bunker: it protects what stands at a smaller depth of its lane
M b        send a missile at lane b of the other board (build once between two missiles)
moves      the moves that you have        history   what has happened
resign     give the game up               quit      leave; `bunkerwar play` goes on from here"""


class Left(Exception):
    """The player leaves; the game stays open."""


@dataclass(frozen=True)
class Seats:
    """An open game and the two private keys that play it (local accounts, worth nothing elsewhere)."""

    game_id: int
    contract: str
    player: str = field(repr=False)
    bot: str = field(repr=False)

    @classmethod
    def read(cls, file: Path) -> "Seats | None":
        """What an earlier run has left; None where there is nothing usable."""
        try:
            return cls(**json.loads(file.read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def write(self, file: Path) -> None:
        """Keep it for the next run; only its owner may read it."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        write_private(file, json.dumps(asdict(self)).encode())


@contextmanager
def local_stack(data: Path, backend: str | None, progress: Progress) -> Iterator[Stack]:
    """The stack that runs on `data`; else one that is started here, kept there, and stopped at the end.

    Raises ProcessFailed.
    """
    try:
        yield Stack.connect(data)
        return
    except (StackNotRunning, ChainUnreachable, Unavailable):
        progress("starting the local stack")
    command = [sys.executable, "-m", "fogbound.cli", "up", "--data", str(data)]
    command += ["--port", str(free_port(3))] + (["--backend", backend] if backend else [])
    process = Process("stack", command, data / "logs" / "up.log")
    try:
        process.wait_until(lambda: _is_up(data, process.pid), STACK_SECONDS)
        yield Stack.connect(data)
    finally:
        progress("stopping the local stack")
        process.stop(STACK_SECONDS)


def _is_up(data: Path, pid: int) -> bool:
    try:
        found: int = json.loads((data / "stack.json").read_text())["pid"]
    except (OSError, ValueError, KeyError):
        return False
    return found == pid


@dataclass(frozen=True)
class PlayOptions:
    """A new game's size and time control; a game that is open goes on as it was opened."""

    lanes: int = 4
    depth: int = 4
    stacked: bool = False
    control: int | None = None


def sit_down(stack: Connection, options: PlayOptions, file: Path) -> Seats:
    """Take up the open game, or open a new one for the player and the bot."""
    contract = stack.registry.find(GAME.contract, stack.chain.chain_id).address
    seats = Seats.read(file)
    if seats and seats.contract == contract and _is_open(stack, seats):
        return seats
    keys = [secrets.token_hex(32) for _ in range(2)]
    player, bot = (stack.client(GAME, _funded(stack, key)) for key in keys)
    game_id = player.open(
        options.lanes,
        options.depth,
        options.stacked,
        opponent=bot.player,
        control=options.control,
    )
    bot.join(game_id)
    seats = Seats(game_id, contract, *keys)
    seats.write(file)
    return seats


def _is_open(stack: Connection, seats: Seats) -> bool:
    game = stack.client(GAME, account_from_key(seats.player)).game(seats.game_id)
    return game.phase is not Phase.NONE and not game.phase.final


def _funded(stack: Connection, key: str) -> LocalAccount:
    account = account_from_key(key)
    stack.fund(account.address, GAS_MONEY)
    return account


class Terminal:
    """One game between the player, who types, and a bot."""

    def __init__(
        self, stack: Connection, seats: Seats, bot: Bot, screen: Console, ask: Callable[[str], str]
    ) -> None:
        """`ask(prompt)` gives a line, and raises EOFError where there is none."""
        self._id = seats.game_id
        self._player: BunkerWarClient = stack.client(GAME, account_from_key(seats.player))
        self._opponent: BunkerWarClient = stack.client(GAME, account_from_key(seats.bot))
        self._bot = bot
        self._screen = screen
        self._ask = ask

    def play(self) -> None:
        """Until the game is over or the player leaves."""
        seat = self._player.seat(self._id)
        names = ("you", "bot") if seat == 0 else ("bot", "you")
        told = len(self._player.moves(self._id)) if self._settled().move_number else 0
        self._screen.print("help lists the commands. No hurry: the bot does not claim your time.")
        try:
            while not (game := self._settled()).phase.final:
                told = self._tell(told, names)
                if game.on_turn == seat:
                    self._screen.print(draw_state(self._player.view(self._id), names))
                    self._screen.print(time_left(self._player.seconds_left(self._id)))
                    self._act()
                else:
                    view = self._opponent.view(self._id)
                    self._opponent.act(self._id, self._bot.choose(view))
        except (Left, EOFError, KeyboardInterrupt):
            self._screen.print("\nThe game stays open: `bunkerwar play` goes on from here.")
            return
        self._tell(told, names)
        self._finish(game, seat, names)

    def _settled(self) -> Game:
        """The game once nobody waits for a draw or a decryption (the keeper brings both)."""
        pending = (Phase.DRAWING, Phase.WAITING)
        return self._player.wait_for(self._id, lambda game: game.phase not in pending)

    def _tell(self, told: int, names: tuple[str, str]) -> int:
        """What has happened since; how much was told by now."""
        moves = self._player.moves(self._id)
        for played in moves[told:]:
            self._screen.print(_sentence(played, names))
        return len(moves)

    def _act(self) -> None:
        """Ask until the player has made a move, resigned, or left."""
        while True:
            line = " ".join(self._ask("your move> ").split())
            if line.lower() in ("quit", "exit"):
                raise Left
            if line.lower() == "resign":
                return self._player.resign(self._id)
            if move := self._understand(line):
                self._screen.print("encrypting and sending …")
                return self._player.act(self._id, move)

    def _understand(self, line: str) -> Move | None:
        """A legal move, or None: then the player was told why."""
        view = self._player.view(self._id)
        if line.lower() == "moves":
            self._screen.print(", ".join(map(str, legal_moves(view))))
        elif line.lower() == "history":
            names = ("seat 0", "seat 1")
            for played in self._player.moves(self._id):
                self._screen.print(_sentence(played, names))
        elif line.lower() in ("", "help", "?"):
            self._screen.print(HELP)
        else:
            return self._legal(line)
        return None

    def _legal(self, line: str) -> Move | None:
        view = self._player.view(self._id)
        try:
            move = parse_move(line[:1].upper() + line[1:].lower())
            if move not in legal_moves(view):
                apply(view, move)  # says why
            return move
        except (MalformedText, IllegalMove) as error:
            self._screen.print(f"{error}. Type help.")
            return None

    def _finish(self, game: Game, seat: int, names: tuple[str, str]) -> None:
        self._screen.print(draw_state(self._player.view(self._id), names))
        if game.outcome is Outcome.DRAWN:
            verdict = "A tie."
        else:
            verdict = "You win!" if seat in game.winners else "The bot wins."
        houses = self._player.score(self._id)
        self._screen.print(f"{verdict} You have {houses} houses; the bot's stay its secret.")


def _sentence(played: Played, names: tuple[str, str]) -> str:
    who = names[played.seat]
    if played.stop is None:
        return f"{who}: built at {str(public(played.move))[2:]}"
    where = f"a bunker at depth {played.stop} stopped it" if played.stop else "it flew through"
    return f"{who}: missile at lane {str(played.move)[2:]}, {where}"
