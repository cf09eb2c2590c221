"""The API's values, in camelCase. Wei are decimal strings, addresses checksummed, times Unix seconds.

The index numbers its changes, and the number never goes back. A `sequence` is the one as of which an answer
was read; in a list of games, and in the stream, that of the game's last change.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

PhaseName = Literal["open", "drawing", "playing", "waiting", "proving", "ended", "cancelled"]
OutcomeName = Literal["none", "won", "drawn", "resigned", "timed_out", "null", "voided"]
Status = Literal["open", "live", "finished"]
Seat = Annotated[int, Field(ge=0, le=3)]
Wei = Annotated[str, Field(pattern=r"^\d+$", examples=["1000000000000000000"])]
AddressText = Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{40}$")]
Sequence = Annotated[int, Field(description="Of two copies of one thing, the greater is newer.")]


class ApiModel(BaseModel):
    """Root of the API's values."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, from_attributes=True, frozen=True
    )


class RequestModel(ApiModel):
    """Root of what a request's body may hold: of exactly these types, and nothing beside."""

    model_config = ConfigDict(strict=True, extra="forbid")


class ErrorDetail(ApiModel):
    """`code`: for programs; `message`: one sentence for people."""

    code: str
    message: str


class ErrorAnswer(ApiModel):
    """What every request that fails is answered with."""

    error: ErrorDetail


class BlockModel(ApiModel):
    """The newest block that the index has read."""

    number: int
    timestamp: int


class Clocks(ApiModel):
    """In seconds: until a void may be announced, from there to the void, for a proof."""

    wait: int
    notice: int
    proof: int


class Control(ApiModel):
    """A time control: seconds for a move, and how often a player may add as many in a game."""

    move: int
    keep_alives: int


class KindModel(ApiModel):
    """One kind of game on this chain. `encrypted`: it needs the fhEVM's gateway. A game's `control` numbers
    the `controls`.
    """

    contract: AddressText
    encrypted: bool
    clocks: Clocks
    controls: list[Control]
    deployment_block: int


class BotModel(ApiModel):
    """A bot that can be asked to play."""

    kind: str
    address: AddressText
    name: str


class FaucetModel(ApiModel):
    """What the faucet gives at a time."""

    wei: Wei


class ConfigModel(ApiModel):
    """What the page must know of this server and its chain.

    `leastRatedStake`: games for less are not rated.
    """

    chain_id: int
    local: bool
    sequence: Sequence
    block: BlockModel
    games: dict[str, KindModel]
    bots: list[BotModel]
    faucet: FaucetModel | None
    least_rated_stake: Wei


class Summary(ApiModel):
    """One game. `onTurn`: whose move it is, or led to the wait; `deadline`: the last second in which the
    player on turn, or who owes a proof, cannot lose on time, null before a clock ran; `mark`: as ITable's
    Turn, a block while the first seat is drawn, else a second; `amounts`: what each seat was paid;
    `players[s]` is null where seat s is free; `invited`: whom that seat is kept for, or was until the game
    was cancelled.
    """

    kind: str
    id: int
    sequence: Sequence
    phase: PhaseName
    outcome: OutcomeName
    players: list[AddressText | None]
    stake: Wei
    invited: AddressText | None
    listed: bool
    on_turn: Seat | None
    winners: list[Seat]
    amounts: list[Wei] | None
    rake: Wei | None
    parameters: dict[str, Any]
    consents: list[Seat]
    keep_alives: list[int]
    void_announced: bool
    control: Annotated[int, Field(ge=0, le=3)]
    move_number: int
    deadline: int | None
    mark: int
    opened_block: int
    opened_at: int
    updated_block: int
    updated_at: int
    ended_at: int | None


class EventModel(ApiModel):
    """One event. Of its `arguments` every integer is a decimal string, and bytes are 0x-hexadecimal."""

    seq: int = Field(validation_alias="sequence")
    name: str
    arguments: dict[str, Any]
    block: int
    index: int
    transaction: str
    time: int


class Detail(Summary):
    """One game with all its events, in order."""

    events: list[EventModel]


class GameList(ApiModel):
    """One page of games; `next` is the cursor of the next one, null at the end."""

    sequence: Sequence
    games: list[Summary]
    next: str | None


class RatingModel(ApiModel):
    """On a scale where a newcomer has 1500 +- 500; from so many rated `games`."""

    value: float
    deviation: float
    games: int


class ResultsModel(ApiModel):
    """What a player has achieved in one kind of game; void and null games are only `played`."""

    rating: RatingModel | None
    played: int
    won: int
    lost: int
    drawn: int


class PlayerModel(ApiModel):
    """One account. `running`: games that have begun and not ended."""

    address: AddressText
    sequence: Sequence
    bot: bool
    kinds: dict[str, ResultsModel]
    running: int


class RankedModel(ApiModel):
    """One line of the leaderboard."""

    rank: int
    address: AddressText
    bot: bool
    rating: float
    deviation: float
    games: int
    won: int
    lost: int
    drawn: int


class Leaderboard(ApiModel):
    """The best first: by the rating less three deviations."""

    kind: str
    sequence: Sequence
    players: list[RankedModel]


class Refusal(ApiModel):
    """Why a record is not valid. `code` is stable ("battleship.opening_false"), `parameters` are what it
    speaks of, by name; `message` says both in English. What comes from the record is cut off.
    """

    code: str
    parameters: dict[str, str]
    message: str


class Verdict(ApiModel):
    """Whether a record holds what it claims, or the first reason why not. `valid`: the rules were kept, its
    proofs hold for the signers that it names, its exporter has signed it. `onChain`: whether this server's
    chain holds these events; null where the record is of another chain (or not valid): then nobody here can
    say whether it was ever played.
    """

    valid: bool
    reason: Refusal | None
    on_chain: bool | None


class Unlisting(RequestModel):
    """The creator's word, by personal_sign."""

    signature: Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{130}$")]


class GameEvents(ApiModel):
    """New events of one game, in order."""

    kind: str
    id: int
    events: list[EventModel]
