"""The API's values, in camelCase. Wei are decimal strings, addresses checksummed, times Unix seconds."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

PhaseName = Literal["open", "drawing", "playing", "waiting", "proving", "ended", "cancelled"]
OutcomeName = Literal["none", "won", "drawn", "resigned", "timed_out", "null", "voided"]
Status = Literal["open", "live", "finished"]
Seat = Annotated[int, Field(ge=0, le=3)]
Wei = Annotated[str, Field(pattern=r"^\d+$", examples=["1000000000000000000"])]
AddressText = Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{40}$")]


class ApiModel(BaseModel):
    """Root of the API's values."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, from_attributes=True, frozen=True
    )


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
    """In blocks: for a move, until a void may be announced, from there to the void."""

    move: int
    wait: int
    notice: int


class KindModel(ApiModel):
    """One kind of game on this chain. `encrypted`: it needs the fhEVM's gateway."""

    contract: AddressText
    encrypted: bool
    clocks: Clocks
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
    """What the page must know of this server and its chain. `secondsPerBlock`: about.

    `leastRatedStake`: games for less are not rated.
    """

    chain_id: int
    local: bool
    block: BlockModel
    games: dict[str, KindModel]
    bots: list[BotModel]
    faucet: FaucetModel | None
    seconds_per_block: float
    least_rated_stake: Wei


class Summary(ApiModel):
    """One game. `onTurn`: whose move it is, or led to the wait; `deadline`, `mark`: blocks, as ITable's
    Turn; `amounts`: what each seat was paid; `players[s]` is null where seat s is free; `invited`: whom that
    seat is kept for, or was until the game was cancelled.
    """

    kind: str
    id: int
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
    move_number: int
    deadline: int
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
    timestamp: int


class Detail(Summary):
    """One game with all its events, in order."""

    events: list[EventModel]


class GameList(ApiModel):
    """One page of games; `next` is the cursor of the next one, null at the end."""

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
    players: list[RankedModel]


class Refusal(ApiModel):
    """Why a record is not valid. `code` is stable ("battleship.opening_false"), `parameters` are what it
    speaks of, by name; `message` says both in English. What comes from the record is cut off.
    """

    code: str
    parameters: dict[str, str]
    message: str


class Verdict(ApiModel):
    """Whether a record holds what it claims, or the first reason why not. `onChain`: whether this
    server's chain holds these events; null where the record is of another chain, or not valid.
    """

    valid: bool
    reason: Refusal | None
    on_chain: bool | None


class Unlisting(ApiModel):
    """The creator's word, by personal_sign."""

    signature: Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{130}$")]


class GameEvents(ApiModel):
    """New events of one game, in order."""

    kind: str
    id: int
    events: list[EventModel]
