"""Boards as text: what a player knows of their own waters and of the other's."""

from battleship.rules import Board

WATER, SHIP, MISS, HIT = "·", "■", "o", "X"


def draw_board(board: Board) -> list[str]:
    """One line a row, with x above and y at the left."""
    ships = {cell for ship in board.fleet or () for cell in ship.cells(board.size)}
    marks = {shot.cell: HIT if shot.answer.hit else MISS for shot in board.shots}
    head = "   " + " ".join(str(x % 10) for x in range(board.size))
    rows = [head]
    for y in range(board.size):
        cells = range(y * board.size, (y + 1) * board.size)
        shown = (marks.get(cell) or (SHIP if cell in ships else WATER) for cell in cells)
        rows.append(f"{y:2} " + " ".join(shown))
    return rows


def draw_boards(own: Board, other: Board, names: tuple[str, str] = ("yours", "theirs")) -> str:
    """Both boards side by side, and what is still afloat."""
    width = 2 * own.size + 3
    lines = [f"{names[0]:<{width}}   {names[1]}"]
    pairs = zip(draw_board(own), draw_board(other), strict=True)
    lines += [f"{left:<{width}}   {right}" for left, right in pairs]
    afloat = [" ".join(kind.code for kind in board.afloat) or "none" for board in (own, other)]
    lines.append(f"afloat: {afloat[0]:<{width - 8}}   afloat: {afloat[1]}")
    return "\n".join(lines)
