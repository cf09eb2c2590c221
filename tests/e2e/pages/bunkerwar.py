"""The page of a game of Bunker War Z."""

from playwright.sync_api import Locator, expect

from bunkerwar.rules import Board, Build, Cell, Missile, Move
from tests.e2e.pages.game import GamePage

MARKS = {
    Cell.EMPTY: "empty",
    Cell.HOUSE: "house",
    Cell.BUNKER: "bunker",
    Cell.SHOWN: "shown",
    Cell.HIDDEN: "hidden",
}


class BunkerWarPage(GamePage):
    kind = "bunkerwar"
    own_board = "bunkerwar.ownBoard"

    def act(self, move: Move) -> None:
        if isinstance(move, Missile):
            self.use(self.launcher(move.lane))
        else:
            self.use_cell(self.own, self.cell(self.own, move.lane, move.depth, Cell.EMPTY))
            self.use(self.chooser(move))

    def launcher(self, lane: int) -> Locator:
        return self.button("bunkerwar.launch", lane="abcdefgh"[lane])

    def chooser(self, move: Build) -> Locator:
        key = "bunkerwar.house" if move.cell is Cell.HOUSE else "bunkerwar.bunker"
        dialog = self.page.locator(".chooser")
        return dialog.get_by_role("button").filter(has_text=self.text(key))

    def cell(self, board: Locator, lane: int, depth: int, content: Cell) -> Locator:
        name = self._name(lane, depth, content)
        return board.get_by_role("gridcell", name=name, exact=True)

    def expect_board(self, grid: Locator, board: Board) -> None:
        """Until exactly that is shown."""
        for lane, cells in enumerate(board.cells):
            for depth, content in enumerate(cells):
                expect(self.cell(grid, lane, depth, content)).to_have_count(1)

    def board(self, grid: Locator, lanes: int, depth: int) -> Board:
        """What is shown now."""
        names = set(self.names(grid))
        rows = [
            [
                next(content for content in Cell if self._name(lane, at, content) in names)
                for at in range(depth)
            ]
            for lane in range(lanes)
        ]
        return Board(tuple(tuple(row) for row in rows))

    def _name(self, lane: int, depth: int, content: Cell) -> str:
        what = self.text(f"bunkerwar.cell.{MARKS[content]}")
        return self.text("bunkerwar.cell", lane="abcdefgh"[lane], depth=depth + 1, what=what)
