"""Live changes over a real connection: what is told, to whom, and what a listener who was away gets."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

import httpx
import pytest
import uvicorn

from fhevm.freshchain import snapshot
from fogbound.ports import free_port
from frontend.app.stream import WAITING, Hub, News, _put

SECONDS = 20.0


class Listener:
    """Reads the messages of one stream, one by one: (event, data, id)."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def next(self) -> tuple[str, dict, str | None]:
        fields: dict[str, str] = {}
        for line in self._lines:
            if line.startswith(":"):
                continue
            if not line and fields:
                return fields["event"], json.loads(fields["data"]), fields.get("id")
            name, _, value = line.partition(": ")
            if name:
                fields[name] = value
        raise AssertionError("the stream has ended")

    def batch(self) -> list[tuple[str, dict]]:
        """All up to the next `block`, which is left out; `self.id` is its id."""
        found = []
        while True:
            event, data, self.id = self.next()
            if event == "block":
                return found
            found.append((event, data))


@pytest.fixture
def address(client) -> Iterator[str]:
    """The app behind a real server (its own lifespan is off: tests call `catch_up`)."""
    port = free_port()
    config = uvicorn.Config(
        client.app,
        "127.0.0.1",
        port,
        log_level="error",
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = Thread(target=server.run)
    thread.start()
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def listen(address) -> Callable:
    @contextmanager
    def open_stream(topics: str, last: str | None = None) -> Iterator[Listener]:
        headers = {"Last-Event-ID": last} if last else {}
        url = f"{address}/api/stream?topics={topics}"
        with httpx.stream("GET", url, headers=headers, timeout=SECONDS) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/event-stream")
            yield Listener(answer.iter_lines())

    return open_stream


def test_each_hears_what_he_asked_for(listen, seats, open_game, catch_up, host, guest, outsider):
    catch_up()
    mine = f"player:{guest.address.lower()}"
    with listen("lobby") as lobby, listen(mine) as player, listen("game:sandbox:1") as game:
        assert [each.batch() for each in (lobby, player, game)] == [[], [], []]
        game_id = open_game()
        seats(outsider).open(b"", 2)
        catch_up()
        told = lobby.batch()
        assert [(name, data["id"]) for name, data in told] == [("game", game_id), ("game", 2)]
        assert [(name, data["id"]) for name, data in player.batch()] == [("game", game_id)]
        (summary, events) = game.batch()
        assert summary == told[0]
        assert events[0] == "events"
        names = [event["name"] for event in events[1]["events"]]
        assert names == ["GameOpened", "SeatTaken", "FirstSeatDrawn"]
        numbers = [event["seq"] for event in events[1]["events"]]
        assert numbers == sorted(numbers)
        assert max(numbers) < int(game.id)


def test_who_is_invited_hears_of_it_and_of_its_end(listen, seats, catch_up, host, guest):
    catch_up()
    with listen(f"player:{guest.address}") as invited:
        assert invited.batch() == []
        game_id = seats(host).open(b"", 2, opponent=guest.address)
        catch_up()
        ((_, opened),) = invited.batch()
        seats(host).cancel(game_id)
        catch_up()
        ((_, cancelled),) = invited.batch()
    told = [(each["phase"], each["invited"]) for each in (opened, cancelled)]
    assert told == [("open", guest.address), ("cancelled", guest.address)]


def test_who_was_away_goes_on_where_he_stopped(listen, seats, open_game, catch_up, host, guest):
    game_id = open_game()
    catch_up()
    with listen(f"game:sandbox:{game_id}") as listener:
        assert listener.batch() == []
        last = listener.id
    seats(host).resign(game_id)
    catch_up()
    with listen(f"game:sandbox:{game_id}", last) as listener:
        (_, summary), (_, news) = listener.batch()
        assert summary["phase"] == "ended"
        assert [event["name"] for event in news["events"]] == ["Resigned", "GameEnded"]
        later = listener.id
    with listen(f"game:sandbox:{game_id}", later) as listener:
        assert listener.batch() == []
    with listen(f"game:sandbox:{game_id}&since={last}") as listener:  # a new connection
        assert [name for name, _ in listener.batch()] == ["game", "events"]
    with listen(f"game:sandbox:{game_id}&since={last}", later) as listener:
        assert listener.batch() == []


def test_a_reorganisation_is_told_at_once_and_afterwards(listen, chain, open_game, catch_up):
    catch_up()
    go_back = snapshot(chain.web3)
    open_game()
    catch_up()
    with listen("lobby") as listener:
        listener.batch()
        last = listener.id
        go_back()
        chain.mine(8)
        catch_up()
        assert listener.batch() == [("reset", {})]
    with listen("lobby", last) as listener:
        assert listener.batch() == [("reset", {})]


def test_an_id_from_another_index_is_a_reset(listen, catch_up):
    catch_up()
    with listen("lobby", "999999") as listener:
        assert listener.batch() == [("reset", {})]


def test_more_than_can_be_told_is_a_reset(listen, seats, catch_up, host, monkeypatch):
    catch_up()
    with listen("lobby") as listener:
        listener.batch()
        last = listener.id
    for _ in range(3):
        seats(host).open(b"", 2)
    catch_up()
    monkeypatch.setattr("frontend.app.index.changes.LIMIT", 2)
    with listen("lobby", last) as listener:
        assert listener.batch() == [("reset", {})]


def test_who_does_not_listen_is_not_waited_for(services):
    async def fill() -> News:
        queue: asyncio.Queue[News] = asyncio.Queue(WAITING)
        for number in range(WAITING + 1):
            _put(queue, News(number, "{}"))
        assert queue.qsize() == 1
        return queue.get_nowait()

    assert asyncio.run(fill()) == News(WAITING, "{}", reset=True)
    assert Hub(services.database).since(None) is None


@pytest.mark.parametrize(
    "topics", ["", "chess", "lobby,", "game:sandbox", "game:sandbox:0", "player:0x1"]
)
def test_unknown_topics(client, topics):
    answer = client.get(f"/api/stream?topics={topics}")
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "malformed"


def test_a_malformed_id_and_too_many_topics(client):
    assert client.get("/api/stream?topics=lobby", headers={"Last-Event-ID": "x"}).status_code == 422
    many = ",".join(f"game:sandbox:{number}" for number in range(1, 60))
    assert client.get(f"/api/stream?topics={many}").status_code == 422
