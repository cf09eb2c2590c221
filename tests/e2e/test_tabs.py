"""Many tabs of one browser: they share one stream, whoever of them goes."""

import pytest
from playwright.sync_api import expect

from tests.e2e.pages.lobby import Lobby

TABS = 10
REVIVAL = 60_000  # milliseconds until tabs notice that nobody tells them anything, and mend it

MODES = {"worker": "", "leader": "delete globalThis.SharedWorker"}


@pytest.fixture(params=MODES)
def tabs(request, host):
    """The lobby in many tabs, in browsers with and without shared workers."""
    host.context.add_init_script(MODES[request.param])
    return [Lobby(host.tab()).open() for _ in range(TABS)]


def expect_live(tabs, guest, timeout=None):
    """Each tab hears of a game that somebody opens now."""
    game_id = guest.lobby.open().create("bunkerwar", size=(2, 2))
    for tab in tabs:
        expect(tab.row("bunkerwar", game_id)).to_be_visible(timeout=timeout)
    return game_id


def test_ten_tabs_share_a_stream_and_close_one_after_the_other(tabs, host, guest):
    expect_live(tabs, guest)
    assert host.wire.open_streams() == 1
    for _ in range(TABS // 2):
        tabs.pop(0).page.close()  # where a tab leads, it is the first
    expect_live(tabs, guest, timeout=REVIVAL)


def test_a_tab_that_freezes_misses_nothing_when_it_is_back(tabs, host, guest):
    frozen = tabs[0]
    session = host.context.new_cdp_session(frozen.page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    game_id = expect_live(tabs[1:], guest, timeout=REVIVAL)
    session.send("Page.setWebLifecycleState", {"state": "active"})
    expect(frozen.row("bunkerwar", game_id)).to_be_visible()
    expect_live(tabs, guest, timeout=REVIVAL)


def test_the_server_restarts(tabs, host, guest):
    expect_live(tabs, guest)
    host.stack.kill_web()
    host.stack.wait_until_ready()
    expect_live(tabs, guest, timeout=REVIVAL)


def test_the_worker_dies(host, guest, browser):
    tabs = [Lobby(host.tab()).open() for _ in range(3)]
    expect_live(tabs, guest)
    session = browser.new_browser_cdp_session()
    targets = session.send("Target.getTargets")["targetInfos"]
    (worker,) = [
        each["targetId"]
        for each in targets
        if each["type"] == "shared_worker" and each["url"].startswith(host.wire.url)
    ]
    session.send("Target.closeTarget", {"targetId": worker})
    expect_live(tabs, guest, timeout=REVIVAL)
