"""Spectators: what the event stream told must be what the API says."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx

from scripts.soaking.report import Report

PAGE = 200
QUIET_SECONDS = 5.0  # without a word, a spectator connects anew, and says where they were


class Spectator:
    """Follows the lobby from one stream; `games` is what they would show."""

    def __init__(self, web: str, report: Report) -> None:
        self._web, self._report = web, report
        self._last: str | None = None
        self.games: dict[tuple[str, int], dict[str, Any]] = {}

    def run(self, stop: threading.Event) -> None:
        """Listen until told to stop; a server that is away is tried again."""
        while not stop.is_set():
            try:
                for name, data in self._listen(stop):
                    self._take(name, json.loads(data))
            except (httpx.HTTPError, ValueError):
                stop.wait(0.5)

    def _listen(self, stop: threading.Event) -> Iterator[tuple[str, str]]:
        headers = {"Last-Event-ID": self._last} if self._last else {}
        with httpx.stream(
            "GET", f"{self._web}/api/stream?topics=lobby", headers=headers, timeout=QUIET_SECONDS
        ) as answer:
            answer.raise_for_status()
            if self._last is None:
                self._fetch()
            name = data = ""
            for line in answer.iter_lines():
                field, _, value = line.partition(": ")
                name, data = (value, data) if field == "event" else (name, data)
                data = value if field == "data" else data
                self._last = value if field == "id" else self._last
                if not line and data:
                    yield name, data
                    name = data = ""
                if stop.is_set():
                    return

    def _take(self, name: str, told: dict[str, Any]) -> None:
        self._report.count("messages to spectators")
        if name == "reset":
            self._fetch()
        elif name == "game":
            self._keep(told)

    def _keep(self, game: dict[str, Any]) -> None:
        """Of two copies the greater sequence is newer."""
        key = game["kind"], game["id"]
        known = self.games.get(key)
        if known is None or game["sequence"] >= known["sequence"]:
            self.games[key] = game

    def _fetch(self) -> None:
        self.games = {(game["kind"], game["id"]): game for game in all_games(self._web)}

    def check(self) -> None:
        """The chain must stand still, and the stream have told all."""
        listed = {(game["kind"], game["id"]): game for game in all_games(self._web)}
        for key in sorted(listed.keys() | self.games.keys()):
            seen, said = self.games.get(key), listed.get(key)
            self._report.expect(seen, said, f"what a spectator was told of {key[0]} game {key[1]}")
        self._report.count("games spectated", len(listed))


def all_games(web: str) -> Iterator[dict[str, Any]]:
    """Page by page."""
    cursor: str | None = None
    while True:
        parameters: dict[str, Any] = {"limit": PAGE} | ({"before": cursor} if cursor else {})
        answer = httpx.get(f"{web}/api/games", params=parameters, timeout=20)
        answer.raise_for_status()
        content = answer.json()
        yield from content["games"]
        cursor = content["next"]
        if cursor is None:
            return
