"""The page that checks records."""

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.pages.base import AppPage


class RecordsPage(AppPage):
    def open(self, path: str = "/records"):
        return super().open(path)

    def expect_verdict(self, file: Path, key: str, *reasons: str) -> None:
        """What is said of a file that is chosen."""
        self.page.locator("input[type=file]").set_input_files(file)
        verdict = self.page.get_by_test_id("verdict")
        for words in (self.text(key, file=file.name), *reasons):
            expect(verdict).to_contain_text(words)
