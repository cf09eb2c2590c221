"""The two processes of a local fhEVM: the KMS, and the coprocessor with the gateway.

Each reads its own key folder below the data folder. The token that lets the gateway ask the KMS lies in the
coprocessor's folder, so that the coprocessor never reads the KMS's. Each imports what is its own when it
starts, and gives back the memory that it needed for that only.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import uvicorn
from web3 import Web3

from fhevm.acl import Acl
from fhevm.addresses import HostAddresses
from fhevm.backends import get_backend
from fhevm.eip712 import Domains
from fhevm.errors import Unavailable
from fhevm.heads import LOCAL_PAUSE, Heads, heads_token_file
from fhevm.host import gateway_domain, host_addresses
from fhevm.keyfiles import load_coprocessor, load_kms
from fhevm.listening import bounded_config
from fhevm.memory import trim_memory
from fhevm.rpc import connect_rpc
from fhevm.tokens import make_token

LOOPBACK = "127.0.0.1"
REST_SECONDS = 75  # a connection may rest: longer than those wait that ask now and then
_JOIN_SECONDS = 3.0
_CLOSE_SECONDS = 1  # for answers that are under way when the service ends


@dataclass(frozen=True)
class HostChain:
    """A chain with host contracts, as both processes read it."""

    w3: Web3
    host: HostAddresses
    domains: Domains

    @classmethod
    def at(cls, rpc: str) -> "HostChain":
        """The chain at an RPC address. Raises Unavailable, WrongChain, HostMissing."""
        w3 = connect_rpc(rpc)
        if not w3.is_connected():
            raise Unavailable(f"no chain answers at {rpc}")
        host = host_addresses(w3)
        return cls(w3, host, Domains(w3.eth.chain_id, host.acl, gateway_domain(w3, host)))

    @property
    def acl(self) -> Acl:
        """Who may decrypt what."""
        return Acl(self.w3, self.host.acl)


def token_file(data: Path) -> Path:
    """Where the gateway's token for the KMS lies."""
    return data / "coprocessor" / "kms.token"


def proxy_token_file(data: Path) -> Path:
    """Where the token lies with which a proxy tells the gateway for whom it asks."""
    return data / "coprocessor" / "proxy.token"


def serve_kms(data: Path, rpc: str, port: int) -> None:
    """Run the KMS on 127.0.0.1 until a signal. Raises KeysDamaged, HostError, Unavailable."""
    from fhevm.kms import Kms
    from fhevm.kms_http import kms_app

    keys = load_kms(data)
    chain = HostChain.at(rpc)
    kms = Kms(keys, get_backend(keys.public.backend), chain.acl, chain.domains)
    trim_memory()
    serve(kms_app(kms, make_token(token_file(data))), port)


def serve_coprocessor(
    data: Path, rpc: str, port: int, kms_url: str, socket: str | None = None
) -> None:
    """Run coprocessor and gateway on 127.0.0.1 until a signal.

    `socket`: the WebSocket address where the node tells of heads; None: at `rpc`, if it does there.

    Raises KeysDamaged, HostError, Unavailable, ChainWasReset.
    """
    from fhevm.coprocessor import Coprocessor
    from fhevm.gateway import Gateway
    from fhevm.gateway_http import gateway_app
    from fhevm.kms_http import RemoteKms
    from fhevm.store import Store

    keys = load_coprocessor(data)
    chain = HostChain.at(rpc)
    evaluator = get_backend(keys.public.backend).evaluator(keys.evaluation)
    keys = replace(keys, evaluation=b"")  # the evaluator has it in a form of its own
    trim_memory()
    store = Store.in_folder(data / "coprocessor")
    coprocessor = Coprocessor(chain.w3, store, evaluator, chain.host)
    kms = RemoteKms(kms_url, make_token(token_file(data)))
    heads = Heads(socket or rpc, pause=LOCAL_PAUSE, token=heads_token_file(data))
    gateway = Gateway(keys, kms, coprocessor, chain.acl, chain.domains)
    try:
        app = gateway_app(gateway, make_token(proxy_token_file(data)))
        serve(app, port, beside=lambda stop: coprocessor.run(stop, heads))
    finally:
        store.close()


def serve(app: Any, port: int, beside: Callable[[Event], None] | None = None) -> None:
    """Serve on 127.0.0.1 until a signal or until `beside`, which runs in a thread, fails.

    Raises Unavailable where the port is taken, and what `beside` raised.
    """
    config = bounded_config(
        app,
        LOOPBACK,
        port,
        timeout_keep_alive=REST_SECONDS,
        timeout_graceful_shutdown=_CLOSE_SECONDS,
    )
    server = uvicorn.Server(config)
    with _beside(beside, server), _stopped_by_signals():
        try:
            server.run()
        except SystemExit:  # how uvicorn says that it could not start
            raise Unavailable(f"port {port} is in use (choose another with --port)") from None


@contextmanager
def _beside(work: Callable[[Event], None] | None, server: uvicorn.Server) -> Iterator[None]:
    if work is None:
        yield
        return
    stop, failures = Event(), list[BaseException]()

    def run() -> None:
        try:
            work(stop)
        except BaseException as error:  # noqa: BLE001 - raised again in the main thread
            failures.append(error)
            server.should_exit = True

    thread = Thread(target=run, name="coprocessor", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(_JOIN_SECONDS)
    if failures:
        raise failures[0]


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """SIGINT and SIGTERM end the service, not the process with a trace."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = {each: signal.signal(each, interrupt) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
