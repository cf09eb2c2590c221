"""A new chain for this process alone, for tests, demos and scripts: anvil as a child, asked over a pipe.

It mines on each transaction, and each block is a second after its parent, however long that took. Blocks are
kept for ever, the states of past ones for a while: anvil would write gigabytes of them to the home folder.
"""

import shutil
import socket
import subprocess
import tempfile
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from web3 import IPCProvider, Web3
from web3.types import RPCEndpoint, RPCResponse

from fhevm.chainrules import CHAIN_OPTIONS, HARDFORK
from fhevm.errors import Unavailable
from fhevm.orphans import dying_with_parent
from fhevm.toolchain import anvil

START_SECONDS = 60.0
POLL_SECONDS = 0.002
STATES = 300  # blocks back that a call may ask about
SENDING = ("eth_sendTransaction", "eth_sendRawTransaction")


def fresh_chain(hardfork: str = HARDFORK, *, port: int = 0, options: Sequence[str] = ()) -> Web3:
    """A new chain with the local chain id; it ends with `end_chain`, or when the result is forgotten.

    `port`: where others reach it over HTTP. `options`: more of anvil's. Raises ToolMissing, Unavailable.
    """
    folder = Path(tempfile.mkdtemp(prefix="fhevm-"))
    pipe = folder / "anvil.ipc"
    command = [str(anvil()), "--silent", "--port", str(port), "--ipc", str(pipe), *CHAIN_OPTIONS]
    command += ["--hardfork", hardfork, "--prune-history", str(STATES), *options]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us alone
        preexec_fn=dying_with_parent(),  # noqa: PLW1509 - calls two functions of C
    )
    provider = ChainPipe(pipe, port)
    provider.end = weakref.finalize(provider, _end, process, folder)
    _wait_until_open(pipe, process)
    w3 = Web3(provider)
    ask(w3, "anvil_setBlockTimestampInterval", 1)
    return w3


class ChainPipe(IPCProvider):
    """Answers when a transaction is mined, not when it is on its way; asks for the chain id once."""

    end: Callable[[], Any]

    def __init__(self, pipe: Path, port: int) -> None:
        chain_id = RPCEndpoint("eth_chainId")
        super().__init__(pipe, cache_allowed_requests=True, cacheable_requests={chain_id})
        self.endpoint_uri = f"http://127.0.0.1:{port}" if port else str(pipe)

    def make_request(self, method: RPCEndpoint, params: Any) -> RPCResponse:
        """The chain's answer."""
        if method not in SENDING:
            return super().make_request(method, params)
        answer = super().make_request(RPCEndpoint(f"{method}Sync"), params)
        if "result" in answer:
            answer["result"] = answer["result"]["transactionHash"]
        return answer


def end_chain(w3: Web3) -> None:
    """End a fresh chain; nothing is kept."""
    assert isinstance(w3.provider, ChainPipe), "only of `fresh_chain`"
    w3.provider.end()


def ask(w3: Web3, method: str, *parameters: Any) -> Any:
    """The result of a request that web3.py has no function for. Raises Unavailable with the chain's words."""
    answer = w3.provider.make_request(RPCEndpoint(method), parameters)
    if "error" in answer:
        raise Unavailable(str(answer["error"]))
    return answer["result"]


def mine(w3: Web3, blocks: int = 1) -> None:
    """Add empty blocks."""
    ask(w3, "anvil_mine", hex(blocks))


def travel(w3: Web3, second: int) -> None:
    """The next block is in this second. Raises Unavailable where that has gone by."""
    ask(w3, "evm_setNextBlockTimestamp", second)


def snapshot(w3: Web3) -> Callable[[], None]:
    """Remember how the chain stands; the result goes back to that, once."""
    number = ask(w3, "evm_snapshot")
    return lambda: ask(w3, "evm_revert", number)


def _wait_until_open(pipe: Path, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + START_SECONDS
    while not _is_open(pipe):
        if process.poll() is not None or time.monotonic() > until:
            raise Unavailable("anvil does not start")
        time.sleep(POLL_SECONDS)


def _is_open(pipe: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(pipe)) == 0


def _end(process: "subprocess.Popen[bytes]", folder: Path) -> None:
    process.kill()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)
