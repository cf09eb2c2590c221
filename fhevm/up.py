"""`fhevm up`: keys, host contracts, the KMS as a child process, coprocessor and gateway in this one."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from eth_account import Account
from web3 import Web3

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.backends import get_backend
from fhevm.errors import Unavailable
from fhevm.host import HostSigners, deploy_host
from fhevm.keyfiles import ensure_keys, load_host
from fhevm.kms_http import RemoteKms
from fhevm.processes import LOOPBACK, serve_coprocessor, token_file
from fhevm.tokens import make_token

READY_SECONDS = 60.0
STOP_SECONDS = 3.0
_POLL_SECONDS = 0.05


@dataclass(frozen=True)
class UpOptions:
    """`port` is the gateway's; the KMS takes the next one."""

    data: Path
    rpc: str
    backend: str
    port: int


def run(options: UpOptions, say: Callable[[str], None]) -> None:
    """Start all and serve until a signal.

    Raises KeysDamaged, UnknownBackend, HostError, Unavailable, ChainWasReset.
    """
    say(f"checking the {options.backend} keys in {options.data}")
    public = ensure_keys(options.data, get_backend(options.backend))
    w3 = Web3(Web3.HTTPProvider(options.rpc))
    if not w3.is_connected():
        raise Unavailable(f"no chain answers at {options.rpc}")
    if w3.eth.chain_id == LOCAL_CHAIN_ID:
        say("checking the host contracts")
        owner = Account.from_key(load_host(options.data).owner)
        deploy_host(w3, owner, HostSigners(public.kms_signer, public.attestation_signer))
    say("starting the KMS")
    with _kms_process(options) as kms_url:
        say(f"gateway http://{LOOPBACK}:{options.port} (fingerprint {public.fingerprint})")
        serve_coprocessor(options.data, options.rpc, options.port, kms_url)


@contextmanager
def _kms_process(options: UpOptions) -> Iterator[str]:
    port = options.port + 1
    command = [sys.executable, "-m", "fhevm.cli", "kms", "--data", str(options.data)]
    command += ["--rpc", options.rpc, "--port", str(port)]
    url = f"http://{LOOPBACK}:{port}"
    kms = RemoteKms(url, make_token(token_file(options.data)))
    process = subprocess.Popen(command)
    try:
        _wait_until_ready(kms, process)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_ready(kms: RemoteKms, process: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + READY_SECONDS
    while not kms.is_ready():
        if process.poll() is not None or time.monotonic() > give_up:
            raise Unavailable("the KMS did not start")
        time.sleep(_POLL_SECONDS)
