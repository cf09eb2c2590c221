"""`fogbound up`: the whole stack on this machine, each part a process of its own.

| process      | holds                        | keeps its state in     |
|--------------|------------------------------|------------------------|
| chain        | the chain, in front of anvil | DIR/chain              |
| kms          | the secret FHE key           | DIR/kms                |
| coprocessor  | the evaluation key, gateway  | DIR/coprocessor        |
| keeper       | an account with gas money    | DIR/keeper             |

This process supervises them, and deploys what the chain has not. Whoever calls it may give it more
services to start once these work, such as the web app.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
from eth_account import Account

from fhevm.backends import get_backend
from fhevm.errors import KeysDamaged
from fhevm.host import HostSigners, deploy_host
from fhevm.keyfiles import ensure_keys, load_host
from fhevm.keys import PublicKeys
from fogbound.chain import Chain
from fogbound.clocks import CLOCKS
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.errors import ProcessFailed
from fogbound.games import TableTerms, installed_games
from fogbound.keeping import keeper_account
from fogbound.locks import exclusive
from fogbound.process import is_listening
from fogbound.progress import Progress
from fogbound.stack import DEPLOYER, StackInfo
from fogbound.supervisor import Service, Supervisor

KEEPER_WEI = 10**18
DEFAULT_BACKEND = "concrete"


@dataclass(frozen=True)
class Options:
    """`port` is the chain's; the gateway and the KMS take the next two. `rpc`: a chain that runs already.

    `backend`: by default the one that the folder's keys are for. `heartbeat`: seconds a block while a
    clock runs. `clocks`: of games that are not deployed there yet, as of TableTerms.
    """

    data: Path
    port: int = 8545
    backend: str | None = None
    rpc: str | None = None
    heartbeat: float = 1.0
    clocks: tuple[int, int, int] = CLOCKS

    @property
    def chain_url(self) -> str:
        """Where the chain is."""
        return self.rpc or f"http://127.0.0.1:{self.port}"

    @property
    def gateway_url(self) -> str:
        """Where the gateway is."""
        return f"http://127.0.0.1:{self.port + 1}"

    @property
    def kms_url(self) -> str:
        """Where the KMS is."""
        return f"http://127.0.0.1:{self.port + 2}"


def run_stack(
    options: Options,
    progress: Progress,
    ready: Callable[[StackInfo], None],
    more: Sequence[Service] = (),
) -> None:
    """Start everything, call `ready`, and watch over it until SIGINT or SIGTERM.

    `more` is started last, when `Stack.connect` works. Raises StackRunning, ProcessFailed, ChainReset,
    KeysDamaged, HostError.
    """
    supervisor = Supervisor()

    def announce() -> StackInfo:
        current = replace(info, processes=supervisor.pids)
        current.write(options.data)
        return current

    with exclusive(options.data), _stopping_by_signal():
        (options.data / "stack.json").unlink(missing_ok=True)  # left by one that was killed
        try:
            info = _start(supervisor, options, progress)
            announce()
            for service in more:
                progress(f"starting {service.name}")
                supervisor.add(service)
            ready(announce())
            supervisor.watch(announce)
        except KeyboardInterrupt:
            progress("stopping")
        finally:
            _ignore_signals()
            (options.data / "stack.json").unlink(missing_ok=True)
            supervisor.stop()


def _start(supervisor: Supervisor, options: Options, progress: Progress) -> StackInfo:
    backend = options.backend or _backend_of(options.data)
    _check_ports(options)
    if options.rpc is None:
        progress("starting the chain")
        supervisor.add(_chain_service(options))
    connection = Connection(
        Chain.connect(options.chain_url), Registry(options.data / "deployments.json")
    )
    progress(f"checking the {backend} keys and the host contracts")
    public = _ensure_host(connection.chain, options.data, backend)
    progress("deploying the games")
    terms = TableTerms(DEPLOYER.address, *options.clocks)
    connection.deploy_missing(installed_games().values(), DEPLOYER, terms)
    connection.fund(keeper_account(options.data).address, KEEPER_WEI)
    progress("starting KMS, coprocessor and keeper")
    supervisor.add(*_services(options, public.fingerprint))
    return _info(options, public)


def _info(options: Options, public: PublicKeys) -> StackInfo:
    return StackInfo(
        pid=os.getpid(),
        rpc=options.chain_url,
        gateway=options.gateway_url,
        chain_id=Chain.connect(options.chain_url).chain_id,
        backend=public.backend,
        fingerprint=public.fingerprint,
        processes={},
    )


def _check_ports(options: Options) -> None:
    """Somebody else's answer must not be taken for our process's."""
    for port in range(options.port + (options.rpc is not None), options.port + 3):
        if is_listening(port):
            raise ProcessFailed(f"port {port} is in use (choose others with --port)")


def _backend_of(data: Path) -> str:
    try:
        return load_host(data).public.backend
    except KeysDamaged:  # none yet; if they are damaged, ensure_keys says so
        return DEFAULT_BACKEND


def _ensure_host(chain: Chain, data: Path, backend: str) -> PublicKeys:
    """Host contracts that accept the signatures of this folder's keys."""
    public = ensure_keys(data, get_backend(backend))
    signers = HostSigners(public.kms_signer, public.attestation_signer)
    deploy_host(chain.web3, Account.from_key(load_host(data).owner), signers)
    return public


def _chain_service(options: Options) -> Service:
    command = [sys.executable, "-m", "fogbound.chainserver", str(options.data), str(options.port)]
    log = options.data / "logs" / "chain.log"
    return Service("chain", command, log, lambda: is_listening(options.port))


def _services(options: Options, fingerprint: str) -> list[Service]:
    chain, gateway, kms_port = options.chain_url, options.gateway_url, options.port + 2
    return [
        _service(
            options, "kms", "fhevm.cli", lambda: is_listening(kms_port), rpc=chain, port=kms_port
        ),
        _service(
            options,
            "coprocessor",
            "fhevm.cli",
            lambda: _answers(f"{gateway}/v2/clock"),
            rpc=chain,
            port=options.port + 1,
            kms=options.kms_url,
        ),
        _service(
            options,
            "keeper",
            "fogbound.cli",
            lambda: True,
            rpc=chain,
            gateway=gateway,
            heartbeat=options.heartbeat,
            fingerprint=fingerprint,
        ),
    ]


def _service(
    options: Options, name: str, module: str, ready: Callable[[], bool], **given: object
) -> Service:
    """A process that is a subcommand of one of our commands."""
    command = [sys.executable, "-m", module, name, "--data", str(options.data)]
    for option, value in given.items():
        command += [f"--{option}", str(value)]
    return Service(name, command, options.data / "logs" / f"{name}.log", ready)


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5.0).is_success
    except httpx.HTTPError:
        return False


@contextmanager
def _stopping_by_signal() -> Iterator[None]:
    """SIGTERM ends what runs just as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = {each: signal.signal(each, interrupt) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _ignore_signals() -> None:
    """While stopping: a second Ctrl-C must not leave an orphan."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
