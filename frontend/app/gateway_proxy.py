"""The fhEVM's gateway for the page: the relayer's paths, each written out, lead on to it; no other does."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import JSONResponse, Response

from fhevm.errors import Unavailable
from fhevm.gateway import REQUESTS
from fhevm.statuses import STATUS, failure
from frontend.app.errors import UpstreamFailed
from frontend.app.limits import client_of
from frontend.app.upstream import Upstream

JobId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


def gateway_router(upstream: Upstream) -> APIRouter:
    """The paths of fhevm.gateway_http, which documents them."""
    router = APIRouter(tags=["gateway"], include_in_schema=False)
    for path in ("/v2/keyurl", "/v2/clock"):
        _add(router, "GET", path, upstream)
    for kind in REQUESTS:
        _add(router, "POST", f"/v2/{kind}", upstream)
        _add_jobs(router, f"/v2/{kind}", upstream)
    return router


def _add(router: APIRouter, method: str, path: str, upstream: Upstream) -> None:
    @router.api_route(path, methods=[method], name=f"{method} {path}")
    async def pass_on(request: Request) -> Response:
        return await _passed_on(upstream, request, method, path, await request.body())


def _add_jobs(router: APIRouter, path: str, upstream: Upstream) -> None:
    @router.get(f"{path}/{{job}}", name=f"{path} result")
    async def result(request: Request, job: JobId) -> Response:
        return await _passed_on(upstream, request, "GET", f"{path}/{job}", b"")


async def _passed_on(
    upstream: Upstream, request: Request, method: str, path: str, body: bytes
) -> Response:
    """The gateway is told for whom it works; what a client says of that itself is not passed on.

    Status, JSON and when to come again come back; a gateway that is away is told in its own form.
    """
    try:
        answer = await upstream.gateway(method, path, body, client_of(request.scope))
    except UpstreamFailed as error:
        return JSONResponse(failure(Unavailable(str(error))), STATUS[Unavailable])
    again = answer.headers.get("retry-after")
    headers = {"retry-after": again} if again else None
    return Response(answer.content, answer.status_code, headers, media_type="application/json")
