"""Every error that this package raises. Each is answered with its `status` and `code`.

WebError
├── Malformed             422  the request is not what this path takes
├── NotFound              404  nothing is there
├── Refused               403  not for this caller
│   ├── ForeignPage       403  a page of another origin, or a name that is not this server's, asks
│   └── NotPermitted      403  only somebody else may do this
├── Conflict              409  not as things stand now
│   ├── NotNeeded         409  it is so already
│   ├── BotUnwilling      409  the bot does not play that game
│   └── NotOffered        409  not on this chain
├── TooLarge              413  the body is too large
├── TooSlow               408  the body takes too long to come
├── TooManyRequests       429  this caller asks too often
├── UpstreamFailed        502  the chain or the gateway does not answer
│   └── UpstreamSlow      504  … in time
└── Overtaken             500  another process has moved the index: never answered, tried again
"""

from typing import ClassVar


class WebError(Exception):
    """Root of this package's errors; the message is one sentence for whoever asked."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "failed"


class Malformed(WebError):
    """The request is not what this path takes."""

    status, code = 422, "malformed"


class NotFound(WebError):
    """Nothing is there."""

    status, code = 404, "not_found"


class Refused(WebError):
    """Not for this caller."""

    status, code = 403, "refused"


class ForeignPage(Refused):
    """A page of another origin, or a name that is not this server's, asks."""

    code = "foreign_page"


class NotPermitted(Refused):
    """Only somebody else may do this."""

    code = "not_permitted"


class Conflict(WebError):
    """Not as things stand now."""

    status, code = 409, "conflict"


class NotNeeded(Conflict):
    """It is so already."""

    code = "not_needed"


class BotUnwilling(Conflict):
    """The bot does not play that game."""

    code = "bot_unwilling"


class NotOffered(Conflict):
    """Not on this chain."""

    code = "not_offered"


class TooLarge(WebError):
    """The body is too large."""

    status, code = 413, "too_large"


class TooSlow(WebError):
    """The body takes too long to come."""

    status, code = 408, "too_slow"


class TooManyRequests(WebError):
    """This caller asks too often; `seconds` until they may ask again."""

    status, code = 429, "too_many_requests"

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class UpstreamFailed(WebError):
    """The chain or the gateway does not answer."""

    status, code = 502, "upstream_failed"


class AnswerTooLong(UpstreamFailed):
    """The chain or the gateway answers with more than is passed on."""


class UpstreamSlow(UpstreamFailed):
    """The chain or the gateway does not answer in time."""

    status, code = 504, "upstream_slow"


class EventMissing(WebError):
    """The chain did not tell all events of a game when they were read."""

    code = "event_missing"


class Overtaken(WebError):
    """Another process has moved the index since it was looked at."""

    code = "overtaken"
