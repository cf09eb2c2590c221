"""Every page: accessible in both themes, fit for a phone, by keyboard, light, in Korean."""

import json
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import violations
from tests.e2e.pages.battleship import BattleshipPage
from tests.e2e.people import PHONE, Person
from tests.e2e.play import Battle, sit_down_to_battleship, sit_down_to_bunkerwar
from tests.e2e.texts import catalogue, text

LIMIT = 300_000  # bytes of the whole page, compressed
HANGUL = re.compile("[가-힣]")
LAST_BOARDS = {
    "fogbound.choices": json.dumps(
        {
            "bunkerwar": {"lanes": 2, "depth": 2, "stacked": False},
            "battleship": {"size": 6},
        }
    )
}
PLAIN_PAGES = ("/", "/leaderboard", "/records", "/settings", "/about", "/nowhere")


@pytest.fixture(scope="module")
def scene(browser, clear_stack):
    """Pages with games in them, running, open and ended; and what the browser of their host keeps."""
    host, guest = (Person(name, browser, clear_stack) for name in ("host", "guest"))
    bunkers = sit_down_to_bunkerwar(host, guest, 1, missiles=0)
    bunkers.step()
    bunkers.step()
    ended = sit_down_to_bunkerwar(host, guest, 1, (1, 2))
    ended.play()
    ships = sit_down_to_battleship(host, guest, 1)
    ships.step()
    waiting = host.lobby.open().create("battleship", size=6)
    paths = [f"/bunkerwar/{bunkers.game_id}", f"/bunkerwar/{ended.game_id}"]
    paths += [f"/bunkerwar/{ended.game_id}/replay", f"/battleship/{ships.game_id}"]
    paths += [f"/battleship/{ships.game_id}/replay", f"/battleship/{waiting}"]
    paths += [f"/players/{host.lobby.address()}", "/leaderboard/battleship", *PLAIN_PAGES]
    yield paths, host.stored()
    for person in (host, guest):
        person.leave()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_breaks_a_rule_of_level_a_or_aa(people, scene, theme):
    paths, stored = scene
    host = people("host", stored=stored, color_scheme=theme)
    broken = {}
    for path in paths:
        page = host.lobby.open(path).page
        settled(page)
        broken[path] = violations(page)
    lobby = host.lobby.open()
    for kind in ("battleship", "bunkerwar"):
        lobby.start_form(kind, "open")
        broken[f"new {kind}"] = violations(lobby.page)
        lobby.page.keyboard.press("Escape")
    assert {path: found for path, found in broken.items() if found} == {}
    lobby.page.evaluate("document.querySelector('h1').innerHTML = '<img src=/icon.svg>'")
    assert any(each.startswith("image-alt") for each in violations(lobby.page))  # it looks


def settled(page):
    """Until nothing is being loaded."""
    expect(page.get_by_role("status", name=text("ui.loading"))).to_have_count(0)


def test_every_page_fits_a_phone(people, scene):
    paths, stored = scene
    host = people("host", stored=stored, **PHONE)
    wide = {}
    for path in paths:
        page = host.lobby.open(path).page
        settled(page)
        wide[path] = page.evaluate("document.documentElement.scrollWidth")
    assert {path: width for path, width in wide.items() if width > 360} == {}


def test_the_page_is_light_and_asks_nobody_else(people, scene):
    """Everything that all pages together load, as it comes over the wire."""
    paths, stored = scene
    visitor = people("visitor", stored=stored, extra_http_headers={})
    visitor.context.set_extra_http_headers({})
    sizes, watched = {}, visitor.context.new_cdp_session(visitor.page)
    watched.send("Network.enable")
    urls = {}
    watched.on(
        "Network.responseReceived",
        lambda said: urls.update({said["requestId"]: said["response"]["url"]}),
    )
    watched.on(
        "Network.loadingFinished",
        lambda said: sizes.setdefault(urls.get(said["requestId"]), said["encodedDataLength"]),
    )
    for path in paths:
        settled(visitor.lobby.open(path).page)
    visitor.lobby.open().start_form("battleship", "open")
    page = {url: size for url, size in sizes.items() if url and is_page(url)}
    print(f"the page has {sum(page.values())} bytes in {len(page)} files")
    assert len(page) > 10
    assert sum(page.values()) < LIMIT
    own = urlsplit(visitor.wire.url).netloc
    asked = {urlsplit(request.url).netloc for request in visitor.requests}
    assert asked - {""} == {own}  # no host: what the page makes itself


def is_page(url):
    return not urlsplit(url).path.startswith(("/api", "/rpc", "/v2"))


def test_the_page_speaks_korean(people, scene, seed):
    paths, stored = scene
    host = people("host", stored=stored)
    settings = host.settings.open()
    settings.choose("appearance.language", "한국어")
    expect(host.page.locator("html")).to_have_attribute("lang", "ko")
    keys = set(catalogue("en"))
    for path in paths:
        page = host.lobby.open(path).page
        settled(page)
        shown = page.locator("body").inner_text()
        assert HANGUL.search(shown), path
        assert not keys & set(shown.split()), path
    english = {each for each in catalogue("en").values() if isinstance(each, str)}
    lines = set(host.lobby.open("/").page.locator("main").inner_text().splitlines())
    assert lines & english <= {text("kind.battleship"), text("kind.bunkerwar")}
    game = BattleshipPage(host.page, "ko").open(
        next(path for path in paths if "/battleship/" in path)
    )
    expect(game.own).to_be_visible()


# -- by keyboard alone -----------------------------------------------------------------------------------


def test_a_whole_game_of_battleship_by_keyboard(people, guest, seed):
    host = people("host", keyboard=True, stored=LAST_BOARDS)
    duel = sit_down_to_battleship(host, guest, seed)
    duel.play()
    expect(host.battleship.result).to_be_visible()


def test_a_whole_game_of_bunker_war_by_keyboard(people, guest, seed):
    host = people("host", keyboard=True, stored=LAST_BOARDS)
    guest_lobby = guest.lobby.open()
    game_id = host.lobby.open().create("bunkerwar")
    guest_lobby.join("bunkerwar", game_id)
    Battle((host, guest), (2, 2), game_id, seed).play()
    expect(host.bunkerwar.result).to_be_visible()
