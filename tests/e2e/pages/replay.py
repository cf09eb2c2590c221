"""The replay of a finished game."""

from playwright.sync_api import Locator

from tests.e2e.pages.base import AppPage


class ReplayPage(AppPage):
    def visit(self, kind: str, game_id: int):
        return self.open(f"/{kind}/{game_id}/replay")

    @property
    def moves(self) -> Locator:
        return self.page.get_by_role("list", name=self.text("game.moves"), exact=True)

    @property
    def boards(self) -> Locator:
        return self.page.get_by_role("grid")
