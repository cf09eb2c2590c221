"""The lobby where many games wait, and what tells of one's own."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from bunkerwar.game import GAME
from fhevm.devchain import dev_accounts
from fogbound.stack import Stack
from tests.e2e.play import sit_down_to_battleship
from tests.e2e.texts import text

PAGE = 50  # rows at once
OPEN = 2 * PAGE + 5
MOST_ASKED = 30  # times; a page that asks in a circle does so thousands of times


def test_a_full_lobby_is_read_to_its_end_and_stays_live(host, guest, seed):
    client = Stack.connect(host.stack.data).client(GAME, dev_accounts()[6])
    games = [client.open(2, 2, False) for _ in range(OPEN)]
    lobby = host.lobby.open()
    for rows in (PAGE, 2 * PAGE, OPEN):
        expect(lobby.open_rows).to_have_count(rows)
        if rows < OPEN:
            lobby.button("list.more").click()
    expect(lobby.button("list.more")).to_have_count(0)
    assert lobby.open_ids() == games[::-1]
    client.cancel(games[0])
    expect(lobby.row("bunkerwar", games[0])).to_have_count(0)
    newest = guest.lobby.open().create("bunkerwar", size=(2, 2))
    expect(lobby.open_rows).to_have_count(OPEN)
    assert lobby.open_ids() == [newest, *games[:0:-1]]
    lobby.join("bunkerwar", games[1])
    expect(host.page.get_by_role("heading", level=1)).to_contain_text(text("kind.bunkerwar"))
    assert 1 + OPEN // PAGE <= asked_for_lists(host) <= MOST_ASKED


def asked_for_lists(person):
    """How often their page has asked the server for some of a list."""
    return sum(urlsplit(each.url).path == "/api/games" for each in person.requests)


def test_the_title_tells_in_how_many_games_one_is_on_turn(host, guest, seed):
    """On whatever page the player is."""
    duel = sit_down_to_battleship(host, guest, seed)
    mover, waiter = duel.mover, duel.players[1 - duel.state.turn]
    elsewhere = mover.settings.open("/leaderboard/battleship")
    expect(elsewhere.page).to_have_title(re.compile(r"^\(1\) "))
    expect(waiter.page).not_to_have_title(re.compile(r"^\("))
    mover.battleship.visit(duel.game_id)
    duel.step()
    expect(waiter.page).to_have_title(re.compile(r"^\(1\) "))
    expect(mover.page).not_to_have_title(re.compile(r"^\("))
