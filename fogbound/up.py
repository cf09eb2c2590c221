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
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from fhevm.memory import trim_memory
from fogbound.clocks import CLOCKS, TIME_CONTROLS, Clocks, TimeControl
from fogbound.errors import ProcessFailed
from fogbound.leftovers import wait_for_leftovers
from fogbound.locks import exclusive
from fogbound.preparation import Wanted, have_prepared
from fogbound.process import is_answered, is_listening
from fogbound.progress import Progress
from fogbound.stackinfo import StackInfo
from fogbound.supervisor import Service, Supervisor


@dataclass(frozen=True)
class Options:
    """`port` is the chain's; the gateway and the KMS take the next two. `rpc`: a chain that runs already.

    `backend`: by default the one that the folder's keys are for. `clocks`, `controls`: of games that are
    not deployed there yet, as of TableTerms.
    """

    data: Path
    port: int = 8545
    backend: str | None = None
    rpc: str | None = None
    clocks: Clocks = CLOCKS
    controls: tuple[TimeControl, ...] = TIME_CONTROLS

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

    `more` is started last, when `Stack.connect` works. Raises StackRunning, ProcessFailed.
    """
    supervisor = Supervisor()

    def announce() -> StackInfo:
        current = replace(info, processes=supervisor.pids)
        current.write(options.data)
        return current

    with exclusive(options.data), _stopping_by_signal():
        wait_for_leftovers(options.data, progress)
        (options.data / "stack.json").unlink(missing_ok=True)
        try:
            info = _start(supervisor, options, progress)
            announce()
            for service in more:
                progress(f"starting {service.name}")
                supervisor.add(service)
            ready(announce())
            trim_memory()
            supervisor.watch(announce)
        except KeyboardInterrupt:
            progress("stopping")
        finally:
            _ignore_signals()
            (options.data / "stack.json").unlink(missing_ok=True)
            supervisor.stop()


def _start(supervisor: Supervisor, options: Options, progress: Progress) -> StackInfo:
    _check_ports(options)
    if options.rpc is None:
        progress("starting the chain")
        supervisor.add(_chain_service(options))
    data, rpc = str(options.data), options.chain_url
    wanted = Wanted(data, rpc, options.backend, options.clocks, options.controls)
    prepared = have_prepared(wanted, progress)
    progress("starting KMS, coprocessor and keeper")
    supervisor.add(*_services(options, prepared.fingerprint))
    return StackInfo(
        pid=os.getpid(),
        rpc=rpc,
        gateway=options.gateway_url,
        processes={},
        **asdict(prepared),
    )


def _check_ports(options: Options) -> None:
    """Somebody else's answer must not be taken for our process's."""
    for port in range(options.port + (options.rpc is not None), options.port + 3):
        if is_listening(port):
            raise ProcessFailed(f"port {port} is in use (choose others with --port)")


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
            lambda: is_answered(f"{gateway}/v2/clock"),
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
            **{"mine-after": 0},
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
