"""What the API's paths take, with its bounds, and how they say that something failed."""

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import AfterValidator
from web3 import Web3

from frontend.app.api.models import ErrorAnswer

ADDRESS = r"^0x[0-9a-fA-F]{40}$"
WORDS = {
    403: "Not for this caller.",
    404: "There is no such thing.",
    408: "The body takes too long to come.",
    409: "Not as things stand now.",
    413: "The body is too large.",
    422: "A parameter or the body is malformed.",
    429: "Too many requests; Retry-After says when to come again.",
    502: "The chain or the gateway does not answer.",
}

Checksummed = AfterValidator(Web3.to_checksum_address)
Kind = Annotated[str, Path(description="Which game.", max_length=40, examples=["battleship"])]
KindQuery = Annotated[str | None, Query(description="Only of this game.", max_length=40)]
GameId = Annotated[int, Path(description="Counts from 1.", ge=1, le=2**53 - 1)]
Address = Annotated[str, Path(description="An account.", pattern=ADDRESS), Checksummed]
ChecksummedQuery = AfterValidator(lambda given: given and Web3.to_checksum_address(given))
PlayerQuery = Annotated[
    str | None,
    Query(description="Only games in which this account sits.", pattern=ADDRESS),
    ChecksummedQuery,
]
InvitedQuery = Annotated[
    str | None,
    Query(
        description="Only games whose free seat is kept for this account; "
        "without `status=open` also those that were cancelled.",
        pattern=ADDRESS,
    ),
    ChecksummedQuery,
]
Limit = Annotated[int, Query(description="At most so many.", ge=1, le=200)]


def failures(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """How OpenAPI tells of these statuses, of too many requests, and of a body that is too slow to come."""
    always = {429, 408} if 413 in statuses else {429}
    return {
        status: {"model": ErrorAnswer, "description": WORDS[status]}
        for status in sorted({*statuses, *always})
    }
