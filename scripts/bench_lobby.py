"""How fast the lobby answers: `python -m scripts.bench_lobby [FINISHED] [OPEN]`, one JSON object.

Real games on a chain of its own, read into an index on disk, asked for over HTTP by one client after another
request's answer. Milliseconds are the median and the 95th of a hundred requests. Then the lobby is opened in
Chromium, and all open games are brought into its list, page by page.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import httpx
import uvicorn
from playwright.sync_api import Page, sync_playwright

from bunkerwar.game import GAME
from fhevm.devchain import dev_accounts
from fogbound.ports import free_port
from fogbound.stack import LocalStack
from frontend.app.connector import Connector
from frontend.app.index.ratings import LEAST_STAKE
from frontend.app.main import create_app
from frontend.app.network import Network
from frontend.app.settings import WebSettings

HOST, GUEST = dev_accounts()[1:3]
REQUESTS = 100
PAGE = 50  # rows at once
FLAGS = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--no-first-run"]
LONG_TASKS = """() => {
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask' });
}"""


def play(stack: LocalStack, finished: int, opened: int) -> None:
    """Games that somebody resigned, and games that wait for somebody."""
    host, guest = (stack.client(GAME, account) for account in (HOST, GUEST))
    for _ in range(finished):
        game_id = host.open(4, 4, False, opponent=GUEST.address, stake=LEAST_STAKE)
        guest.join(game_id)
        guest.resign(game_id)
    for _ in range(opened):
        host.open(4, 4, False, stake=LEAST_STAKE)


@contextmanager
def serving(stack: LocalStack, folder: Path) -> Iterator[tuple[str, float]]:
    """The web app's address, and how many seconds it took to read the chain."""
    url = str(stack.chain.web3.provider.endpoint_uri)  # type: ignore[attr-defined]
    network = Network(url, None, stack.chain.chain_id, stack.registry)
    settings = WebSettings(data=folder, bots=False, requests_per_second=100_000)
    app = create_app(settings, connector=Connector(lambda: network), specs=[GAME])
    seconds = measured(app.state.services.indexing.catch_up)
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, "127.0.0.1", port, log_level="error"))
    thread = Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}", seconds
    finally:
        server.should_exit = True
        thread.join()


def measured(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def milliseconds(client: httpx.Client, path: str) -> list[float]:
    """Median and 95th percentile."""
    assert client.get(path).is_success
    taken = sorted(measured(lambda: client.get(path)) * 1000 for _ in range(REQUESTS))
    return [round(statistics.median(taken), 1), round(taken[int(REQUESTS * 0.95)], 1)]


def rows_after(page: Page, count: int, act: Callable[[], object]) -> float:
    """Milliseconds from `act` until so many games are listed."""
    listed = "count => document.querySelectorAll('.games li').length >= count"
    begun = time.perf_counter()
    act()
    page.wait_for_function(listed, arg=count)
    return (time.perf_counter() - begun) * 1000


def measure_page(stack: LocalStack, address: str, opened: int) -> dict[str, object]:
    """In milliseconds: the first rows, more of them, a game that is opened while all are shown."""
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        page = playwright.chromium.launch(executable_path=chromium, args=FLAGS).new_page()
        first = rows_after(page, PAGE, lambda: page.goto(address))
        page.evaluate(LONG_TASKS)
        older = page.get_by_role("button", name="Show older games", exact=True)
        more = [rows_after(page, count, older.click) for count in range(2 * PAGE, opened + 1, PAGE)]
        client = stack.client(GAME, HOST)
        new = rows_after(page, opened + 1, lambda: client.open(4, 4, False))
        return {
            "first_rows": round(first),
            "more_rows": [round(statistics.median(more)), round(max(more))],
            "new_game": round(new),
            "longest_task": round(page.evaluate("window.longest")),
        }


def main(finished: int, opened: int) -> dict[str, object]:
    with LocalStack("clear", games=[GAME]) as stack, tempfile.TemporaryDirectory() as folder:
        play(stack, finished, opened)
        with (
            serving(stack, Path(folder)) as (address, seconds),
            httpx.Client(base_url=address) as client,
        ):
            paths = {
                "lobby": "/api/games?status=open",
                "lobby of 200": "/api/games?status=open&limit=200",
                "finished": "/api/games?status=finished&kind=bunkerwar",
                "all": "/api/games",
                "of a player": f"/api/games?player={HOST.address}",
                "one game": "/api/games/bunkerwar/1",
                "player": f"/api/players/{HOST.address}",
                "leaderboard": "/api/leaderboard?kind=bunkerwar",
            }
            return {
                "games": {"finished": finished, "open": opened},
                "read_seconds": round(seconds, 1),
                "milliseconds": {name: milliseconds(client, path) for name, path in paths.items()},
                "page_milliseconds": measure_page(stack, address, opened),
            }


if __name__ == "__main__":
    numbers = [int(given) for given in sys.argv[1:]] or [1000, 1000]
    print(json.dumps(main(*numbers), indent=1))
