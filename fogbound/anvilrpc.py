"""How anvil's owner asks it: JSON-RPC over one connection, without what a client of a chain needs beyond."""

from typing import Any

import requests

from fogbound.errors import ChainRefused, TransactionRefused

SECONDS = 30.0  # for an answer


class AnvilRpc:
    """Raises requests.RequestException where anvil does not answer.

    `seconds`: for an answer; None where it may take as long as it does.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.seconds: float | None = SECONDS
        self._http = requests.Session()
        self._http.trust_env = False

    def ask(self, method: str, *parameters: Any) -> Any:
        """The result of a call. Raises ChainRefused with anvil's answer."""
        answer = self._post(method, parameters)
        if "error" in answer:
            raise ChainRefused(f"{method}: {answer['error']}")
        return answer["result"]

    def send(self, raw: str) -> None:
        """Put a raw transaction into the pool. Raises TransactionRefused."""
        answer = self._post("eth_sendRawTransaction", (raw,))
        if "error" in answer:
            raise TransactionRefused(dict(answer["error"]))

    def _post(self, method: str, parameters: tuple[Any, ...]) -> dict[str, Any]:
        call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        answer = self._http.post(self._url, json=call, timeout=self.seconds)
        answer.raise_for_status()
        content: dict[str, Any] = answer.json()
        return content
