"""Who sits at a browser: each in a context of their own, as on another machine."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from eth_account import Account
from eth_account.signers.local import LocalAccount
from playwright.sync_api import Browser, BrowserContext, Page, Request

from tests.e2e.pages.battleship import BattleshipPage
from tests.e2e.pages.bunkerwar import BunkerWarPage
from tests.e2e.pages.lobby import Lobby
from tests.e2e.pages.records import RecordsPage
from tests.e2e.pages.replay import ReplayPage
from tests.e2e.pages.settings import SettingsPage
from tests.e2e.stack import ROOT, PlayStack
from tests.e2e.wallet import SmartWallet, Wallet
from tests.e2e.wire import Wire

ETHER = 10**18
PATIENCE = 30_000  # milliseconds until an expected thing is missing
PUPPETS = ROOT / "contracts" / "testing" / "Puppets.sol"
PLAIN = {"Accept-Encoding": "identity"}  # so that what is recorded can be searched
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


class Person:
    """One browser context with its tabs."""

    def __init__(
        self,
        name: str,
        browser: Browser,
        stack: PlayStack,
        *,
        keyboard: bool = False,
        stored: Mapping[str, str] = MappingProxyType({}),
        **options,
    ) -> None:
        """`keyboard`: they have no mouse. `stored`: what their browser has kept from earlier."""
        self.name, self.stack, self.keyboard = name, stack, keyboard
        self.wire = Wire(stack.web_port)
        self.requests: list[Request] = []
        self.console: list[str] = []
        self.wallet: Wallet | None = None
        self._page: Page | None = None
        self.gone = False
        settings = {"locale": "en-GB", "reduced_motion": "reduce", "base_url": self.wire.url}
        self.context: BrowserContext = browser.new_context(**settings | options)
        self.context.set_extra_http_headers(PLAIN)
        if stored:
            self.context.add_init_script(f"Object.assign(localStorage, {json.dumps(dict(stored))})")
        self.context.set_default_timeout(PATIENCE)
        self.context.on("request", self._requested)
        self.context.on("console", lambda said: self.console.append(f"{said.type}: {said.text}"))
        self.context.on("weberror", lambda error: self.console.append(f"uncaught: {error.error}"))

    def _requested(self, request: Request) -> None:
        self.requests.append(request)

    def give_wallet(self, account: LocalAccount | None = None, wei: int = 10 * ETHER) -> Wallet:
        """An extension with a new account, or that one. To be called before the first page is opened."""
        account = account or Account.create()
        if wei:
            self.stack.fund(account.address, wei)
        return self._install(Wallet(account, self.stack.web3))

    def give_smart_wallet(self, name: str, wei: int = 10 * ETHER) -> SmartWallet:
        """One of a contract account of Puppets.sol; it has as much as its owner."""
        owner = Account.create()
        self.stack.fund(owner.address, wei)
        contract = self.stack.deploy(PUPPETS, name, wei)
        return self._install(SmartWallet(owner, contract, self.stack.web3))

    def _install(self, wallet):
        wallet.install(self.context)
        self.wallet = wallet
        return wallet

    def connect(self, *kinds: str) -> str:
        """Play with the wallet; its session keys sign the moves of these games. Their address."""
        address = self.lobby.open().enter(wallet=True)
        for kind in kinds:
            self.settings.open().authorize(kind)
        return address

    def tab(self) -> Page:
        return self.context.new_page()

    @property
    def page(self) -> Page:
        """The tab in use."""
        if self._page is None or self._page.is_closed():
            self._page = self.tab()
        return self._page

    @page.setter
    def page(self, tab: Page) -> None:
        self._page = tab

    @property
    def lobby(self) -> Lobby:
        return Lobby(self.page, keyboard=self.keyboard)

    @property
    def bunkerwar(self) -> BunkerWarPage:
        return BunkerWarPage(self.page, keyboard=self.keyboard)

    @property
    def battleship(self) -> BattleshipPage:
        return BattleshipPage(self.page, keyboard=self.keyboard)

    @property
    def replay(self) -> ReplayPage:
        return ReplayPage(self.page, keyboard=self.keyboard)

    @property
    def records(self) -> RecordsPage:
        return RecordsPage(self.page, keyboard=self.keyboard)

    @property
    def settings(self) -> SettingsPage:
        return SettingsPage(self.page, keyboard=self.keyboard)

    def stored(self) -> dict[str, str]:
        """All that the page keeps in this browser."""
        return self.page.evaluate("() => ({ ...localStorage })")

    def keep_pictures(self, folder: Path) -> None:
        """What each tab shows, for whoever looks into a failure."""
        if self.gone:
            return
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.console").write_text("\n".join(self.console))
        for number, page in enumerate(self.context.pages):
            page.screenshot(path=folder / f"{self.name}-{number}.png", full_page=True)
            seen = f"{page.url}\n{page.locator('body').aria_snapshot()}"
            (folder / f"{self.name}-{number}.txt").write_text(seen)

    def leave(self) -> None:
        self.gone = True
        self.context.close()
        self.wire.close()
