"""The pictures of the README, taken of real games. Not a test: `scripts/make-screenshots` runs it."""

import pytest

from bunkerwar.rules import Build, Cell, Missile
from tests.e2e.people import Person
from tests.e2e.play import Battle, sit_down_to_battleship
from tests.e2e.stack import ROOT

PICTURES = ROOT / "docs" / "pictures"
SCREEN = {"viewport": {"width": 1120, "height": 760}, "color_scheme": "light"}
SEED = 7
MOVES = (  # of Bunker War Z, by whoever is on turn
    *(Build(1, 0, Cell.BUNKER), Build(0, 0, Cell.HOUSE), Build(2, 1, Cell.HOUSE)),
    *(Build(3, 1, Cell.BUNKER), Missile(0), Build(2, 2, Cell.HOUSE), Build(0, 2, Cell.HOUSE)),
    *(Missile(1), Build(3, 0, Cell.BUNKER), Build(1, 3, Cell.HOUSE), Build(0, 1, Cell.HOUSE)),
)


@pytest.fixture
def stack(concrete_stack):
    return concrete_stack


def take(person: Person, name: str) -> None:
    PICTURES.mkdir(exist_ok=True)
    person.page.screenshot(path=PICTURES / f"{name}.png", animations="disabled")


def test_take_pictures(people):
    host, guest = (people(name, **SCREEN) for name in ("host", "guest"))
    battle = open_bunker_war(host, guest)
    for move in MOVES:
        battle.make(move)
    battle.players[battle.state.turn].bunkerwar.expect_turn()
    take(host, "bunkerwar")
    duel = sit_down_to_battleship(host, guest, SEED)
    for _ in range(7):
        duel.step()
    take(host, "battleship")
    host.lobby.open().create("battleship", size=10, stake="0.5")
    guest.lobby.open().create("bunkerwar", size=(4, 4), stake="0.1")
    guest.lobby.open()
    guest.lobby.row("bunkerwar", 2).wait_for()
    take(guest, "lobby")


def open_bunker_war(host: Person, guest: Person) -> Battle:
    guest_lobby, host_lobby = guest.lobby.open(), host.lobby.open()
    game_id = host_lobby.create("bunkerwar", size=(4, 4), stake="0.25")
    guest_lobby.join("bunkerwar", game_id, stake="0.25 ETH")
    return Battle((host, guest), (4, 4), game_id, SEED)
