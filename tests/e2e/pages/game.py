"""What the pages of both games have: who is on turn, the table's actions, the result."""

from playwright.sync_api import Locator, expect

from tests.e2e.pages.base import AppPage


class GamePage(AppPage):
    kind: str
    own_board: str
    """Key of the own board's name."""

    def visit(self, game_id: int):
        return self.open(f"/{self.kind}/{game_id}")

    @property
    def progress(self) -> Locator:
        """What goes on now."""
        return self.page.get_by_test_id("progress")

    def expect_turn(self) -> None:
        expect(self.page.locator(".progress.mine")).to_be_visible()

    def is_turn(self) -> bool:
        """Once it is, or the game has ended: which of both."""
        mine = self.page.locator(".progress.mine")
        expect(mine.or_(self.result)).to_be_visible()
        return mine.is_visible()

    def expect_playing(self) -> None:
        """Until the first seat was drawn."""
        expect(self.page.get_by_role("grid")).to_have_count(2)

    def expect_moves(self, count: int) -> None:
        """Until the list of moves tells so many, of both players."""
        expect(self.moves.locator("li:not(.table)")).to_have_count(count)

    @property
    def moves(self) -> Locator:
        """The list of all that happened."""
        return self.page.get_by_role("list", name=self.text("game.moves"), exact=True)

    @property
    def own(self) -> Locator:
        return self.page.get_by_role("grid", name=self.text(self.own_board), exact=True)

    @property
    def other(self) -> Locator:
        own = self.text(self.own_board)
        return self.page.locator(f"[role=grid]:not([aria-label='{own}'])")

    def action(self, option: str, **given: object) -> Locator:
        group = self.page.get_by_role("group", name=self.text("game.actions"), exact=True)
        name = self.text(f"game.option.{option}", **given)
        return group.get_by_role("button", name=name, exact=True)

    def resign(self) -> None:
        self.use(self.action("resign"))
        self.use(self.button("game.resignYes"))

    @property
    def result(self) -> Locator:
        return self.page.get_by_test_id("result")

    def names(self, board: Locator) -> list[str]:
        """What its cells are called, in reading order."""
        return board.get_by_role("gridcell").evaluate_all(
            "cells => cells.map((cell) => cell.ariaLabel)"
        )
