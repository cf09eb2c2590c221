"""The gateway over HTTP, at the relayer's paths; the router can be mounted in another application.

POST /v2/<kind> → 202 {"status": "queued", "result": {"jobId"}}
GET  /v2/<kind>/<job id> → 202 while queued, 200 {"status": "succeeded", "result"}, or the error's status;
     it waits a moment for the job's end (see `jobs`), so that few ask twice
GET  /v2/keyurl → public keys with fingerprint · GET /v2/clock → newest block and its time
"""

from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import JSONResponse

from fhevm.bodies import Body
from fhevm.clients import client_of
from fhevm.errors import ServiceError, TooManyRequests
from fhevm.gateway import REQUESTS, Gateway
from fhevm.jobs import Jobs
from fhevm.limits import BodyLimit
from fhevm.reading import Reading
from fhevm.statuses import STATUS, failure
from fhevm.transports import QUEUED

MAX_BODY_BYTES = 1 << 20
RETRY_SECONDS = 1


def gateway_router(gateway: Gateway, jobs: Jobs, proxy_token: str | None = None) -> APIRouter:
    """The routes; `proxy_token`: see `clients`.

    The application must answer errors with `answer_errors` and limit bodies.
    """
    router = APIRouter(prefix="/v2", tags=["fhevm"])
    keys, now = gateway.key_material(), Reading(gateway.clock)

    @router.get("/keyurl")
    async def key_url() -> dict[str, Any]:
        return keys

    @router.get("/clock")
    async def clock() -> dict[str, Any]:
        return await now.get()

    for kind in REQUESTS:
        _add_kind(router, kind, gateway, jobs, proxy_token)
    return router


def _add_kind(
    router: APIRouter, kind: str, gateway: Gateway, jobs: Jobs, proxy_token: str | None
) -> None:
    @router.post(f"/{kind}", status_code=QUEUED, name=kind)
    def submit(request: Request, body: Body) -> dict[str, Any]:
        client = client_of(request, proxy_token)
        job_id = jobs.submit(kind, gateway.prepare(kind, body, client), client)
        return {"status": "queued", "result": {"jobId": job_id}}

    @router.get(f"/{kind}/{{job_id}}", name=f"{kind} result")
    async def result(job_id: str, response: Response) -> dict[str, Any]:
        await jobs.over(kind, job_id)
        answer = jobs.result(kind, job_id)
        if answer is None:
            response.status_code = QUEUED
            return {"status": "queued"}
        return {"status": "succeeded", "result": answer}


def gateway_app(gateway: Gateway, proxy_token: str | None = None) -> FastAPI:
    """A whole application: routes, typed errors, a body limit."""
    app = FastAPI(title="fhevm gateway", openapi_url="/v2/openapi.json")
    app.include_router(gateway_router(gateway, Jobs(), proxy_token))
    answer_errors(app)
    app.add_middleware(BodyLimit, max_bytes=MAX_BODY_BYTES)
    return app


def answer_errors(app: FastAPI) -> None:
    """Answer ServiceErrors with their status and label; who asked too much is told when to come again."""

    @app.exception_handler(ServiceError)
    def failed(_request: Request, error: ServiceError) -> JSONResponse:
        headers = {"retry-after": str(RETRY_SECONDS)} if type(error) is TooManyRequests else None
        return JSONResponse(failure(error), STATUS[type(error)], headers)
