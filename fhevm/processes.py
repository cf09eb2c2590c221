"""The two processes of a local fhEVM: the KMS, and the coprocessor with the gateway.

Each reads its own key folder below the data folder. The token that lets the gateway ask the KMS lies in the
coprocessor's folder, so that the coprocessor never reads the KMS's.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

import uvicorn
from web3 import Web3

from fhevm.acl import Acl
from fhevm.addresses import HostAddresses
from fhevm.backends import get_backend
from fhevm.coprocessor import Coprocessor
from fhevm.eip712 import Domains
from fhevm.errors import Unavailable
from fhevm.gateway import Gateway
from fhevm.gateway_http import gateway_app
from fhevm.host import gateway_domain, host_addresses
from fhevm.keyfiles import load_coprocessor, load_kms
from fhevm.kms import Kms
from fhevm.kms_http import RemoteKms, kms_app, make_token
from fhevm.store import Store

LOOPBACK = "127.0.0.1"
_JOIN_SECONDS = 30.0


@dataclass(frozen=True)
class HostChain:
    """A chain with host contracts, as both processes read it."""

    w3: Web3
    host: HostAddresses
    domains: Domains

    @classmethod
    def at(cls, rpc: str) -> "HostChain":
        """The chain at an RPC address. Raises Unavailable, WrongChain, HostMissing."""
        w3 = Web3(Web3.HTTPProvider(rpc))
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


def serve_kms(data: Path, rpc: str, port: int) -> None:
    """Run the KMS on 127.0.0.1 until a signal. Raises KeysDamaged, HostError, Unavailable."""
    keys = load_kms(data)
    chain = HostChain.at(rpc)
    kms = Kms(keys, get_backend(keys.public.backend), chain.acl, chain.domains)
    serve(kms_app(kms, make_token(token_file(data))), port)


def serve_coprocessor(data: Path, rpc: str, port: int, kms_url: str) -> None:
    """Run coprocessor and gateway on 127.0.0.1 until a signal.

    Raises KeysDamaged, HostError, Unavailable, ChainWasReset.
    """
    keys = load_coprocessor(data)
    chain = HostChain.at(rpc)
    evaluator = get_backend(keys.public.backend).evaluator(keys.evaluation)
    store = Store.in_folder(data / "coprocessor")
    coprocessor = Coprocessor(chain.w3, store, evaluator, chain.host)
    kms = RemoteKms(kms_url, make_token(token_file(data)))
    gateway = Gateway(keys, kms, coprocessor, chain.acl, chain.domains)
    try:
        serve(gateway_app(gateway), port, beside=coprocessor.run)
    finally:
        store.close()


def serve(app: Any, port: int, beside: Callable[[Event], None] | None = None) -> None:
    """Serve on 127.0.0.1 until a signal or until `beside`, which runs in a thread, fails.

    Raises Unavailable where the port is taken, and what `beside` raised.
    """
    config = uvicorn.Config(app, LOOPBACK, port, log_level="warning", access_log=False)
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
