"""The one place where errors become HTTP answers: {"error": {"code", "message"}}."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from frontend.app.errors import Malformed, TooManyRequests, WebError

CODES = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}


def refusal(error: WebError) -> JSONResponse:
    """The answer to a request that failed."""
    wait = {"retry-after": str(error.seconds)} if isinstance(error, TooManyRequests) else {}
    return failed(error.status, error.code, str(error), wait)


def failed(status: int, code: str, message: str, headers: dict[str, str]) -> JSONResponse:
    """An answer in the API's form."""
    return JSONResponse({"error": {"code": code, "message": message}}, status, headers)


def answer_errors(app: FastAPI) -> None:
    """Answer WebErrors, malformed requests and unknown paths in the API's form."""

    @app.exception_handler(WebError)
    def refused(_request: Request, error: WebError) -> JSONResponse:
        return refusal(error)

    @app.exception_handler(RequestValidationError)
    def malformed(_request: Request, error: RequestValidationError) -> JSONResponse:
        places = sorted({".".join(str(part) for part in each["loc"]) for each in error.errors()})
        return refusal(Malformed(f"not as this path takes it: {', '.join(places)}"))

    @app.exception_handler(HTTPException)
    def unknown(_request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 400:  # a body that is no text
            return refusal(Malformed("the body is no JSON"))
        code = CODES.get(error.status_code, "failed")
        return failed(error.status_code, code, str(error.detail), dict(error.headers or {}))
