"""What a record's file may hold: the one place where its JSON gets types, bounds and one spelling."""

import json
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from fogbound.errors import RecordInvalid
from fogbound.events import Address
from fogbound.reasons import RecordReason

FORMAT = "fogbound-record-2"
OLDER = ("fogbound-record-1",)
MOST_BYTES = 2 << 20  # of a 20 x 20 game of Battleship: 1.3 MB

Integer = Annotated[int, Field(ge=0, lt=2**53)]  # exact in every language
Seconds = Annotated[int, Field(ge=0, lt=2**40)]
Duration = Annotated[int, Field(ge=1, lt=2**32)]
Word = Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{64}$"), AfterValidator(str.lower)]
Bytes = Annotated[
    str,
    Field(pattern=r"^0x([0-9a-fA-F]{2})*$", max_length=1 << 16),
    AfterValidator(str.lower),
]
Decimal = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]*)$", max_length=78)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=64)]


class Strict(BaseModel):
    """No other field, and nothing taken for what it is not."""

    model_config = ConfigDict(strict=True, extra="forbid")


class ClocksModel(Strict):
    """In seconds."""

    wait: Duration
    notice: Duration
    proof: Duration


class ControlModel(Strict):
    """`move` in seconds."""

    move: Annotated[int, Field(ge=30, lt=2**32)]
    keep_alives: Annotated[int, Field(ge=0, le=3)]


class EventModel(Strict):
    """`arguments` get their types where the game's events are known."""

    name: Name
    arguments: Annotated[dict[str, Any], Field(max_length=16)]
    block: Integer
    index: Integer
    transaction: Word
    time: Seconds


class ProofModel(Strict):
    """A public decryption."""

    handles: Annotated[list[Word], Field(max_length=16)]
    cleartexts: Annotated[list[Decimal], Field(max_length=16)]
    proof: Bytes


class RecordModel(Strict):
    """A whole file."""

    format: Literal["fogbound-record-2"]
    game: Name
    chain_id: Integer
    genesis: Word
    contract: Address
    game_id: Annotated[int, Field(ge=1, lt=2**53)]
    clocks: ClocksModel
    controls: Annotated[list[ControlModel], Field(min_length=1, max_length=4)]
    events: Annotated[list[EventModel], Field(max_length=10_000)]
    signers: Annotated[list[Address], Field(max_length=16)]
    proofs: Annotated[list[ProofModel], Field(max_length=256)]
    evidence: Annotated[list[dict[str, Any]], Field(max_length=2_000)]
    exporter: Address | None
    signature: Bytes

    @classmethod
    def parse(cls, text: bytes) -> Self:
        """Raises RecordInvalid where it is of another format, ValidationError."""
        try:
            found = _Headed.model_validate_json(text).format
        except ValidationError:
            found = None
        if found in OLDER:
            raise RecordInvalid(RecordReason.OLD_FORMAT, found=found, format=FORMAT)
        if found is not None and found != FORMAT:
            raise RecordInvalid(RecordReason.OTHER_FORMAT, format=FORMAT)
        return cls.model_validate_json(text)

    def canonical(self) -> bytes:
        """What its exporter signs: one spelling only."""
        return json.dumps(self.model_dump(), sort_keys=True, separators=(",", ":")).encode()


class _Headed(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")

    format: Annotated[str, Field(max_length=64)]
