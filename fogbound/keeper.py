"""The keeper: does for every game, at once, what anybody may do and somebody must.

It settles draws, and calls each game's `tend` while a game waits (for a decryption, a result). On a local
chain it also mines, for as long as some game waits for a block. It owns nothing that a game needs: the
chain says what is due, so it may be killed at any moment, and several may run.
"""

import logging
import threading
import time
from collections.abc import Iterable
from functools import partial

from fhevm.errors import FhevmError
from fogbound.chain import Chain
from fogbound.errors import FogboundError
from fogbound.tasks import RETRY_SECONDS, Tasks
from fogbound.watch import Watch

log = logging.getLogger(__name__)

LOCAL_PAUSE, PUBLIC_PAUSE = 0.1, 3.0  # seconds between two looks at the chain
WORKERS = 8
MINED_AHEAD = 8  # blocks a tick for a draw: it needs three


class Keeper:
    """Tends the games of some contracts on one chain.

    `heartbeat`: seconds between the blocks that it mines while a clock runs; None: it never mines.
    `threads`: waiting games are tended side by side, not one after the other. `pause`: seconds
    between two looks at the chain.
    """

    def __init__(
        self,
        chain: Chain,
        watches: Iterable[Watch],
        *,
        heartbeat: float | None = None,
        threads: bool = True,
        pause: float = LOCAL_PAUSE,
    ) -> None:
        self._chain = chain
        self._watches = list(watches)
        self._heartbeat = heartbeat
        self._pause = pause
        self._tasks = Tasks("tend", WORKERS if threads else 0)
        self._last_beat = time.monotonic()

    def run(self, stop: threading.Event) -> None:
        """Tick until `stop` is set; whatever fails is logged and tried again."""
        while not stop.is_set():
            try:
                self.tick()
                pause = self._pause
            except (FogboundError, FhevmError) as error:
                log.warning("%s; trying again", error)
                pause = RETRY_SECONDS
            stop.wait(pause)
        self._tasks.close()

    def tick(self) -> None:
        """Do what is due now. Raises ChainUnreachable, ChainReset."""
        for watch in self._watches:
            watch.refresh()
            for game_id in watch.waiting():
                self._tasks.offer((watch.spec.name, game_id), partial(watch.tend, game_id))
        self._mine()

    def _mine(self) -> None:
        """Blocks for draws at once; for clocks one a heartbeat."""
        if self._heartbeat is None:
            return
        block = self._chain.block_number
        for_draws = max((watch.last_draw_block() for watch in self._watches), default=0)
        if block < for_draws:
            self._chain.mine(min(for_draws - block, MINED_AHEAD))
        elif time.monotonic() - self._last_beat >= self._heartbeat:
            self._last_beat = time.monotonic()
            if any(watch.last_clock_block() > block for watch in self._watches):
                self._chain.mine()
