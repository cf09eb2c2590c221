"""The lobby: where games begin."""

import re

from playwright.sync_api import Locator, expect

from battleship.fleets import Fleet
from tests.e2e.pages.base import AppPage
from tests.e2e.pages.placer import Placer


class Lobby(AppPage):
    fleet: Fleet
    """Of the game that was begun last."""

    def open(self, path: str = "/"):
        return super().open(path)

    # -- beginning a game --------------------------------------------------------------------------------

    def quick_match(self, kind: str, **choices: object) -> int:
        return self._begin(kind, "match", **choices)

    def create(self, kind: str, **choices: object) -> int:
        return self._begin(kind, "open", **choices)

    def play_bot(self, kind: str, **choices: object) -> int:
        if kind == "battleship":
            return self._begin(kind, "bot", **choices)
        self.use(self._card(kind, "bot"))
        return self.arrived(kind)

    def start(self, kind: str, mode: str, **choices: object) -> None:
        """Fill in and send the form of a new game."""
        self.use(self._card(kind, mode))
        self.choose(kind, **choices)
        self.submit(mode)

    def start_form(self, kind: str, mode: str) -> None:
        """Open the form of a new game, and see it whole."""
        self.use(self._card(kind, mode))
        expect(self._in_dialog(f"setup.{mode}Go")).to_be_enabled()

    def submit(self, mode: str) -> None:
        self.use(self._in_dialog(f"setup.{mode}Go"))

    def choose(
        self,
        kind: str,
        size: tuple[int, int] | int | None = None,
        stake: str | None = None,
        opponent: str | None = None,
        unlisted: bool = False,
        control: int | None = None,
    ) -> None:
        """`control`: the index of a time control."""
        if kind == "battleship":
            self._choose_size(size or 6)
        elif size:
            for key, count in zip(("setup.lanes", "setup.depth"), size, strict=True):
                self.dialog.get_by_label(self.text(key)).select_option(str(count))
        if control is not None:
            self.dialog.get_by_label(self.text("setup.pace")).select_option(index=control)
        if stake is not None:
            self.dialog.get_by_label(self.text("setup.stake")).fill(stake)
        if opponent is not None:
            self.dialog.get_by_label(self.text("setup.opponent")).fill(opponent)
        if unlisted:
            self.dialog.get_by_role(
                "checkbox", name=re.compile(self.text("setup.unlisted"))
            ).check()
        if kind == "battleship":
            self.fleet = self.placer(size or 6).fleet()

    def placer(self, size: int) -> Placer:
        return Placer(self.page, size, self.language)

    def arrived(self, kind: str) -> int:
        """The number of the game whose page is shown."""
        self.page.wait_for_url(re.compile(rf"/{kind}/\d+$"))
        return int(self.page.url.rsplit("/", 1)[1])

    def _begin(self, kind: str, mode: str, **choices: object) -> int:
        self.start(kind, mode, **choices)
        return self.arrived(kind)

    def _choose_size(self, size: int) -> None:
        label = self.text("board.size", lanes=size, depth=size)
        radio = self.dialog.get_by_role("radio", name=label, exact=True)
        if not radio.is_checked():
            radio.check()

    def _card(self, kind: str, mode: str) -> Locator:
        card = self.page.get_by_role("article").filter(
            has=self.page.get_by_role("heading", name=self.text(f"kind.{kind}"), exact=True)
        )
        key = {"bot": "lobby.bot", "match": "lobby.match", "open": "lobby.create"}[mode]
        return card.get_by_role("button", name=self.text(key), exact=True)

    def _in_dialog(self, key: str, **given: object) -> Locator:
        return self.dialog.get_by_role("button", name=self.text(key, **given), exact=True)

    # -- games that are there ----------------------------------------------------------------------------

    def row(self, kind: str, game_id: int) -> Locator:
        return self.page.get_by_test_id(f"game-{kind}-{game_id}").first

    @property
    def open_rows(self) -> Locator:
        """The games that wait for somebody."""
        panel = self.page.get_by_role("region", name=self.text("lobby.open"), exact=True)
        return panel.locator("[data-testid^=game-]")

    def open_ids(self) -> list[int]:
        """Their numbers, as they are listed."""
        names = self.open_rows.evaluate_all("rows => rows.map((row) => row.dataset.testid)")
        return [int(name.rsplit("-", 1)[1]) for name in names]

    def join(self, kind: str, game_id: int, size: int = 6, stake: str | None = None) -> None:
        named = self.text("game.name", kind=self.text(f"kind.{kind}"), id=game_id)
        self.use(self.button("lobby.joinGame", game=named))
        if kind == "battleship":
            self.fleet = self.placer(size).fleet()
        go = ("join.goStake", {"stake": stake}) if stake else ("join.go", {})
        self.use(self._in_dialog(go[0], **go[1]))
        expect(self.page).to_have_url(re.compile(rf"/{kind}/{game_id}$"))
