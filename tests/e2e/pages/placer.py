"""Where a fleet is placed."""

import re

from playwright.sync_api import Locator, Page, expect

from battleship.fleets import Fleet, Kind, Ship, kinds
from tests.e2e.pages.base import AppPage


class Placer(AppPage):
    def __init__(self, page: Page, size: int, language: str = "en") -> None:
        super().__init__(page, language)
        self.size = size

    @property
    def waters(self) -> Locator:
        name = self.text("placer.board", size=self.size)
        return self.page.get_by_role("group", name=name, exact=True)

    @property
    def ships(self) -> Locator:
        return self.waters.get_by_role("button")

    def fleet(self) -> Fleet:
        """As it stands, from what the ships are called."""
        expect(self.ships).to_have_count(len(kinds(self.size)))
        return tuple(self._ship(name) for name in self.names())

    @property
    def said(self) -> Locator:
        """What a screen reader hears of the last change."""
        return self.waters.locator("..").get_by_role("status")

    def drag(self, ship: int, x: int, y: int) -> None:
        """By its first cell to column x and row y, with the mouse."""
        cell = self.waters.bounding_box()["width"] / self.size
        held, mouse = self.ships.nth(ship).bounding_box(), self.page.mouse
        origin = self.waters.bounding_box()
        mouse.move(held["x"] + cell / 2, held["y"] + cell / 2)
        mouse.down()
        mouse.move(origin["x"] + (x + 0.5) * cell, origin["y"] + (y + 0.5) * cell, steps=5)
        mouse.up()

    def turn(self, ship: int) -> None:
        """As a click on it does."""
        self.ships.nth(ship).click()

    def names(self) -> list[str]:
        return self.ships.evaluate_all("ships => ships.map((ship) => ship.ariaLabel)")

    def _ship(self, name: str) -> Ship:
        kind = next(kind for kind in Kind if name == self._name(kind, name))
        place = re.search(r"\b([a-t])(\d{1,2})\b", name)
        x, y = ord(place[1]) - ord("a"), int(place[2]) - 1
        return Ship(kind, x, y, self.text("placer.vertical") in name)

    def _name(self, kind: Kind, name: str) -> str:
        """What a ship of that kind would be called at the place that `name` says."""
        place = re.search(r"\b[a-t]\d{1,2}\b", name)[0]
        way = "vertical" if self.text("placer.vertical") in name else "horizontal"
        return self.text(
            "placer.ship",
            kind=self.text(f"ship.{int(kind)}"),
            length=kind.length,
            place=place,
            way=self.text(f"placer.{way}"),
        )
