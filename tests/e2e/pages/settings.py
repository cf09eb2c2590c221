"""The settings: who plays here, backups, session keys, language and theme."""

from playwright.sync_api import expect

from tests.e2e.pages.base import AppPage


class SettingsPage(AppPage):
    def open(self, path: str = "/settings"):
        return super().open(path)

    def back_up(self) -> str:
        """The text of the backup that is saved."""
        with self.page.expect_download() as saved:
            self.button("backup.make").click()
        return saved.value.path().read_text()

    def restore(self, backup: str) -> None:
        self.button("backup.restore").click()
        self.dialog.get_by_label(self.text("backup.text")).fill(backup)
        self.dialog.get_by_role("button", name=self.text("backup.restoreGo"), exact=True).click()
        expect(self.dialog).to_have_count(0)

    def session(self, kind: str):
        name = self.text("session.of", game=self.text(f"kind.{kind}"))
        return self.page.get_by_role("region", name=name, exact=True)

    def authorize(self, kind: str) -> None:
        section = self.session(kind)
        section.get_by_role("button", name=self.text("session.authorize"), exact=True).click()
        expect(section.get_by_text(self.text("session.active"), exact=True)).to_be_visible()

    def revoke(self, kind: str) -> None:
        section = self.session(kind)
        section.get_by_role("button", name=self.text("session.revoke"), exact=True).click()
        expect(section.get_by_text(self.text("session.none"), exact=True)).to_be_visible()

    def send_back(self, kind: str) -> None:
        button = self.session(kind).get_by_role("button", name=self.text("session.sendBack"))
        button.click()
        expect(self.page.get_by_test_id("notice").filter(has_text="went back")).to_be_visible()

    def choose(self, key: str, label: str) -> None:
        """One of the settings that have a few options side by side."""
        group = self.page.get_by_role("group", name=self.text(key), exact=True)
        group.get_by_role("radio", name=label, exact=True).check()
