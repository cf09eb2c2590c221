"""How long an honest player waits while others flood the fhEVM, on real ciphertexts: prints figures.

`PYTHONPATH=. python scripts/bench_floods.py [SECONDS ACCOUNTS]`: a chain and `fhevm up` of its own; a client
that asks for 64 public handles at a time, and accounts that publish products of euint128.
"""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from eth_account import Account
from eth_account.signers.local import LocalAccount
from web3 import Web3

from fhevm.addresses import LOCAL
from fhevm.client import FhevmClient
from fhevm.clients import CLIENT_HEADER, TOKEN_HEADER
from fhevm.compiler import compile_sources
from fhevm.devchain import dev_accounts
from fhevm.errors import Unavailable
from fhevm.processes import proxy_token_file
from fhevm.tokens import read_token
from fhevm.toolchain import anvil
from fhevm.transports import Http
from fogbound.ports import free_port

SOURCE = """// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
interface IExecutor {
    function trivialEncrypt(uint256, uint8) external returns (bytes32);
    function fheRand(uint8) external returns (bytes32);
    function fheMul(bytes32, bytes32, bytes1) external returns (bytes32);
}
interface IAcl { function allowForDecryption(bytes32[] memory) external; }
contract Flood {
    bytes32[] public made;
    function publish(IExecutor e, IAcl a, uint256 n) external {
        for (uint256 i; i < n; i++) made.push(e.trivialEncrypt(i, 0));
        a.allowForDecryption(made);
    }
    function multiply(IExecutor e, IAcl a, uint8 kind, uint256 n) external {
        for (uint256 i; i < n; i++) {
            bytes32[] memory l = new bytes32[](1);
            l[0] = e.fheMul(e.fheRand(kind), e.fheRand(kind), 0x00);
            a.allowForDecryption(l);
            if (i == 0) made.push(l[0]);
        }
    }
}
"""
SETTINGS = {"evmVersion": "cancun", "viaIR": True, "optimizer": {"enabled": True, "runs": 200}}
HOST, RICH = dev_accounts()[1:3]
EUINT8, EUINT128 = 2, 6


class Flood:
    """One contract of the above."""

    def __init__(self, w3: Web3, source: str = SOURCE, name: str = "Flood") -> None:
        artifact = compile_sources({"F.sol": source}, version="0.8.37", settings=SETTINGS)[name]
        factory = w3.eth.contract(abi=artifact.abi, bytecode=artifact.bytecode)
        data = factory.constructor().data_in_transaction
        self.w3, self.published = w3, 0
        receipt = send(w3, RICH, {"data": data})
        self.contract = w3.eth.contract(receipt["contractAddress"], abi=artifact.abi)

    def call(self, account: LocalAccount, name: str, *arguments: int) -> None:
        data = self.contract.encode_abi(name, [LOCAL.executor, LOCAL.acl, *arguments])
        send(self.w3, account, {"to": self.contract.address, "data": data})

    def handle(self, place: int) -> bytes:
        return bytes(self.contract.functions.made(place).call())


class Box(Flood):
    """A contract that takes inputs."""

    def __init__(self, w3: Web3) -> None:
        source = Path(__file__).parents[1] / "contracts" / "testing" / "EncryptedBox.sol"
        super().__init__(w3, source.read_text(), "EncryptedBox")

    def add(self, fhevm: FhevmClient) -> None:
        made = fhevm.encrypt(self.contract.address, HOST.address).add_uint8(7).add_bool(True)
        encrypted = made.encrypt()
        data = self.contract.encode_abi("add", [*encrypted.handles, encrypted.proof])
        send(self.w3, HOST, {"to": self.contract.address, "data": data})


@contextmanager
def running(command: list[str]) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(command)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)


def wait_for(ready: Callable[[], bool], process: "subprocess.Popen[bytes]") -> None:
    while not ready():
        assert process.poll() is None
        time.sleep(0.2)


def send(w3: Web3, account: LocalAccount, wanted: dict) -> dict:
    nonce = w3.eth.get_transaction_count(account.address)
    common = {"nonce": nonce, "gas": 12_000_000, "gasPrice": 10**10, "chainId": 31337, "value": 0}
    signed = account.sign_transaction(common | wanted)
    sent = w3.eth.send_raw_transaction(signed.raw_transaction)
    receipt = w3.eth.wait_for_transaction_receipt(sent, poll_latency=0.02)
    assert receipt["status"] == 1
    return receipt


@contextmanager
def stack() -> Iterator[tuple[Web3, str, str]]:
    """A chain, the gateway's address and its token for proxies."""
    chain_port, port = free_port(), free_port(2)
    rpc, url = f"http://127.0.0.1:{chain_port}", f"http://127.0.0.1:{port}"
    w3 = Web3(Web3.HTTPProvider(rpc))
    with tempfile.TemporaryDirectory() as folder:
        options = ["--rpc", rpc, "--data", folder, "--port", str(port)]
        with running([str(anvil()), "--port", str(chain_port), "--silent"]) as chain:
            wait_for(w3.is_connected, chain)
            with running([sys.executable, "-m", "fhevm.cli", "up", *options]) as up:
                wait_for(lambda: is_up(url), up)
                yield w3, url, read_token(proxy_token_file(Path(folder)))
                began = time.perf_counter()
            print(f"stopped with jobs under way in {time.perf_counter() - began:.1f} s")


def is_up(url: str) -> bool:
    try:
        FhevmClient.connect(url)
    except Unavailable:
        return False
    return True


def client_as(url: str, token: str, name: str) -> FhevmClient:
    headers = {CLIENT_HEADER: name, TOKEN_HEADER: token}
    return FhevmClient(Http(url, client=httpx.Client(base_url=url, headers=headers, timeout=60)))


@contextmanager
def asking(url: str, token: str, handles: list[bytes]) -> Iterator[None]:
    """One client that asks for as much as it can."""
    stop = threading.Event()
    named = {"ciphertextHandles": ["0x" + handle.hex() for handle in handles]}
    headers = {CLIENT_HEADER: "198.51.100.7", TOKEN_HEADER: token}

    def ask() -> None:
        with httpx.Client(base_url=url, headers=headers, timeout=60) as http:
            while not stop.wait(0.02):
                http.post("/v2/public-decrypt", json=named)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def measure(label: str, w3: Web3, fhevm: FhevmClient, box: Box, honest: Flood) -> None:
    """An input attested, sent and mined; then a product of euint8, published and decrypted."""
    began = time.perf_counter()
    box.add(fhevm)
    built = time.perf_counter() - began
    honest.call(HOST, "multiply", EUINT8, 1)
    handle = honest.handle(honest.published)
    honest.published += 1
    began = time.perf_counter()
    fhevm.public_decrypt([handle])
    opened = time.perf_counter() - began
    print(f"{label}: an input on the chain {built:.1f} s, a product decrypted {opened:.1f} s")


def main() -> None:
    seconds, accounts = map(int, sys.argv[1:3] or (20, 60))
    with stack() as (w3, url, token):
        fhevm = client_as(url, token, "203.0.113.5")
        box, honest, flood = Box(w3), Flood(w3), Flood(w3)
        measure("idle", w3, fhevm, box, honest)
        flood.call(RICH, "publish", 64)
        with asking(url, token, [flood.handle(place) for place in range(64)]):
            time.sleep(seconds)
            measure("under one client's requests", w3, fhevm, box, honest)
        attackers = [Account.create() for _ in range(accounts)]
        for each in attackers:
            send(w3, RICH, {"to": each.address, "value": 10**18, "gas": 21_000})
        for each in attackers:
            flood.call(each, "multiply", EUINT128, 3)
        time.sleep(seconds)
        measure(f"under products of {accounts} accounts", w3, fhevm, box, honest)
        with asking(url, token, [flood.handle(place) for place in range(64)]):
            measure("under both", w3, fhevm, box, honest)


if __name__ == "__main__":
    main()
