"""Tells a follower that the chain may have moved, so that it need not ask all the time.

A node that offers `eth_subscribe` over a WebSocket tells of each head. Elsewhere, and while it does not
answer, the follower is woken again and again after `pause`. It reads by itself what there is to read, so one
head too many does no harm; none is missed, since it is woken once after a connection is made or lost.
"""

import json
import logging
import threading
import time
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from websockets.exceptions import InvalidHandshake, InvalidURI, WebSocketException
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from fhevm.errors import KeysDamaged
from fhevm.tokens import read_token

log = logging.getLogger(__name__)

LOCAL_PAUSE, PUBLIC_PAUSE = 0.1, 3.0  # seconds
CONNECT_SECONDS = 5.0
FIRST_RETRY_SECONDS, LAST_RETRY_SECONDS = 0.2, 5.0  # while nobody answers
NO_SOCKET_SECONDS = 60.0  # until a node without WebSocket is asked again
QUIET_SECONDS = 60.0  # a follower that nobody wakes looks all the same
STOP_SECONDS = 0.5  # a stop is noticed so soon
MAX_MESSAGE = 1 << 20
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_HEADER = "x-heads-token"
SCHEMES = {"http": "ws", "https": "wss"}


class Heads:
    """For one follower; `wait` is for its thread, `wake` and `close` for any."""

    def __init__(self, url: str | None, *, pause: float, token: Path | None = None) -> None:
        """`url`: ws(s)://…, or a node's http(s)://… that may have a WebSocket as well; None: only poll.

        `pause`: seconds between two looks where nobody tells. `token`: the file that a node of this machine
        has put its token in, if it is one that keeps places for whoever knows it.
        """
        self._pause = pause
        self._token = token
        self._moved = threading.Event()
        self._closed = threading.Event()
        self._is_told = False
        self._socket: Connection | None = None
        if url is not None:
            self._url = socket_url(url)
            threading.Thread(target=self._listen, name="heads", daemon=True).start()

    @property
    def is_told(self) -> bool:
        """Whether a node tells of heads now."""
        return self._is_told

    def wait(self, stop: threading.Event, seconds: float = QUIET_SECONDS) -> None:
        """Until the chain may have moved, `wake` was called, `stop` is set or `seconds` have passed."""
        until = time.monotonic() + seconds
        begun = time.monotonic()
        while not stop.is_set():
            now = time.monotonic()
            end = until if self._is_told else min(until, begun + self._pause)
            if now >= end or self._moved.wait(min(end - now, STOP_SECONDS)):
                break
        self._moved.clear()

    def wake(self) -> None:
        """End a wait, or the next one."""
        self._moved.set()

    def close(self) -> None:
        """Listen no more."""
        self._closed.set()
        if self._socket is not None:
            self._socket.close()

    def _listen(self) -> None:
        retry = FIRST_RETRY_SECONDS
        while not self._closed.is_set():
            try:
                self._listen_once()
                retry = FIRST_RETRY_SECONDS
            except (InvalidHandshake, InvalidURI) as error:
                log.info(
                    "the node offers no WebSocket (%s); asking it every %g s", error, self._pause
                )
                retry = NO_SOCKET_SECONDS
            except (WebSocketException, OSError, ValueError):
                retry = FIRST_RETRY_SECONDS if self._is_told else min(2 * retry, LAST_RETRY_SECONDS)
            self._is_told = False
            self.wake()
            self._closed.wait(retry)

    def _listen_once(self) -> None:
        is_here = urlsplit(self._url).hostname in LOOPBACK
        proxy: Literal[True] | None = None if is_here else True
        with connect(
            self._url,
            open_timeout=CONNECT_SECONDS,
            max_size=MAX_MESSAGE,
            proxy=proxy,
            additional_headers=self._shown() if is_here else {},
        ) as socket:
            self._socket = socket
            call = {"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": ["newHeads"]}
            socket.send(json.dumps(call))
            if not _is_subscribed(socket.recv(CONNECT_SECONDS)):
                raise InvalidHandshake("it has no subscriptions")
            self._is_told = True
            self.wake()
            for _ in socket:
                self.wake()

    def _shown(self) -> dict[str, str]:
        """The token, where there is one by now: a node that starts anew may have another."""
        try:
            return {TOKEN_HEADER: read_token(self._token)} if self._token else {}
        except KeysDamaged:
            return {}


def heads_token_file(data: Path) -> Path:
    """Where the local chain's token lies, for the parts of its own stack."""
    return data / "chain" / "heads.token"


def _is_subscribed(answer: str | bytes) -> bool:
    found = json.loads(answer)
    return isinstance(found, dict) and isinstance(found.get("result"), str)


def socket_url(url: str) -> str:
    """Where a node at an RPC address has its WebSocket, if it is at the same port."""
    scheme, _, rest = url.partition("://")
    return f"{SCHEMES.get(scheme.lower(), scheme)}://{rest}"
