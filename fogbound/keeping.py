"""The keeper as a process: its account, its connection, its files."""

import logging
import secrets
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from eth_account.signers.local import LocalAccount

from fhevm.client import FhevmClient
from fhevm.errors import Unavailable
from fhevm.keyfiles import write_private
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.errors import ChainUnreachable, NotDeployed
from fogbound.games import GameSpec, installed_games
from fogbound.keeper import LOCAL_PAUSE, PUBLIC_PAUSE, Keeper
from fogbound.transactions import account_from_key
from fogbound.watch import Watch

log = logging.getLogger(__name__)

RETRY_SECONDS = 0.5


@dataclass(frozen=True)
class KeeperOptions:
    """`heartbeat`: seconds between the blocks to mine while a clock runs; None: never mine.

    `fingerprint`: of the only keys that the gateway may show; None: those with the chain's signers.
    """

    data: Path
    rpc: str
    gateway: str | None
    account: LocalAccount
    registry: Registry
    heartbeat: float | None = None
    fingerprint: str | None = None


def keeper_account(data: Path) -> LocalAccount:
    """The local keeper's account; its key is made on first use."""
    return kept_account(data / "keeper" / "account.key")


def kept_account(file: Path) -> LocalAccount:
    """The account whose key is in a file; it is made on first use."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_private(file, secrets.token_hex(32).encode())
    return account_from_key(file.read_text())


def run_keeper(options: KeeperOptions, games: list[GameSpec] | None = None) -> None:
    """Keep every installed game that is deployed, until SIGINT or SIGTERM.

    Raises ChainReset, KeyChanged, HostForeign, NotDeployed where not one game is deployed.
    """
    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stop.set())
    keeper = None
    while keeper is None and not stop.is_set():
        try:
            keeper = _keeper(options, games or list(installed_games().values()))
        except (ChainUnreachable, Unavailable) as error:
            log.warning("%s; trying again", error)
            time.sleep(RETRY_SECONDS)
    if keeper:
        log.info("keeping")
        keeper.run(stop)


def _keeper(options: KeeperOptions, games: list[GameSpec]) -> Keeper:
    chain = Chain.connect(options.rpc)
    fhevm = _fhevm(options, chain) if options.gateway else None
    connection = Connection(chain, options.registry, fhevm)
    watches = [
        _watch(connection, spec, options)
        for spec in games
        if connection.is_deployed(spec) and (fhevm or not spec.encrypted)
    ]
    if not watches:
        raise NotDeployed("any game", chain.chain_id)
    pause = PUBLIC_PAUSE if options.heartbeat is None else LOCAL_PAUSE
    return Keeper(chain, watches, heartbeat=options.heartbeat, pause=pause)


def _fhevm(options: KeeperOptions, chain: Chain) -> FhevmClient:
    return FhevmClient.connect(str(options.gateway), fingerprint=options.fingerprint, w3=chain.web3)


def _watch(connection: Connection, spec: GameSpec, options: KeeperOptions) -> Watch:
    file = options.data / "keeper" / f"{spec.name}-{connection.chain.chain_id}.json"
    client = connection.client(spec, options.account)
    return Watch(spec, client, connection.history(spec), file)
