"""The replay of a finished game."""

from collections.abc import Iterator

from playwright.sync_api import Locator, expect

from tests.e2e.pages.base import AppPage


def replayed(events: list[dict]) -> list[dict]:
    """Those that the replay shows: from the first position on."""
    names = [event["name"] for event in events]
    return events[names.index("FirstSeatDrawn") :]


class ReplayPage(AppPage):
    def visit(self, kind: str, game_id: int):
        return self.open(f"/{kind}/{game_id}/replay")

    def board(self, seat: int, home: int = 0) -> Locator:
        """The board of a seat; that of `home` comes last."""
        return self.page.get_by_role("grid").nth(1 if seat == home else 0)

    def see_as(self, name: str) -> None:
        group = self.page.get_by_role("group", name=self.text("replay.viewer"), exact=True)
        group.get_by_role("radio", name=name, exact=True).check()

    def steps(self, count: int) -> Iterator[int]:
        """From the first of `count` positions to the last, by keyboard."""
        self.title.focus()
        self.page.keyboard.press("Home")
        for at in range(count):
            said = self.page.get_by_role("status").filter(
                has_text=self.text("replay.position", at=at + 1, all=count)
            )
            expect(said).to_be_visible()
            yield at
            self.page.keyboard.press("ArrowRight")
