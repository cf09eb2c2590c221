"""An index that grew live, through reorganisations and restarts, equals one made anew from the chain."""

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from sqlalchemy import select

from fhevm.devchain import dev_accounts
from fhevm.freshchain import snapshot
from fogbound.accounts import DEPLOYER
from fogbound.errors import ContractError
from fogbound.game import Phase
from fogbound.games import TableTerms
from frontend.app.errors import Overtaken
from frontend.app.index.changes import changes_since
from frontend.app.index.database import Database
from frontend.app.index.follower import Follower
from frontend.app.index.ratings import LEAST_STAKE
from frontend.app.index.reader import Reader
from frontend.app.index.schema import CursorRow, UnlistedRow
from frontend.app.index.unlisting import unlist
from tests.fogbound.sandbox import GAME, SandboxClient
from tests.frontend.index.contents import answers, contents

PLAYERS = dev_accounts()[1:4]
MOVES = 70
STAKES = (0, LEAST_STAKE - 1, LEAST_STAKE)


@pytest.fixture
def database(database_url):
    opened = Database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def follow(connection, database):
    """A follower that has just started, as after a restart."""
    return lambda: Follower(Reader(connection, [GAME]), database).catch_up()


@pytest.fixture
def rebuilt(connection) -> Callable[..., object]:
    """What an empty index holds, or what else is asked of it, once it has read the whole chain."""

    def build(ask: Callable[[Database], object] = contents) -> object:
        fresh = Database("sqlite://")
        Follower(Reader(connection, [GAME]), fresh).catch_up()
        found = ask(fresh)
        fresh.close()
        return found

    return build


def deeds(client: SandboxClient, game_id: int, chance: random.Random) -> list[Callable]:
    """What somebody can do in a game as it stands; who may is for the contract to say."""
    seat = chance.randint(0, 1)
    by_phase: dict[Phase, list[Callable]] = {
        Phase.OPEN: [client.join, client.join, client.join, client.leave_seat],
        Phase.DRAWING: [client.settle_draw, client.settle_draw, client.resign],
        Phase.PLAYING: [
            client.resign,
            client.offer_draw,
            client.keep_alive,
            client.begin_wait,
            lambda game: client.win(game, seat),
            lambda game: client.hand_over(game, seat),
        ],
        Phase.WAITING: [lambda game: client.resolve_wait(game, seat), client.offer_draw],
    }
    return by_phase.get(client.game(game_id).phase, [])


def act(client: SandboxClient, other: SandboxClient, chance: random.Random) -> None:
    """One thing that a player can do; what the contract refuses changes nothing."""
    games = client.game_count()
    game_id = chance.randint(max(games - 3, 1), games) if games else 0
    choices = deeds(client, game_id, chance)
    with suppress(ContractError):
        if chance.random() < 0.15 or not choices:
            opponent = chance.choice([None, other.account.address])
            client.open(b"", 2, opponent=opponent, stake=chance.choice(STAKES))
        elif chance.random() < 0.15:
            client.chain.mine(2)
        else:
            chance.choice(choices)(game_id)


@pytest.mark.parametrize(
    ("database_url", "seed", "at_once"),
    [("sqlite", 12, 100), ("sqlite", 14, 1), ("postgresql", 12, 2)],
    indirect=["database_url"],
)
def test_what_grew_live_is_what_is_read_anew(
    chain, seats, database, follow, rebuilt, monkeypatch, seed, at_once
):
    """`at_once`: games that a step of the follower summarises, and counts."""
    print(f"seed {seed}")
    monkeypatch.setattr("frontend.app.index.follower.SUMMARISED", at_once)
    monkeypatch.setattr("frontend.app.index.standings.COUNTED", at_once)
    chance = random.Random(seed)
    places: list[Callable[[], None]] = []
    reorganised = 0
    for _ in range(MOVES):
        one, other = chance.sample(PLAYERS, 2)
        act(seats(one), seats(other), chance)
        if chance.random() < 0.15:
            places.append(snapshot(chain.web3))
        if chance.random() < 0.4:
            follow()
        if places and chance.random() < 0.12:
            place = chance.randrange(max(len(places) - 3, 0), len(places))
            places[place]()
            del places[place:]
            chain.mine(chance.randint(0, 3))
            reorganised += 1
            if chance.random() < 0.5:
                follow()
                assert contents(database) == rebuilt()
    follow()
    grown = contents(database)
    assert grown == rebuilt()
    ask = partial(answers, kind=GAME.name, players=[each.address for each in PLAYERS])
    assert ask(database) == rebuilt(ask)
    assert reorganised > 1
    assert len(grown["games"]) > 3
    assert grown["standings"]


def test_a_reorganisation_is_read_again_from_the_last_common_block(
    chain, seats, open_game, connection, database, follow, host, guest, monkeypatch
):
    kept = open_game()
    follow()
    go_back = snapshot(chain.web3)
    undone = open_game()
    seats(host).resign(kept)
    follow()
    go_back()
    seats(guest).resign(kept)
    chain.mine(9)
    read = []
    original = Reader.events
    monkeypatch.setattr(
        Reader, "events", lambda self, *span: read.append(span) or original(self, *span)
    )
    sequence = database.cursor().sequence
    follow()
    common = read[0][0] - 1
    assert common >= connection.registry.find("Sandbox", 31337).block + 5
    found = contents(database)
    assert [row[1] for row in found["games"]] == [kept] != [undone]
    cursor = database.cursor()
    assert cursor.reset > sequence
    assert cursor.sequence > cursor.reset


def test_a_chain_that_is_shorter_than_before(chain, open_game, database, follow, rebuilt):
    go_back = snapshot(chain.web3)
    open_game()
    follow()
    go_back()
    follow()
    assert contents(database) == rebuilt()
    assert contents(database)["games"] == []


def test_contracts_elsewhere_are_another_index(connection, open_game, database, follow):
    open_game()
    follow()
    with database.writing() as session:
        session.add(UnlistedRow(kind="sandbox", game=1, creator=PLAYERS[0].address))
    sequence = database.cursor().sequence
    connection.deploy(GAME, DEPLOYER, TableTerms(DEPLOYER.address))
    follow()
    found = contents(database)
    assert found["games"] == found["events"] == found["unlisted"] == []
    assert database.cursor().reset > sequence


def test_made_anew_it_keeps_what_is_unlisted_and_counts_on(
    open_game, seats, database, follow, host
):
    seats(host).open(b"", 2)
    follow()
    unlist(database, "sandbox", 1)
    before, grown = database.cursor(), contents(database)
    database.forget()
    assert contents(database)["games"] == []
    follow()
    assert contents(database) == grown
    after = database.cursor()
    assert after.reset > before.sequence
    with database.reading() as session:
        assert changes_since(session, before.sequence).reset
        assert [game.id for game in changes_since(session, after.reset).games] == [1]


def test_a_long_chain_is_read_range_by_range(
    chain, open_game, seats, database, follow, rebuilt, host, monkeypatch
):
    monkeypatch.setattr("frontend.app.index.follower.LOG_RANGE", 3)
    ended = [open_game() for _ in range(3)]
    for game_id in ended:
        seats(host).resign(game_id)
    follow()
    monkeypatch.undo()
    assert contents(database) == rebuilt()
    assert len(contents(database)["games"]) == 3


def test_whoever_is_overtaken_writes_nothing(connection, open_game, database, monkeypatch):
    open_game()
    slow = Follower(Reader(connection, [GAME]), database)
    fast = Follower(Reader(connection, [GAME]), database)
    original = Follower._read

    def read_while_another_writes(self, *arguments, **named):
        batch = original(self, *arguments, **named)
        if self is slow:
            fast.catch_up()
        return batch

    monkeypatch.setattr(Follower, "_read", read_while_another_writes)
    with pytest.raises(Overtaken):
        slow.step()
    once = contents(database)
    assert len(once["games"]) == 1
    slow.catch_up()
    assert contents(database) == once


def test_the_cursor_is_one_row(database, follow, open_game):
    open_game()
    follow()
    with database.reading() as session:
        assert len(session.scalars(select(CursorRow)).all()) == 1
