"""The gateway over HTTP, at the relayer's paths; the router can be mounted in another application.

POST /v2/<kind> → 202 {"status": "queued", "result": {"jobId"}}
GET  /v2/<kind>/<job id> → 202 while queued, 200 {"status": "succeeded", "result"}, or the error's status
GET  /v2/keyurl → public keys with fingerprint · GET /v2/clock → newest block and its time
"""

from typing import Any

from fastapi import APIRouter, Body, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from fhevm.errors import MalformedRequest, ServiceError
from fhevm.gateway import REQUESTS, Gateway
from fhevm.jobs import Jobs
from fhevm.limits import BodyLimit
from fhevm.statuses import STATUS, failure
from fhevm.transports import QUEUED

MAX_BODY_BYTES = 1 << 20


def gateway_router(gateway: Gateway, jobs: Jobs) -> APIRouter:
    """The routes. The application must answer errors with `answer_errors` and limit bodies."""
    router = APIRouter(prefix="/v2", tags=["fhevm"])

    @router.get("/keyurl")
    def key_url() -> dict[str, Any]:
        return gateway.key_material()

    @router.get("/clock")
    def clock() -> dict[str, Any]:
        return gateway.clock()

    for kind in REQUESTS:
        _add_kind(router, kind, gateway, jobs)
    return router


def _add_kind(router: APIRouter, kind: str, gateway: Gateway, jobs: Jobs) -> None:
    @router.post(f"/{kind}", status_code=QUEUED, name=kind)
    def submit(payload: Any = Body()) -> dict[str, Any]:  # noqa: B008 - how FastAPI names a body
        job_id = jobs.submit(kind, gateway.prepare(kind, payload))
        return {"status": "queued", "result": {"jobId": job_id}}

    @router.get(f"/{kind}/{{job_id}}", name=f"{kind} result")
    def result(job_id: str, response: Response) -> dict[str, Any]:
        answer = jobs.result(kind, job_id)
        if answer is None:
            response.status_code = QUEUED
            return {"status": "queued"}
        return {"status": "succeeded", "result": answer}


def gateway_app(gateway: Gateway) -> FastAPI:
    """A whole application: routes, typed errors, a body limit."""
    app = FastAPI(title="fhevm gateway", openapi_url="/v2/openapi.json")
    app.include_router(gateway_router(gateway, Jobs()))
    answer_errors(app)
    app.add_middleware(BodyLimit, max_bytes=MAX_BODY_BYTES)
    return app


def answer_errors(app: FastAPI) -> None:
    """Answer ServiceErrors, and bodies that are no JSON, with their status and label."""

    @app.exception_handler(ServiceError)
    def failed(_request: Request, error: ServiceError) -> JSONResponse:
        return JSONResponse(failure(error), STATUS[type(error)])

    @app.exception_handler(RequestValidationError)
    def malformed(_request: Request, _error: RequestValidationError) -> JSONResponse:
        error = MalformedRequest("the body is not what this path takes")
        return JSONResponse(failure(error), STATUS[MalformedRequest])
