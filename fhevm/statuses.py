"""The one place where errors become HTTP answers and back."""

from typing import Any, NoReturn

from fhevm import errors
from fhevm.errors import ServiceError, Unavailable
from fhevm.wire import Failed

STATUS: dict[type[ServiceError], int] = {
    errors.MalformedRequest: 422,
    errors.InputRefused: 422,
    errors.TooLarge: 413,
    errors.SignatureRefused: 401,
    errors.NotAllowed: 403,
    errors.RequestExpired: 410,
    errors.RequestTooEarly: 425,
    errors.UnknownHandle: 404,
    errors.UnknownJob: 404,
    errors.TooManyRequests: 429,
    errors.NotComputedYet: 504,
    errors.ComputationFailed: 500,
    errors.Unavailable: 503,
}
_BY_LABEL = {error.__name__: error for error in STATUS}


def failure(error: ServiceError) -> dict[str, Any]:
    """The JSON of a failed request."""
    return {
        "status": "failed",
        "error": {"label": type(error).__name__, "message": str(error)},
    }


def raise_failure(answer: Any) -> NoReturn:
    """Raise the error that `failure` wrote; Unavailable where something else answered."""
    fault = Failed.parse(answer).error
    if fault.label not in _BY_LABEL:
        raise Unavailable("something that is no gateway answers there")
    raise _BY_LABEL[fault.label](fault.message)
