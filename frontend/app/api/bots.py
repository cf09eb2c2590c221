"""Bots: who they are, and asking one to play."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BeforeValidator, Field

from frontend.app.api.models import ApiModel, BotModel, RequestModel
from frontend.app.api.parameters import Kind, failures
from frontend.app.bots.service import BotService
from frontend.app.limits import client_of
from frontend.app.services import Needed


def whole(value: object) -> object:
    """JSON knows one kind of number: 7.0 is the integer 7."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class BotList(ApiModel):
    """All bots that can be asked now, the default one of each game first."""

    bots: list[BotModel]


class Invitation(RequestModel):
    """Which game to join. `signature`: of whoever opened it, where it was not opened for a bot."""

    id: Annotated[int, Field(ge=1, le=2**53 - 1), BeforeValidator(whole)]
    signature: Annotated[str | None, Field(pattern=r"^0x[0-9a-fA-F]{130}$")] = None


def bots_router(bots: BotService) -> APIRouter:
    """The two paths."""
    router = APIRouter(tags=["bots"])

    @router.get("/api/bots", responses=failures())
    def list_bots() -> BotList:
        """The bots of this server."""
        return BotList(bots=[BotModel.model_validate(bot) for bot in bots.offered()])

    @router.post(
        "/api/bots/{kind}", status_code=202, responses=failures(403, 404, 409, 413, 422, 502)
    )
    def ask_bot(services: Needed, request: Request, kind: Kind, invitation: Invitation) -> BotModel:
        """Let a bot join a game; it plays it to its end. Asked again, it just says who plays.

        `signature`: by personal_sign of `Fogbound: let a bot join {kind} game {id} at {contract}`.
        """
        services.spec(kind)
        client = client_of(request.scope)
        bot = bots.invite(kind, invitation.id, invitation.signature, client)
        return BotModel.model_validate(bot)

    return router
