"""Records: a game's public events and proofs in one file, exported here and checked again anywhere."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response

from fogbound.errors import RecordInvalid
from fogbound.records import format_record
from frontend.app.api.models import Refusal, Verdict
from frontend.app.api.parameters import GameId, Kind, failures
from frontend.app.errors import Malformed, TooLarge
from frontend.app.records import check, export
from frontend.app.services import Needed

router = APIRouter(tags=["records"])

RECORD_BYTES = 2 << 20  # of a 12 x 12 game of Battleship: 300 kB
SHOWN_CHARACTERS = 300
OBJECT: dict[str, Any] = {"application/json": {"schema": {"type": "object"}}}
OF_A_RECORD: dict[int | str, dict[str, Any]] = {
    200: {"description": "The record, as the games' `verify` takes it.", "content": OBJECT}
}


async def bounded_object(request: Request) -> bytes:
    """The body, which must be a JSON object of at most RECORD_BYTES. Raises TooLarge, Malformed."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > RECORD_BYTES:
            raise TooLarge(f"a record has at most {RECORD_BYTES} bytes")
    if not bytes(body[:64]).lstrip().startswith(b"{"):
        raise Malformed("a record is a JSON object")
    return bytes(body)


@router.get(
    "/api/records/{kind}/{id}",
    response_class=Response,
    responses={**OF_A_RECORD, **failures(404, 409, 422, 502)},
)
def export_record(services: Needed, kind: Kind, id: GameId) -> Response:
    """The record of a game, as far as it has come, signed by this server's exporter."""
    record = export(services, kind, id)
    name = f'attachment; filename="{kind}-{id}.json"'
    headers = {"content-disposition": name}
    return Response(format_record(record), media_type="application/json", headers=headers)


@router.post(
    "/api/records/verify",
    responses=failures(413, 422, 502),
    openapi_extra={"requestBody": {"required": True, "content": OBJECT}},
)
def verify_record(services: Needed, body: Annotated[bytes, Depends(bounded_object)]) -> Verdict:
    """Check a record: the rules, every proof, the money, the exporter's signature.

    A record of this chain's contract must also be what the chain holds. `onChain` is null where the
    record is of another chain: then whether its events ever were on one, only that chain can say.
    """
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        raise Malformed("a record is a JSON object") from None
    try:
        return Verdict(valid=True, reason=None, on_chain=check(services, body))
    except RecordInvalid as error:
        return Verdict(valid=False, reason=_refusal(error), on_chain=None)


def _refusal(error: RecordInvalid) -> Refusal:
    parameters = {name: _shown(value) for name, value in error.parameters.items()}
    return Refusal(code=error.reason.code, parameters=parameters, message=_shown(str(error)))


def _shown(text: str) -> str:
    """As an answer can hold it: short, and without the halves of surrogate pairs that JSON can spell."""
    return text[:SHOWN_CHARACTERS].encode(errors="replace").decode()
