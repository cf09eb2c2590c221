"""What the follower brings from the chain in one step, as values."""

from collections.abc import Mapping
from dataclasses import dataclass

from fogbound.chain import Block
from fogbound.game import Game
from fogbound.history import Event

Key = tuple[str, int]  # a kind and a game's id


@dataclass(frozen=True)
class Found:
    """An event of one kind's contract, and its block's time."""

    kind: str
    event: Event
    time: int

    @property
    def key(self) -> Key | None:
        """The game that it is of; None where it is of an account."""
        game_id = self.event.game_id
        return None if game_id is None else (self.kind, game_id)


@dataclass(frozen=True)
class Followed:
    """Which chain is followed: its first block's hash, and where each kind's contract is."""

    chain_id: int
    genesis: str
    contracts: Mapping[str, str]


@dataclass(frozen=True)
class Batch:
    """From the block `common`, which index and chain share, to `head`; the index stands at `after`.

    `found` is in the chain's order; `blocks` are those with events. `states`: of the games that are
    summarised now, as of `head`; the others that have changed stay stale for a later step.
    """

    after: Block
    common: int
    head: Block
    found: tuple[Found, ...]
    blocks: tuple[Block, ...]
    states: Mapping[Key, Game]
