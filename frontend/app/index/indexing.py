"""The thread in which the index follows the chain, for as long as the app runs."""

import logging
import threading
from collections.abc import Callable, Iterable

from fhevm.errors import FhevmError
from fhevm.heads import LOCAL_PAUSE, PUBLIC_PAUSE, Heads
from fhevm.memory import trim_memory
from fogbound.errors import ChainReset, ChainUnreachable, FogboundError, StackNotRunning
from fogbound.games import GameSpec
from frontend.app.connector import Connector
from frontend.app.errors import EventMissing, Overtaken, UpstreamFailed
from frontend.app.index.database import Database
from frontend.app.index.follower import Follower
from frontend.app.index.reader import Reader

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0


class Indexing:
    """Follows whatever chain `connector` leads to; `told` is called after each step that may be news."""

    def __init__(
        self,
        connector: Connector,
        database: Database,
        games: Iterable[GameSpec],
        told: Callable[[], None],
    ) -> None:
        self._connector = connector
        self._database = database
        self._games = list(games)
        self._told = [told]
        self._reader: Reader | None = None
        self._follower: Follower | None = None
        self._stop = threading.Event()
        self._heads = Heads(None, pause=LOCAL_PAUSE)
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Follow, in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="index", daemon=True)
        self._thread.start()

    def tell(self, told: Callable[[], None]) -> None:
        """Call `told` too after each step that may be news."""
        self._told.append(told)

    def stop(self) -> None:
        """End the thread, after the step that it is at."""
        self._stop.set()
        self._heads.wake()
        if self._thread:
            self._thread.join()
        self._heads.close()

    @property
    def reader(self) -> Reader:
        """The chain's side of it. Raises UpstreamFailed where no chain was reached yet."""
        reader = self._reader
        if reader is None:
            raise UpstreamFailed("the chain cannot be reached now")
        return reader

    def step(self) -> bool:
        """Connect where that is to be done, and bring the index nearer to the chain's head.

        False where it is there. Raises FogboundError, FhevmError, Overtaken.
        """
        if self._follower is None:
            self._reader = Reader(self._connector.reading(), self._games)
            self._follower = Follower(self._reader, self._database)
            self._listen(self._reader)
            trim_memory()
        moved = self._follower.step()
        for told in self._told:
            told()
        return moved

    def _listen(self, reader: Reader) -> None:
        network = self._connector.network()
        self._heads.close()
        pause = LOCAL_PAUSE if reader.is_local else PUBLIC_PAUSE
        url, token = network.socket or network.rpc, network.heads_token
        self._heads = Heads(url, pause=pause, token=token)

    def catch_up(self) -> None:
        """Step until the index stands at the chain's head. Raises as `step`."""
        while self.step():
            pass

    def _run(self) -> None:
        while not self._stop.is_set():
            if not self._tried():
                self._heads.wait(self._stop)

    def _tried(self) -> bool:
        """One step; whether the next should follow at once. (An error's words may hold an RPC key.)"""
        try:
            return self.step()
        except Overtaken:
            return True
        except (ChainReset, ChainUnreachable, StackNotRunning) as error:
            log.warning("%s; connecting anew", type(error).__name__)
            self._connector.forget()
            self._follower = None
        except EventMissing as error:
            log.error("%s; the index is read anew", error)
        except (FogboundError, FhevmError) as error:
            log.warning("%s; trying again", type(error).__name__)
        except Exception:
            log.exception("the index cannot follow; trying again")
        self._stop.wait(RETRY_SECONDS)
        return False
