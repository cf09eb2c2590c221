"""A chain in this process with the test game on it, the index that follows it, and an app over that."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from eth_account.signers.local import LocalAccount
from fastapi.testclient import TestClient

from fhevm import freshchain
from fhevm.devchain import dev_accounts
from fhevm.freshchain import fresh_chain
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.games import TableTerms
from fogbound.table import Clocks, TimeControl
from frontend.app.main import create_app
from frontend.app.services import Services
from frontend.app.settings import WebSettings
from tests.fogbound.sandbox import GAME, SandboxClient
from tests.frontend.fixed import FixedConnector

DEPLOYER, HOST, GUEST, OUTSIDER = dev_accounts()[:4]
STAKE = 10**18
Seats = Callable[[LocalAccount], SandboxClient]


@pytest.fixture(autouse=True)
def untrimmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look for garbage in all that a test run has loaded takes a fifth of a second at each start."""
    monkeypatch.setattr("frontend.app.index.indexing.trim_memory", lambda: None)


@pytest.fixture
def host() -> LocalAccount:
    return HOST


@pytest.fixture
def guest() -> LocalAccount:
    return GUEST


@pytest.fixture
def outsider() -> LocalAccount:
    return OUTSIDER


@pytest.fixture
def connection() -> Connection:
    """The test game with short clocks: 60 s or 300 s for a move, 600 s + 100 s to a void."""
    made = Connection(Chain(fresh_chain()), Registry())
    controls = (TimeControl(60), TimeControl(300))
    made.deploy(GAME, DEPLOYER, TableTerms(DEPLOYER.address, Clocks(600, 100, 200), controls))
    return made


@pytest.fixture
def chain(connection: Connection) -> Chain:
    return connection.chain


@pytest.fixture
def seats(connection: Connection) -> Seats:
    """A client of the test game for an account."""
    return lambda account: connection.client(GAME, account)


@pytest.fixture
def open_game(seats: Seats) -> Callable[..., int]:
    """Open a game for two, fill it and let it begin; its id."""

    def open_and_join(
        first: LocalAccount = HOST, second: LocalAccount = GUEST, stake: int = STAKE
    ) -> int:
        game_id = seats(first).open(b"", 2, stake=stake)
        seats(second).join(game_id)
        seats(first).chain.mine(3)
        seats(first).settle_draw(game_id)
        return game_id

    return open_and_join


@pytest.fixture
def travel(chain: Chain) -> Callable[[int], None]:
    """Let time pass: the next transaction is in second `to` + 1 or later."""

    return lambda to: freshchain.travel(chain.web3, to + 1)


@pytest.fixture
def settings(tmp_path: Path) -> WebSettings:
    return WebSettings(data=tmp_path, bots=False, names=("testserver",))


@pytest.fixture
def client(connection: Connection, settings: WebSettings) -> Iterator[TestClient]:
    """The app's client. No thread follows the chain (it is in this process): tests call `catch_up`."""
    app = create_app(settings, connector=FixedConnector(connection), specs=[GAME])
    yield TestClient(app, base_url="http://127.0.0.1:8080", raise_server_exceptions=True)
    app.state.services.database.close()


@pytest.fixture
def services(client: TestClient) -> Services:
    found: Services = client.app.state.services  # type: ignore[attr-defined]
    return found


@pytest.fixture
def catch_up(services: Services) -> Callable[[], None]:
    """Bring the index to the chain's head."""
    return services.indexing.catch_up
