"""What every page of the app has."""

from playwright.sync_api import Locator, Page, expect

from tests.e2e.texts import text
from tests.e2e.wallet import NAME


class AppPage:
    """`language`: the one that the page is shown in."""

    def __init__(self, page: Page, language: str = "en") -> None:
        self.page, self.language = page, language

    def text(self, key: str, **given: object) -> str:
        return text(key, self.language, **given)

    def open(self, path: str):
        self.page.goto(path)
        expect(self.title).to_be_visible()
        return self

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
        """Become somebody; his address."""
        self.page.get_by_role("banner").get_by_role(
            "button", name=self.text("header.enter"), exact=True
        ).click()
        self.answer_who(wallet)
        return self.address()

    def address(self) -> str:
        expect(self.identity).to_be_visible()
        return self.identity.get_attribute("title")
