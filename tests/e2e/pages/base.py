"""What every page of the app has."""

from playwright.sync_api import Locator, Page, expect

from tests.e2e.texts import text
from tests.e2e.wallet import NAME

MOST_STOPS = 200  # of the Tab key on a page
ARROWS = (("ArrowUp", "ArrowDown"), ("ArrowLeft", "ArrowRight"))


class AppPage:
    """`language`: the one that the page is shown in; `keyboard`: nothing is done by mouse."""

    def __init__(self, page: Page, language: str = "en", keyboard: bool = False) -> None:
        self.page, self.language, self.keyboard = page, language, keyboard

    def text(self, key: str, **given: object) -> str:
        return text(key, self.language, **given)

    def open(self, path: str):
        self.page.goto(path)
        expect(self.title).to_be_visible()
        return self

    def use(self, thing: Locator) -> None:
        """Click it; by keyboard: go there and press Enter."""
        if not self.keyboard:
            thing.click()
            return
        expect(thing).to_be_enabled()
        self.reach(thing)
        self.page.keyboard.press("Enter")

    def reach(self, thing: Locator) -> None:
        """Press Tab until the keyboard is on it, or in it."""
        for _ in range(MOST_STOPS):
            if thing.evaluate("(it) => it.contains(document.activeElement)"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {thing}")

    def use_cell(self, grid: Locator, cell: Locator) -> None:
        """The same for a cell of a board, where arrows lead from cell to cell."""
        if not self.keyboard:
            cell.click()
            return
        expect(cell).to_be_enabled()
        self.reach(grid)
        columns = int(grid.get_attribute("aria-colcount"))
        here, there = (
            divmod(int(each), columns)
            for each in (
                grid.locator(":focus").get_attribute("data-cell"),
                cell.get_attribute("data-cell"),
            )
        )
        for (before, after), keys in zip(zip(here, there, strict=True), ARROWS, strict=True):
            for _ in range(abs(after - before)):
                self.page.keyboard.press(keys[after > before])
        expect(cell).to_be_focused()
        self.page.keyboard.press("Enter")

    @property
    def title(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    @property
    def dialog(self) -> Locator:
        return self.page.locator("dialog[open]")

    def notice(self, key: str, **given: object) -> Locator:
        """A short message that comes and goes."""
        return self.page.get_by_test_id("notice").filter(has_text=self.text(key, **given))

    def trouble(self, key: str, **given: object) -> Locator:
        """What the page says has gone wrong, and what to do."""
        return self.page.get_by_role("alert").filter(has_text=self.text(key, **given))

    def withdraw(self, amount: str, receiver: str | None = None) -> None:
        """A credit of so much, to oneself or to another account."""
        if receiver:
            self.page.get_by_label(self.text("credits.receiver")).fill(receiver)
        self.button("credits.withdraw", amount=amount).click()

    @property
    def identity(self) -> Locator:
        """Who the visitor is, at the top of the page."""
        return self.page.locator("header a[href^='/players/']")

    def button(self, key: str, **given: object) -> Locator:
        return self.page.get_by_role("button", name=self.text(key, **given), exact=True)

    def answer_who(self, wallet: bool) -> None:
        """In the dialog that asks who the visitor wants to be."""
        key, given = ("enter.connect", {"name": NAME}) if wallet else ("enter.makeKey", {})
        self.dialog.get_by_role("button", name=self.text(key, **given), exact=True).click()

    def enter(self, wallet: bool = False) -> str:
        """Become somebody; their address."""
        self.page.get_by_role("banner").get_by_role(
            "button", name=self.text("header.enter"), exact=True
        ).click()
        self.answer_who(wallet)
        return self.address()

    def address(self) -> str:
        expect(self.identity).to_be_visible()
        return self.identity.get_attribute("title")
