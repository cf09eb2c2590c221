"""Battleship in real browsers."""

from contextlib import suppress
from itertools import product
from random import Random

from playwright.sync_api import expect

from battleship.errors import IllegalFleet
from battleship.fleets import Ship, fleet_text, place
from tests.e2e.pages.replay import replayed
from tests.e2e.people import ETHER, PATIENCE
from tests.e2e.play import Duel, sit_down_to_battleship
from tests.e2e.secrets_search import board_secrets, browser_secrets, commitment_of, found
from tests.e2e.stack import FAST
from tests.e2e.texts import short, text

SIZE = 6


def expect_ends(duel, winner):
    for person in duel.players:
        key = "game.result.won" if person is winner else "game.result.lost"
        expect(person.battleship.result).to_contain_text(text(key))


def expect_seen(page, grid, board):
    """A board as everybody sees it: shots and answers, and no ship."""
    marks = {shot.cell: ["hit", "sunk"] if shot.answer.hit else ["miss"] for shot in board.shots}
    for cell in range(SIZE * SIZE):
        page.expect_cell(grid, SIZE, cell, *marks.get(cell, ["water"]))


def test_a_whole_staked_game_watched_replayed_and_searched(host, guest, spectator, seed):
    """With browser keys. What must stay secret is looked for before the last shot: then it is shown."""
    duel = sit_down_to_battleship(host, guest, seed, stake="1")
    watched = spectator.battleship.visit(duel.game_id)
    while duel.moves < 8:
        duel.step()
    boards = [watched.page.get_by_role("grid").nth(at) for at in (1, 0)]  # theirs comes first
    for grid, board in zip(boards, duel.state.boards, strict=True):
        expect_seen(watched, grid, board)
    expect_nothing_leaked(duel, [host, guest, spectator])
    winner = duel.play()
    expect_ends(duel, winner)
    expect_paid(duel, winner)
    expect_replayed(spectator.replay.visit("battleship", duel.game_id), duel)
    keys = {**browser_secrets(host), **browser_secrets(guest)}
    recorded = b"".join(person.wire.bytes() for person in (host, guest, spectator))
    assert found(keys, recorded + host.stack.logs()) == []


def expect_nothing_leaked(duel, people):
    recorded = b"".join(person.wire.bytes() for person in people) + people[0].stack.logs()
    secrets, public = {}, {}
    for seat, person in enumerate(duel.players):
        secrets |= browser_secrets(person)
        board = commitment_of(person, duel.game_id)
        assert board.fleet == duel.state.boards[seat].fleet
        fired = duel.state.boards[seat].fired
        secrets |= board_secrets(person.name, board, fired)
        public |= {f"{seat} {cell}": board.salt(cell) for cell in fired} | {seat: board.root}
        assert fleet_text(board.fleet).encode() not in recorded
    assert len(secrets) > 2 * (SIZE * SIZE - 8)
    assert set(found(public, recorded)) == set(public)  # so the search finds what is there
    assert found(secrets, recorded) == []


def expect_paid(duel, winner):
    """Two stakes less one per cent, on both pages and on the chain."""
    for person in duel.players:
        result = person.battleship.result
        for key, amount in (("game.pot", "2 ETH"), ("game.rake", "0.02 ETH")):
            row = result.get_by_role("row").filter(has_text=text(key))
            expect(row).to_contain_text(amount)
        expect(result).to_contain_text("1.98 ETH")
    won, lost = winner.battleship.address(), (set(duel.players) - {winner}).pop()
    balance = winner.stack.web3.eth.get_balance
    assert 5.97 * ETHER < balance(won) < 5.98 * ETHER
    assert 3.98 * ETHER < balance(lost.battleship.address()) < 4 * ETHER


def expect_replayed(replay, duel):
    """At every step what the public knew then: shots and answers, and no ship before it was shown."""
    stack, told = duel.players[0].stack, ("battleship", duel.game_id, "BoardRevealed")
    events = replayed(stack.wait_for_events(*told, 2))  # the loser's page shows its board by itself
    shown = [["water"] * SIZE * SIZE for _ in range(2)]
    revealed = False
    for at in replay.steps(len(events)):
        event = events[at]
        apply_publicly(shown, event, duel)
        revealed |= event["name"] == "BoardRevealed"
        if event["name"] in {"ShotFired", "ShotAnswered", "BoardRevealed", "GameEnded"}:
            for seat in range(2):
                page, grid = duel.players[0].battleship, replay.board(seat)
                assert page.shown(grid, SIZE) == shown[seat], (at, event["name"])
    assert revealed
    winner = duel.state.winner
    replay.see_as(short(duel.players[winner].battleship.address()))
    fleet = cells_of(duel.state.boards[winner].fleet)
    for at in replay.steps(len(events)):
        if events[at]["name"] == "FirstSeatDrawn":
            marks = duel.players[0].battleship.shown(replay.board(winner, winner), SIZE)
            assert {cell for cell, mark in enumerate(marks) if mark == "ship"} == fleet
            other = duel.players[0].battleship.shown(replay.board(1 - winner, winner), SIZE)
            assert set(other) == {"water"}
            break


def apply_publicly(shown, event, duel):
    """Change what everybody sees by one event."""
    given = event["arguments"]
    seat, cell = int(given.get("seat", 0)), int(given.get("cell", 0))
    if event["name"] == "ShotFired":
        shown[1 - seat][cell] = "aim"
    elif event["name"] == "ShotAnswered":
        hit = "sunk" if given["sunk"] != "0" else "hit"
        shown[seat][cell] = hit if given["hit"] else "miss"
    elif event["name"] == "BoardRevealed":
        for ship in duel.state.boards[seat].fleet:
            cells = ship.cells(SIZE)
            whole = all(shown[seat][each] in {"hit", "sunk"} for each in cells)
            for each in cells:
                if shown[seat][each] == "water":
                    shown[seat][each] = "ship"
                elif whole:
                    shown[seat][each] = "sunk"


def cells_of(fleet):
    return {cell for ship in fleet for cell in ship.cells(SIZE)}


# -- with wallets ----------------------------------------------------------------------------------------


def test_wallets_over_reload_second_tab_and_another_browser(people, host, guest, seed):
    for person in (host, guest):
        account = person.give_wallet().account
        assert person.connect("battleship") == account.address
    duel = sit_down_to_battleship(host, guest, seed)
    asked = [len(person.wallet.asked) for person in (host, guest)]
    duel.step()
    duel.step()
    host.page.reload()
    expect_own_fleet(host, duel, 0)
    duel.step()
    duel.step()
    for person, before in zip((host, guest), asked, strict=True):  # the session key has signed
        assert "eth_sendTransaction" not in person.wallet.asked[before:]
    move_to_second_tab(host, duel)
    guest.leave()
    elsewhere = people("elsewhere")
    elsewhere.give_wallet(account, wei=0)
    elsewhere.connect()
    elsewhere.battleship.visit(duel.game_id)
    duel.players = (host, elsewhere)
    expect_own_fleet(elsewhere, duel, 1)
    winner = duel.play()
    expect_ends(duel, winner)


def expect_own_fleet(person, duel, seat):
    """The own fleet is shown, with the hits that it has got."""
    board = duel.state.boards[seat]
    for cell in cells_of(board.fleet):
        marks = ["hit", "sunk"] if cell in board.fired else ["ship"]
        person.battleship.expect_cell(person.battleship.own, SIZE, cell, *marks)


def move_to_second_tab(person, duel):
    """Play on in a new tab, while the first one stays open."""
    tab = person.tab()
    tab.goto(person.page.url)
    person.page = tab
    expect_own_fleet(person, duel, duel.players.index(person))


# -- ways to begin, and to end ---------------------------------------------------------------------------


def test_a_whole_game_against_a_bot(host, seed):
    """By shots at random, until one of the fleets is sunk."""
    page, lobby = host.battleship, host.lobby.open()
    game_id = lobby.play_bot("battleship", size=SIZE)
    cells = iter(Random(seed).sample(range(SIZE * SIZE), SIZE * SIZE))
    while page.is_turn():
        cell = next(cells)
        page.fire(cell)
        page.expect_cell(page.other, SIZE, cell, "hit", "sunk", "miss")
    events = host.stack.wait_for_events("battleship", game_id, "GameEnded", 1)
    won = host.stack.api(f"games/battleship/{game_id}")["winners"] == [0]
    expect(page.result).to_contain_text(text(f"game.result.{'won' if won else 'lost'}"))
    proved = [event["arguments"]["seat"] for event in events if event["name"] == "ProofAsked"]
    assert proved == ["0" if won else "1"]  # of who has sunk the other's fleet


def test_a_fleet_is_placed_by_mouse(host, seed):
    lobby, rng = host.lobby.open(), Random(seed)
    lobby.start_form("battleship", "open")
    lobby.choose("battleship", size=SIZE)
    placer = lobby.placer(SIZE)
    for index in (0, 1, 0):
        before = placer.fleet()
        lies = before[index].vertical
        ship = rng.choice([each for each in places(before, index) if each.vertical == lies])
        placer.drag(index, ship.x, ship.y)
        assert placer.fleet() == replaced(before, index, ship)
    fleet = placer.fleet()
    placer.drag(0, fleet[1].x, fleet[1].y)  # onto the other
    expect(placer.said).to_have_text(text("placer.blocked"))
    assert placer.fleet() == fleet
    placer.turn(0)
    turned = placer.fleet()
    assert turned[0].vertical != fleet[0].vertical
    assert turned[0] in places(fleet, 0)
    assert turned[1:] == fleet[1:]
    lobby.submit("open")
    game_id = lobby.arrived("battleship")
    expect(host.battleship.action("cancel")).to_be_visible()  # so the index knows the game
    assert commitment_of(host, game_id).fleet == turned


def places(fleet, index):
    """Wherever that ship has room, but for where it is."""
    others = (*fleet[:index], *fleet[index + 1 :])
    found = []
    for x, y, vertical in product(range(SIZE), range(SIZE), (False, True)):
        with suppress(IllegalFleet):
            ship = Ship(fleet[index].kind, x, y, vertical)
            place(SIZE, others, ship)
            found.append(ship)
    return [ship for ship in found if ship != fleet[index]]


def replaced(fleet, index, ship):
    return (*fleet[:index], ship, *fleet[index + 1 :])


def test_challenge_by_link_and_resignation(host, guest, spectator, seed):
    lobby = host.lobby.open()
    game_id = lobby.create("battleship", size=SIZE, unlisted=True)
    link = host.page.get_by_role("textbox", name=text("game.link")).input_value()
    assert link.endswith(f"/battleship/{game_id}")
    others = spectator.lobby.open()
    expect(others.page.get_by_role("status", name=text("ui.loading"))).to_have_count(0)
    expect(others.row("battleship", game_id)).to_have_count(0)
    seat = guest.battleship.open(f"/battleship/{game_id}")
    fleet = seat.placer(SIZE).fleet()
    seat.button("game.join").click()
    duel = Duel((host, guest), (lobby.fleet, fleet), game_id, seed)
    duel.step()
    host.battleship.resign()
    expect_ends(duel, guest)
    for person in (host, guest):
        expect(person.battleship.result).to_contain_text(text("game.reason.resigned"))


def test_timeout_is_claimed_when_it_is_due(host, guest, seed):
    duel = sit_down_to_battleship(host, guest, seed, control=0)
    sleeper, waiter = duel.mover, duel.players[1 - duel.state.turn]
    sleeper.battleship.expect_turn()
    sleeper.page.close()
    waiter.battleship.action("claimTimeout").click(timeout=PATIENCE + 1000 * FAST)
    expect(waiter.battleship.result).to_contain_text(text("game.result.won"))
    expect(waiter.battleship.result).to_contain_text(text("game.reason.timed_out"))


def test_a_lost_key_is_restored_from_its_backup(people, host, guest, seed):
    duel = sit_down_to_battleship(host, guest, seed)
    duel.step()
    address = guest.battleship.address()
    backup = guest.settings.open().back_up()
    guest.leave()
    found_again = people("found-again")
    found_again.settings.open().restore(backup)
    assert found_again.settings.address() == address
    found_again.battleship.visit(duel.game_id)
    duel.players = (host, found_again)
    expect_own_fleet(found_again, duel, 1)
    expect_ends(duel, duel.play())
