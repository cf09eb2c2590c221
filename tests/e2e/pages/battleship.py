"""The page of a game of Battleship."""

import re

from playwright.sync_api import Locator, expect

from tests.e2e.pages.game import GamePage
from tests.e2e.pages.placer import Placer


class BattleshipPage(GamePage):
    kind = "battleship"
    own_board = "battleship.ownWaters"

    def placer(self, size: int) -> Placer:
        return Placer(self.page, size, self.language)

    def fire(self, cell: int) -> None:
        self.use_cell(self.other, self.target(cell))

    def target(self, cell: int) -> Locator:
        return self.other.get_by_role("gridcell").nth(cell)

    def expect_cell(self, grid: Locator, size: int, cell: int, *whats: str) -> None:
        """Until that cell is one of these: water, ship, aim, miss, hit, sunk."""
        names = "|".join(re.escape(self._name(size, cell, what)) for what in whats)
        shown = grid.get_by_role("gridcell").nth(cell)
        expect(shown).to_have_attribute("aria-label", re.compile(f"^({names})$"))

    def shown(self, grid: Locator, size: int) -> list[str]:
        """What each cell shows now, in reading order."""
        marks = ("water", "ship", "aim", "miss", "hit", "sunk")
        return [
            next(mark for mark in marks if name == self._name(size, cell, mark))
            for cell, name in enumerate(self.names(grid))
        ]

    def _name(self, size: int, cell: int, what: str) -> str:
        place = f"{chr(97 + cell % size)}{cell // size + 1}"
        what = self.text(f"battleship.cell.{what}")
        return self.text("battleship.cell", cell=place, what=what)
