"""The keeper as a process: its account, its connection, its files."""

import logging
import secrets
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from eth_account.signers.local import LocalAccount

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.client import FhevmClient
from fhevm.errors import Unavailable
from fhevm.heads import LOCAL_PAUSE, PUBLIC_PAUSE, Heads, heads_token_file
from fhevm.keyfiles import write_private
from fhevm.memory import trim_memory
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.errors import ChainUnreachable, NotDeployed
from fogbound.games import GameSpec, installed_games
from fogbound.keeper import GAS_AN_HOUR, Keeper
from fogbound.transactions import account_from_key
from fogbound.watch import Watch

log = logging.getLogger(__name__)

RETRY_SECONDS = 0.5
MINE_AFTER = 5.0  # seconds without a block, on a chain that is not this stack's own


@dataclass(frozen=True)
class KeeperOptions:
    """`mine_after`: seconds without a block after which one is mined for a draw, where the node does.

    `socket`: where the node tells of blocks; None: at `rpc`, if it does there. `gas_an_hour`: to spend at
    most. `fingerprint`: of the only keys that the gateway may show; None: those with the chain's signers.
    """

    data: Path
    rpc: str
    gateway: str | None
    account: LocalAccount
    registry: Registry
    mine_after: float = MINE_AFTER
    socket: str | None = None
    gas_an_hour: int = GAS_AN_HOUR
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
        trim_memory()
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
    pause = LOCAL_PAUSE if chain.chain_id == LOCAL_CHAIN_ID else PUBLIC_PAUSE
    token = heads_token_file(options.data)
    return Keeper(
        chain,
        watches,
        mine_after=options.mine_after,
        heads=Heads(options.socket or options.rpc, pause=pause, token=token),
        gas_an_hour=options.gas_an_hour,
    )


def _fhevm(options: KeeperOptions, chain: Chain) -> FhevmClient:
    return FhevmClient.connect(str(options.gateway), fingerprint=options.fingerprint, w3=chain.web3)


def _watch(connection: Connection, spec: GameSpec, options: KeeperOptions) -> Watch:
    file = options.data / "keeper" / f"{spec.name}-{connection.chain.chain_id}.json"
    client = connection.client(spec, options.account)
    return Watch(spec, client, connection.history(spec), file)
