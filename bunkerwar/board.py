"""Boards in a terminal, as Rich draws them."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bunkerwar.rules import Board, Cell, State

LOOKS = {
    Cell.EMPTY: ("·", "dim"),
    Cell.HOUSE: ("⌂", "bold green"),
    Cell.BUNKER: ("■", "bold blue"),
    Cell.SHOWN: ("▣", "bold cyan"),
    Cell.HIDDEN: ("?", "yellow"),
}
LEGEND = "⌂ house   ■ bunker   ▣ bunker known to both   ? hidden   missiles come from the right"


def draw_state(state: State, names: Sequence[str], note: str = "") -> RenderableType:
    """Both boards side by side, seat 0 left; whose turn it is, and a line about what happened."""
    boards = Table.grid(padding=(0, 4))
    boards.add_row(*(_titled(state, seat, names[seat]) for seat in (0, 1)))
    round_, rounds = state.played // 2 + 1, state.boards[0].size
    turn = (
        "finished" if state.finished else f"round {round_} of {rounds}, {names[state.turn]} to act"
    )
    return Group(boards, Text(turn, "bold"), Text(note), Text(LEGEND, "dim"))


def _titled(state: State, seat: int, name: str) -> RenderableType:
    missile = "missile armed" if state.armed[seat] else "missile spent"
    return Group(Text(f"{name} ({missile})"), _draw_board(state.boards[seat]))


def _draw_board(board: Board) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False)
    table.add_column("")
    for depth in range(board.depth):
        table.add_column(str(depth + 1))
    for lane, cells in enumerate(board.cells):
        table.add_row(chr(ord("a") + lane), *(Text(*LOOKS[cell]) for cell in cells))
    return table
