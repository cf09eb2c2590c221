"""What the page must know of this server and its chain."""

from fastapi import APIRouter

from frontend.app.api.models import (
    BlockModel,
    BotModel,
    Clocks,
    ConfigModel,
    Control,
    FaucetModel,
    KindModel,
)
from frontend.app.api.parameters import failures
from frontend.app.errors import UpstreamFailed
from frontend.app.index.ratings import LEAST_STAKE
from frontend.app.index.reader import Reader
from frontend.app.index.schema import CursorRow
from frontend.app.services import Needed, Services

router = APIRouter(tags=["config"])


@router.get("/api/config", responses=failures(502))
def read_config(services: Needed) -> ConfigModel:
    """The chain, where the games are on it, the bots, the faucet."""
    reader = services.indexing.reader
    cursor = _cursor(services)
    return ConfigModel(
        chain_id=reader.chain.chain_id,
        local=reader.is_local,
        sequence=cursor.sequence,
        block=BlockModel(number=cursor.block, timestamp=cursor.timestamp),
        games={name: _kind(reader, name) for name in reader.specs},
        bots=[BotModel.model_validate(bot) for bot in services.bots.offered()],
        faucet=FaucetModel(wei=str(services.settings.faucet_wei)) if reader.is_local else None,
        least_rated_stake=str(LEAST_STAKE),
    )


def _cursor(services: Services) -> CursorRow:
    cursor = services.database.cursor()
    if cursor is None:
        raise UpstreamFailed("nothing was read from the chain yet")
    return cursor


def _kind(reader: Reader, name: str) -> KindModel:
    deployment = reader.deployments[name]
    return KindModel(
        contract=deployment.address,
        encrypted=reader.specs[name].encrypted,
        clocks=Clocks.model_validate(reader.clocks[name]),
        controls=[Control.model_validate(each) for each in reader.controls[name]],
        deployment_block=deployment.block,
    )
