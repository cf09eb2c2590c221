"""What runs where, as one JSON object."""

from pathlib import Path
from typing import Any

from fogbound.accounts import DEPLOYER
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.errors import ChainError, StackNotRunning
from fogbound.games import installed_games
from fogbound.locks import is_running
from fogbound.stackinfo import StackInfo


def status_of(data: Path) -> dict[str, Any]:
    """`running`, and if so `pid`, `rpc`, `gateway`, `backend`, `block`, `processes`, `games`.

    `games` has for each its contract's `address` and how many `games` were opened.
    """
    try:
        info = StackInfo.read(data) if is_running(data) else None
    except StackNotRunning:  # it is still starting
        info = None
    if info is None:
        return {"running": False, "data": str(data)}
    return {
        "running": True,
        "data": str(data),
        "pid": info.pid,
        "rpc": info.rpc,
        "gateway": info.gateway,
        "backend": info.backend,
        "processes": info.processes,
        **_on_chain(info, data),
    }


def _on_chain(info: StackInfo, data: Path) -> dict[str, Any]:
    try:
        chain = Chain.connect(info.rpc, expected=info.chain_id)
        connection = Connection(chain, Registry(data / "deployments.json"))
        return {"block": chain.block_number, "games": _games(connection)}
    except ChainError as error:
        return {"block": None, "games": {}, "error": str(error)}


def _games(connection: Connection) -> dict[str, Any]:
    clients = {
        spec.name: connection.client(spec, DEPLOYER)
        for spec in installed_games().values()
        if connection.is_deployed(spec)
    }
    return {
        name: {"address": client.contract.address, "games": client.game_count()}
        for name, client in clients.items()
    }
