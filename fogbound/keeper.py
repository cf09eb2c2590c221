"""The keeper: does for every game, at once, what anybody may do and somebody must.

It settles draws, many in one transaction, and calls each game's `tend` while a game waits (for a
decryption, a result). It owns nothing that a game needs: the chain says what is due, so it may be killed at
any moment, and several may run. What it spends in an hour is bounded; what it does not do, the players'
clients do.

A draw needs blocks. Where none come, it mines them, if the node lets it; else it says what to do.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from fhevm.errors import FhevmError
from fhevm.heads import LOCAL_PAUSE, QUIET_SECONDS, Heads
from fogbound.budget import Budget
from fogbound.chain import Chain
from fogbound.errors import ChainRefused, FogboundError
from fogbound.tasks import RETRY_SECONDS, Key, Tasks
from fogbound.watch import Duty, Watch

log = logging.getLogger(__name__)

WORKERS = 8
BATCH = 64  # draws settled in one transaction
DRAWS = 0  # in place of a game's id, which is 1 at least
GAS_AN_HOUR = 500_000_000
BLOCKS_AN_HOUR = 3_600
RESERVED_FROM = (
    10**15
)  # wei: the stake from which on a game is served from the reserved half as well
TELL_SECONDS = 60.0  # how often the same trouble is told
NOTICE_SECONDS = 30.0  # without a block, until it is told what a draw waits for


class Keeper:
    """Tends the games of some contracts on one chain."""

    def __init__(
        self,
        chain: Chain,
        watches: Iterable[Watch],
        *,
        mine_after: float | None = None,
        threads: bool = True,
        heads: Heads | None = None,
        gas_an_hour: int = GAS_AN_HOUR,
    ) -> None:
        """`mine_after`: seconds without a block after which it mines one for a draw; None: it never mines.

        `threads`: waiting games are tended side by side, not one after the other. `heads` tells when there
        may be something to do; without, the chain is asked again and again.
        """
        self._chain = chain
        self._watches = list(watches)
        self._mine_after = mine_after
        self._heads = heads or Heads(None, pause=LOCAL_PAUSE)
        self._tasks = Tasks("tend", WORKERS if threads else 0, insists=True, ended=self._heads.wake)
        self._gas, self._counted = Budget(gas_an_hour), 0
        self._blocks = Budget(BLOCKS_AN_HOUR)
        self._block, self._since = -1, time.monotonic()
        self._told = 0.0

    def run(self, stop: threading.Event) -> None:
        """Tick until `stop` is set; whatever fails is logged and tried again."""
        while not stop.is_set():
            try:
                self.tick()
                self._heads.wait(stop, self._pause())
            except (FogboundError, FhevmError) as error:
                log.warning("%s; trying again", error)
                stop.wait(RETRY_SECONDS)
        self._tasks.close()

    def _pause(self) -> float:
        """Seconds until something may be due without a new block."""
        if any(watch.last_draw_block() is not None for watch in self._watches):
            return LOCAL_PAUSE
        moments = [self._tasks.seconds_until_retry()]
        moments += [watch.seconds_until_due() for watch in self._watches]
        return max(
            LOCAL_PAUSE, min((each for each in moments if each is not None), default=QUIET_SECONDS)
        )

    def tick(self) -> None:
        """Do what is due now. Raises ChainUnreachable, ChainReset."""
        self._count_gas()
        keys: set[Key] = set()
        for watch in self._watches:
            watch.refresh()
            duties = self._affordable(in_turn(watch.duties()))
            self._do(watch, duties)
            keys |= {_key(watch, duty) for duty in duties}
        self._tasks.keep(keys)
        self._mine()

    def _count_gas(self) -> None:
        accounts = {watch.account for watch in self._watches}
        spent = sum(self._chain.gas_spent(account) for account in accounts)
        self._gas.spend(spent - self._counted)
        self._counted = spent

    def _affordable(self, duties: Sequence[Duty]) -> list[Duty]:
        least = _least_stake(self._gas)
        chosen = [duty for duty in duties if least is not None and duty.stake >= least]
        if len(chosen) < len(duties):
            self._tell("this hour's gas is spent; players' clients do what is due")
        return chosen

    def _do(self, watch: Watch, duties: Sequence[Duty]) -> None:
        draws = [duty.game_id for duty in duties if duty.is_draw][:BATCH]
        if draws:
            self._tasks.offer((watch.spec.name, DRAWS), partial(watch.settle, draws))
        for duty in duties:
            if not duty.is_draw:
                self._tasks.offer(_key(watch, duty), partial(watch.tend, duty.game_id))

    # -- blocks for draws --

    def _mine(self) -> None:
        wanted = self._last_draw_block()
        block = self._chain.block_number if wanted else 0
        if block != self._block:
            self._block, self._since = block, time.monotonic()
        if wanted <= block:
            return
        waited = time.monotonic() - self._since
        if self._mine_after is not None and waited >= self._mine_after:
            self._try_to_mine(block)
        elif waited >= NOTICE_SECONDS:
            what = "let the node mine in intervals (anvil --block-time 1), or mine one by hand"
            self._tell(f"a draw waits for block {wanted}, and no block comes: {what}")

    def _last_draw_block(self, stake: int = 0) -> int:
        blocks = [watch.last_draw_block(stake) for watch in self._watches]
        return max((each for each in blocks if each is not None), default=0)

    def _try_to_mine(self, block: int) -> None:
        """Mine what the draws need after `block`: all of them, or those that are still served."""
        least = _least_stake(self._blocks)
        count = 0 if least is None else self._last_draw_block(least) - block
        if count <= 0:
            return self._tell(
                "this hour's blocks for draws are mined; draws wait for others' blocks"
            )
        self._blocks.spend(count)
        try:
            self._chain.mine(count)
        except ChainRefused as error:
            self._mine_after = None
            log.info("the node mines nothing for us (%s)", error)

    def _tell(self, words: str) -> None:
        """Say what is wrong, but not all the time."""
        if time.monotonic() >= self._told:
            self._told = time.monotonic() + TELL_SECONDS
            log.warning("%s", words)


def _least_stake(budget: Budget) -> int | None:
    """Games for which stake in wei, or more, the budget still serves; None: none."""
    if budget.allows(reserved=False):
        return 0
    return RESERVED_FROM if budget.allows(reserved=True) else None


def _key(watch: Watch, duty: Duty) -> Key:
    return watch.spec.name, DRAWS if duty.is_draw else duty.game_id


def in_turn(duties: Sequence[Duty]) -> list[Duty]:
    """The largest stake first; of each stake the first of every creator, then the second, and so on."""
    before: Counter[str] = Counter()
    places = {}
    for duty in sorted(duties, key=lambda each: (-each.stake, each.game_id)):
        places[duty] = -duty.stake, before[duty.creator], duty.game_id
        before[duty.creator] += 1
    return sorted(duties, key=places.__getitem__)
