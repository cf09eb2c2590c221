"""The local chain's process on its own, for tests."""

import contextlib
import os
import signal
import socket
import sys
import time

import requests

from fhevm.devchain import dev_accounts
from fogbound.ports import free_port
from fogbound.process import Process, is_listening


class ServedChain:
    """The chain's process on its own, and the anvil behind it."""

    def __init__(self, data, descriptors=20_000):
        self.data, self.port, self.process = data, free_port(), None
        self.descriptors = descriptors

    def start(self):
        limited = ["bash", "-c", f'ulimit -n {self.descriptors}; exec "$@"', "-"]
        module = [sys.executable, "-m", "fogbound.chainserver"]
        command = [*limited, *module, str(self.data), str(self.port)]
        self.process = Process("chain", command, self.data / "chain.log")
        self.process.wait_until(lambda: is_listening(self.port), 30)

    @property
    def said(self):
        """What the process has said."""
        return (self.data / "chain.log").read_text()

    def connect(self):
        """A connection that says nothing yet."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def kill_anvil(self):
        """Kill the one that runs, if one does."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(int((self.data / "chain" / "anvil.pid").read_text()), signal.SIGKILL)

    def kill_process(self):
        os.kill(self.process.pid, signal.SIGKILL)
        while self.process.is_alive():
            time.sleep(0.01)
        self.start()

    def call(self, method, *parameters):
        """One JSON-RPC call's whole answer."""
        body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": list(parameters)}
        return requests.post(self.url, json=body, timeout=30).json()

    def nonce(self, account):
        """The account's next."""
        return int(self.call("eth_getTransactionCount", account.address, "latest")["result"], 16)

    def newest(self):
        """The newest block."""
        return self.call("eth_getBlockByNumber", "latest", False)["result"]

    @property
    def socket_url(self):
        return f"ws://127.0.0.1:{self.port}"

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"


def raw_transfer(nonce, value=1, *, sender=None, **changes):
    """A signed transfer to the third development account, in hexadecimal."""
    sender = sender or dev_accounts()[1]
    wanted = {
        "to": dev_accounts()[2].address,
        "value": value,
        "gas": 21_000,
        "gasPrice": 10**10,
        "nonce": nonce,
        "chainId": 31337,
        **changes,
    }
    given = {key: value for key, value in wanted.items() if value is not None}
    return "0x" + sender.sign_transaction(given).raw_transaction.hex()


def raw_memory_eater(gas, nonce=0, **changes):
    """A contract's creation that passes 90,000 bytes in each of as many calls as its gas is enough for."""
    once, size = "6000" + "62015f8f" + "53", "62015f90"  # write to the last byte of the memory
    call = "5b" + "60006000" + size + "60006000" + "61dead" + "5af150"
    again = "620075305a11" + f"60{len(once) // 2:02x}" + "57" + "00"  # while gas is left
    return raw_transfer(nonce, 0, to=None, gas=gas, data="0x" + once + call + again, **changes)
