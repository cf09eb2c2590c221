"""The game in the terminal: what is typed, what is said, leaving and coming back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from bunkerwar.bots import RandomBot
from bunkerwar.play import PlayOptions, Terminal, sit_down
from fogbound.stack import LocalStack


def play(stack: LocalStack, file: Path, lines: Iterator[str], **size: int) -> str:
    """What the screen shows; the player types `lines`."""
    seats = sit_down(stack, PlayOptions(**size), file)
    screen = Console(record=True, quiet=False, width=120, file=None, force_terminal=False)

    def ask(prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    Terminal(stack, seats, RandomBot(1), screen, ask).play()
    return screen.export_text()


def test_a_game_is_left_and_taken_up_again(clear_stack: LocalStack, tmp_path: Path) -> None:
    file = tmp_path / "play.json"
    shown = play(clear_stack, file, iter(["help", "x9", "H h1", "h a1", "quit"]), lanes=1, depth=2)
    assert "build a bunker" in shown
    assert "not a move: 'X9'" in shown
    assert "the board has lanes a–a" in shown
    assert "The game stays open" in shown
    assert file.stat().st_mode & 0o777 == 0o600
    kept = file.read_text()
    shown = play(clear_stack, file, iter(["h a2", "h a1", "b a2", "M a", "h a1"]), lanes=4, depth=4)
    assert file.read_text() == kept
    assert "You have" in shown
    sit_down(clear_stack, PlayOptions(1, 2), file)  # it is over: a new one
    assert file.read_text() != kept


def test_resigning_ends_it(clear_stack: LocalStack, tmp_path: Path) -> None:
    shown = play(clear_stack, tmp_path / "play.json", iter(["resign"]), lanes=2, depth=2)
    assert "The bot wins" in shown


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"game_id": 1}'])
def test_a_damaged_file_is_a_new_game(
    clear_stack: LocalStack, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "play.json"
    file.write_text(content)
    before = clear_stack.chain.block_number
    assert sit_down(clear_stack, PlayOptions(1, 2), file).game_id > 0
    assert clear_stack.chain.block_number > before
