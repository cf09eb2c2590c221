"""The index's tables: what the chain said, and what follows from it.

`events`, `blocks` and `links` are the chain's words; `games`, `seats`, `standings` and `pairs` follow from
them, so that they can be made again. Only `unlisted` is not on the chain. A `sequence` numbers changes in
the order in which they came in, for who wants all that is new; it never goes back, not even when the index
is made anew or begun in a new file. A `place` is a block and an event's index in it, in one number. Wei are
decimal strings.
"""

from typing import Any

from sqlalchemy import JSON, BigInteger, Index, Integer, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

VERSION = 3  # of these tables, and of how ratings count: an index of another one is made anew
PLACES_OF_A_BLOCK = 2**20  # more events than any block has room for

Number = BigInteger().with_variant(Integer, "sqlite")
Address = String(42)
Kind = String(40)
Hash = String(66)
Wei = String(78)


def place_of(block: int, index: int) -> int:
    """Where an event is on the chain; greater is later."""
    return block * PLACES_OF_A_BLOCK + index


class Base(DeclarativeBase):
    """Root of the tables."""


class VersionRow(Base):
    """The one row that says by which VERSION the tables were made."""

    __tablename__ = "version"
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class CursorRow(Base):
    """The one row that says which chain is followed, and how far.

    `reset`: the sequence at which something that was told before came to be no longer so. `rated`: the
    place of the last end that the standings count.
    """

    __tablename__ = "cursor"
    id: Mapped[int] = mapped_column(primary_key=True)
    chain_id: Mapped[int] = mapped_column(Number)
    genesis: Mapped[str] = mapped_column(Hash)
    contracts: Mapped[dict[str, str]] = mapped_column(JSON)
    block: Mapped[int] = mapped_column(Number)
    hash: Mapped[str] = mapped_column(Hash)
    timestamp: Mapped[int] = mapped_column(Number)
    sequence: Mapped[int] = mapped_column(Number)
    reset: Mapped[int] = mapped_column(Number)
    rated: Mapped[int] = mapped_column(Number)


class BlockRow(Base):
    """A block with events of ours: what a reorganisation is found by."""

    __tablename__ = "blocks"
    number: Mapped[int] = mapped_column(Number, primary_key=True, autoincrement=False)
    hash: Mapped[str] = mapped_column(Hash)


class EventRow(Base):
    """An event of one game; `arguments` as the API shows them."""

    __tablename__ = "events"
    sequence: Mapped[int] = mapped_column(Number, primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(Kind)
    game: Mapped[int] = mapped_column(Number)
    name: Mapped[str] = mapped_column(String(80))
    arguments: Mapped[dict[str, Any]] = mapped_column(JSON)
    block: Mapped[int] = mapped_column(Number, index=True)
    index: Mapped[int] = mapped_column("log_index")
    transaction: Mapped[str] = mapped_column("transaction_hash", Hash)
    time: Mapped[int] = mapped_column(Number)
    __table_args__ = (Index("events_of_game", "kind", "game", "sequence"),)


class StaleRow(Base):
    """A game with events that came in before the index had caught up: still to be summarised."""

    __tablename__ = "stale"
    kind: Mapped[str] = mapped_column(Kind, primary_key=True)
    game: Mapped[int] = mapped_column(Number, primary_key=True, autoincrement=False)


class LinkRow(Base):
    """What the chain shows of owners, and since when: `one` has paid its money to `other`, or lets it act."""

    __tablename__ = "links"
    one: Mapped[str] = mapped_column(Address, primary_key=True)
    other: Mapped[str] = mapped_column(Address, primary_key=True)
    place: Mapped[int] = mapped_column(Number, index=True)


class GameRow(Base):
    """One game as the lobby shows it. Seats count from 0; `players[s]` is None where seat s is free."""

    __tablename__ = "games"
    kind: Mapped[str] = mapped_column(Kind, primary_key=True)
    id: Mapped[int] = mapped_column(Number, primary_key=True, autoincrement=False)
    status: Mapped[str] = mapped_column(String(12))
    phase: Mapped[str] = mapped_column(String(12))
    outcome: Mapped[str] = mapped_column(String(12))
    creator: Mapped[str] = mapped_column(Address)
    players: Mapped[list[str | None]] = mapped_column(JSON)
    stake: Mapped[str] = mapped_column(Wei)
    invited: Mapped[str | None] = mapped_column(Address)
    listed: Mapped[bool]
    on_turn: Mapped[int | None]
    winners: Mapped[list[int]] = mapped_column(JSON)
    amounts: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    rake: Mapped[str | None] = mapped_column(Wei)
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON)
    consents: Mapped[list[int]] = mapped_column(JSON)
    keep_alives: Mapped[list[int]] = mapped_column(JSON)
    void_announced: Mapped[bool]
    move_number: Mapped[int] = mapped_column(Number)
    control: Mapped[int]
    deadline: Mapped[int | None] = mapped_column(Number)
    mark: Mapped[int] = mapped_column(Number)
    opened: Mapped[int] = mapped_column(Number, index=True)  # a place
    opened_block: Mapped[int] = mapped_column(Number)
    opened_at: Mapped[int] = mapped_column(Number)
    updated_block: Mapped[int] = mapped_column(Number)
    updated_at: Mapped[int] = mapped_column(Number)
    ended: Mapped[int | None] = mapped_column(Number, index=True)  # a place: of GameEnded
    ended_at: Mapped[int | None] = mapped_column(Number)
    sequence: Mapped[int] = mapped_column(Number, index=True)
    __table_args__ = (
        Index("games_by_status", "status", "opened"),
        Index("games_by_kind", "kind", "status", "opened"),
        Index("games_by_invited", "invited", "opened"),
    )


class SeatRow(Base):
    """Who sits in which game; `opened`, `status` and `sequence` are the game's, so that one index finds a
    player's newest, those that run, and those that have changed.
    """

    __tablename__ = "seats"
    kind: Mapped[str] = mapped_column(Kind, primary_key=True)
    game: Mapped[int] = mapped_column(Number, primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player: Mapped[str] = mapped_column(Address)
    opened: Mapped[int] = mapped_column(Number)
    status: Mapped[str] = mapped_column(String(12))
    sequence: Mapped[int] = mapped_column(Number)
    __table_args__ = (
        Index("seats_of_player", "player", "opened"),
        Index("seats_by_status", "player", "status", "opened"),
        Index("seats_by_change", "player", "sequence"),
    )


class UnlistedRow(Base):
    """A game that its creator keeps out of the lobby."""

    __tablename__ = "unlisted"
    kind: Mapped[str] = mapped_column(Kind, primary_key=True)
    game: Mapped[int] = mapped_column(Number, primary_key=True, autoincrement=False)
    creator: Mapped[str] = mapped_column(Address, primary_key=True)


class StandingRow(Base):
    """A player's rating and results in one kind of game. `score` orders the leaderboard."""

    __tablename__ = "standings"
    kind: Mapped[str] = mapped_column(Kind, primary_key=True)
    player: Mapped[str] = mapped_column(Address, primary_key=True)
    rating: Mapped[float]
    deviation: Mapped[float]
    score: Mapped[float]
    rated: Mapped[int]
    opponents: Mapped[int]
    allowed: Mapped[float]
    played: Mapped[int]
    won: Mapped[int]
    lost: Mapped[int]
    drawn: Mapped[int]
    __table_args__ = (Index("leaderboard", "kind", "score"),)


class PairRow(Base):
    """How many rated games two accounts (in order) have played with each other."""

    __tablename__ = "pairs"
    kind: Mapped[str] = mapped_column(Kind, primary_key=True)
    one: Mapped[str] = mapped_column(Address, primary_key=True)
    other: Mapped[str] = mapped_column(Address, primary_key=True)
    games: Mapped[int]
