"""`battleship play`, driven through pseudo-terminals against a running stack."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from battleship.client import BattleshipClient
from fhevm.devchain import dev_accounts
from fogbound.chain import Chain
from fogbound.ports import free_port
from fogbound.process import Process
from fogbound.stack import Stack
from fogbound.stackinfo import StackInfo
from tests.battleship.terminal import TerminalProgram

pytestmark = pytest.mark.slow
FLEET_A = ["CR 0 0 h", "DE 0 1 h"]
FLEET_B = ["CR 3 5 h", "DE 5 3 v"]
SHIPS_A = ["0 0", "1 0", "2 0", "0 1", "1 1"]
SHIPS_B = ["3 5", "4 5", "5 5", "5 3", "5 4"]
WATERS = [f"{x} {y}" for y in (2, 3, 4) for x in range(5)]

Play = Callable[..., TerminalProgram]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data folder of a stack that runs in processes of its own."""
    folder = tmp_path_factory.mktemp("stack")
    command = [sys.executable, "-m", "fogbound.cli", "up", "--data", str(folder)]
    command += ["--backend", "clear", "--port", str(free_port(3)), "--controls", "30:0,300"]
    stack = Process("stack", command, folder / "logs" / "up.log")
    try:
        stack.wait_until((folder / "stack.json").exists, 120)
        yield folder
    finally:
        stack.stop(60)


@pytest.fixture
def chain(data: Path) -> Chain:
    return Chain.connect(StackInfo.read(data).rpc)


@pytest.fixture
def client(data: Path) -> BattleshipClient:
    """Of somebody who only looks."""
    looking: BattleshipClient = Stack.connect(data).client("battleship", dev_accounts()[3])
    return looking


@pytest.fixture
def play(data: Path, tmp_path: Path) -> Iterator[Play]:
    """Factory: `battleship play` with these options, in an empty folder."""
    programs: list[TerminalProgram] = []

    def play(*options: str) -> TerminalProgram:
        programs.append(TerminalProgram("play", "--data", str(data), *options, folder=tmp_path))
        programs[-1].expect(r"Type help")
        return programs[-1]

    yield play
    for program in programs:
        program.kill()


Pair = tuple[TerminalProgram, TerminalProgram, str]


@pytest.fixture
def begin(play: Play) -> Callable[..., Pair]:
    """Factory: A, with these options, and B in a game that has begun, with their fleets; its number."""

    def begin(*options: str) -> Pair:
        a, b = play("-p", "A", *options), play("-p", "B")
        a.type(f"open 6 0.5 {dev_accounts()[2].address}")
        game = place(a, FLEET_A).expect(r"Game (\d+) waits")[1]
        b.type(f"join {game}")
        place(b, FLEET_B).expect(rf"Game {game} begins")
        return a, b, game

    return begin


@pytest.fixture
def pair(begin: Callable[..., Pair]) -> Pair:
    """A and B in a game that has begun, with the usual time control."""
    return begin()


def place(program: TerminalProgram, ships: list[str]) -> TerminalProgram:
    program.expect("Place your ships")
    for ship in ships:
        program.type(f"place {ship}")
    return program


def first_on_turn(*programs: TerminalProgram) -> int:
    """Which of them is told that it is their turn."""
    for _ in range(600):
        for number, program in enumerate(programs):
            if "Your turn" in program.shown:
                return number
        time.sleep(0.1)
    raise AssertionError("nobody is on turn")


def fire(program: TerminalProgram, place: str) -> None:
    program.expect("Your turn")
    program.type(f"attack {place}")
    program.expect(r"You fire")


def shoot(players: list[TerminalProgram], first: int, winner: int, ships: list[str]) -> None:
    """Fire in turns, the winner at all those ships, the other at water."""
    targets, waters, seat = iter(ships), iter(WATERS[1:]), first
    for _ in range(2 * len(ships) - (first == winner)):
        fire(players[seat], next(targets if seat == winner else waters))
        seat = 1 - seat


def test_two_players_with_presets_play_to_the_end(pair) -> None:
    a, b, game = pair
    first = first_on_turn(a, b)
    shoot([a, b], first, 0, SHIPS_B)
    a.expect(rf"You win game {game} \(fair\)")
    b.expect(rf"You lose game {game} \(fair\)")
    assert a.shown.count("CR sunk") == a.shown.count("DE sunk") == 1
    assert [a.end(), b.end()] == [0, 0]


def test_leaving_in_mid_game_and_resuming_with_the_key_alone(pair, play: Play) -> None:
    a, b, game = pair
    players = [a, b]
    first = first_on_turn(a, b)
    fire(players[first], [SHIPS_B, SHIPS_A][first][0])
    players[first].expect("You: . . hit")
    a.type("quit")
    a.expect("the same key goes on")
    assert a.end() == 0
    b.kill()
    keys = [(account.address, account.key.to_0x_hex()) for account in dev_accounts()[1:3]]
    players = [play("-a", address, "-k", key) for address, key in keys]
    for player in players:
        player.expect(rf"Game {game} goes on")
    players[1 - first].expect("Your turn")
    players[0].type("boards")
    players[0].expect("■" if first == 0 else "0 X")  # a hit, not the X of "attack X Y"
    players[1 - first].type(f"attack {WATERS[0]}")
    players[1 - first].expect("You: 0 2 miss")
    shoot(players, first, first, [SHIPS_B, SHIPS_A][first][1:])
    players[first].expect(rf"You win game {game} \(fair\)")
    for player in players:
        assert player.end() == 0
        assert not any(key[2:] in player.shown for _, key in keys)


def test_a_timeout_is_claimed(begin: Callable[..., Pair], client: BattleshipClient) -> None:
    a, b, game = begin("--control", "0")
    players = [a, b]
    late = first_on_turn(a, b)
    players[1 - late].type("turn")
    players[1 - late].expect(r"Their turn; \d+ s left")
    players[1 - late].type("claim")
    players[1 - late].expect("Table_DeadlineNotPassed")
    deadline = client.game(int(game)).deadline
    client.chain.wait_until(
        lambda: client.chain.now() > deadline, "the end of half a minute", seconds=60
    )
    players[1 - late].type("turn")
    players[1 - late].expect("the time is over")
    players[1 - late].type("claim")
    players[1 - late].expect(rf"You win game {game} \(fair\)")
    players[late].expect(rf"You lose game {game} \(fair\)")


def test_what_is_typed_wrongly_is_said_so_and_changes_nothing(play: Play, chain: Chain) -> None:
    a = play("-p", "A")
    before = chain.block_number
    for line, answer in [
        ("fly", "is no command"),
        ("attack 1", "is no command"),
        ("attack 0 0", "no game yet|is ended|is no"),
        ("place CR 0 0 h", "before the game starts"),
        ("open 7", "no board of 7 x 7"),
        ("open 6 much", "is no stake"),
        ("open 6 0 nobody", "is no address"),
        ("open 6 1e999999", "is no stake"),
        ("open 6 -1", "is no stake"),
        ("open 6 0.1234567890123456789", "is no stake"),
        ("open 6 0 'nobody", "No closing quotation"),
        ("join 9999", "has no free seat"),
        (f"join {9 * (10**80)}", "is no number"),
    ]:
        a.type(line)
        a.expect(answer)
    a.type("open 6")
    a.expect("Place your ships")
    for line, answer in [
        ("place CR 4 0 h", "is not inside"),
        ("place XX 0 0 h", "no ship"),
        ("place CR 0 0 d", "not a ship"),
        ("place CR 0 0 h", "Still to place: DE"),
        ("place CR 0 1 h", "no CR is left"),
        ("place DE 0 0 v", "lies across"),
        ("boards", "■ ■ ■"),
    ]:
        a.type(line)
        a.expect(answer)
    assert chain.block_number == before
    a.type("place DE 0 1 h")
    a.expect("waits for an opponent")
    a.type("resign")
    a.expect("stakes back")
    a.type("help")
    a.expect("claim +end the game")
    assert a.end() == 0


def test_matching_resigning_and_playing_on(play: Play) -> None:
    a, b = play("-p", "A"), play("-p", "B")
    for player in (a, b):
        player.type("match 8 0.25")
        player.expect("Place your ships")
        player.type("random")
        player.expect("Your fleet: CR")
    a.expect(r"Game \d+")
    game = b.expect(r"Game (\d+) begins")[1]
    b.type("resign")
    a.expect(rf"You win game {game} \(fair\)")
    b.expect(rf"You lose game {game} \(fair\)")
    b.type("open 6")
    place(b, FLEET_B).expect(r"Game (\d+) waits")
    a.type("games")
    a.expect("6 x 6, stake 0 ether")
    b.type("resign")
    b.expect("stakes back")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "say who plays"),
        (("-k", "0x12"), "no private key"),
        (("-p", "C"), "say who plays"),
        (("-k", "0x" + "11" * 32, "-a", "0x" + "22" * 20), "not that of"),
    ],
)
def test_who_plays_must_be_said(data: Path, tmp_path: Path, options, words: str) -> None:
    program = TerminalProgram("play", "--data", str(data), *options, folder=tmp_path)
    program.expect(words)
    assert program.end() == 1
