"""How a client reaches a gateway: in this process (a Gateway is a Transport itself) or over HTTP."""

import time
from typing import Any, Protocol, Self

import httpx

from fhevm.errors import NotComputedYet, TooManyRequests, Unavailable
from fhevm.statuses import raise_failure
from fhevm.typed import read_json
from fhevm.wire import Finished, Queued

Json = dict[str, Any]
QUEUED = 202
_ANSWER_BYTES = 4 << 20
_FIRST_POLL_SECONDS = 0.01
_SLOWEST_POLL_SECONDS = 0.5


class Transport(Protocol):
    """What a client needs of a gateway. All raise ServiceError."""

    def key_material(self) -> Json:
        """Public keys, fingerprint, domains."""
        ...

    def clock(self) -> Json:
        """The newest block and its timestamp."""
        ...

    def answer(self, kind: str, payload: Any) -> Json:
        """The result of a request."""
        ...


class Http:
    """A gateway at a URL. Safe to share between threads."""

    def __init__(
        self, url: str, timeout: float = 300.0, client: httpx.Client | None = None
    ) -> None:
        """`timeout`: seconds until a queued job is given up."""
        self._timeout = timeout
        self._client = client or httpx.Client(base_url=url, timeout=30.0)

    def key_material(self) -> Json:
        """See Transport."""
        return _object(self._json("GET", "/v2/keyurl")[1])

    def clock(self) -> Json:
        """See Transport."""
        return _object(self._json("GET", "/v2/clock")[1])

    def answer(self, kind: str, payload: Any) -> Json:
        """See Transport: asks again while there are too many requests.

        Raises NotComputedYet where the job is not done in time.
        """
        give_up = time.monotonic() + self._timeout
        while True:
            try:
                return self._job(kind, payload, give_up)
            except TooManyRequests:
                if time.monotonic() + _SLOWEST_POLL_SECONDS >= give_up:
                    raise
                time.sleep(_SLOWEST_POLL_SECONDS)

    def _job(self, kind: str, payload: Any, give_up: float) -> Json:
        _, queued = self._json("POST", f"/v2/{kind}", payload)
        path = f"/v2/{kind}/{Queued.parse(queued).result.job_id}"
        pause = _FIRST_POLL_SECONDS
        while time.monotonic() < give_up:
            status, answer = self._json("GET", path)
            if status != QUEUED:
                return Finished.parse(answer).result
            time.sleep(pause)
            pause = min(2 * pause, _SLOWEST_POLL_SECONDS)
        raise NotComputedYet(f"no answer within {self._timeout:.0f} s")

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _json(self, method: str, path: str, payload: Any = None) -> tuple[int, Any]:
        try:
            with self._client.stream(method, path, json=payload) as response:
                body = read_json(_content(response))
        except (httpx.HTTPError, ValueError) as error:
            raise Unavailable(f"the gateway does not answer: {type(error).__name__}") from None
        if response.is_error:
            raise_failure(body)
        return response.status_code, body


def _object(value: Any) -> Json:
    if not isinstance(value, dict):
        raise Unavailable("something that is no gateway answers there")
    return value


def _content(response: httpx.Response) -> bytes:
    """The body. Raises ValueError where it is larger than any answer."""
    content = bytearray()
    for part in response.iter_bytes():
        content += part
        if len(content) > _ANSWER_BYTES:
            raise ValueError("larger than any answer")
    return bytes(content)
