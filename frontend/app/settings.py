"""How the web app runs: what an operator sets, by the command's options or by FOGBOUND_WEB_* variables."""

from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from fogbound.errors import SettingsInvalid
from fogbound.locks import DATA

LOOPBACK, EVERYWHERE = "127.0.0.1", ("0.0.0.0", "::")
PAGE = Path(__file__).parents[1] / "web" / "dist"


class WebSettings(BaseSettings):
    """Amounts are in wei, rates per second and client; `database` is SQLAlchemy's URL.

    `request_seconds`: in which a request's head must have come, and as many again for its body.

    `preset`: whose chain is served; None: that of the stack on `data`. `names`: by which other names than
    localhost browsers may call this server. `proxies`: whose X-Forwarded-For is believed (addresses or
    networks; none by default). `bots`: whether bots play; None: on a local chain only. `bot_stake_limit`:
    what one stakes; None: up to an ether on a local chain, nothing elsewhere.
    """

    model_config = SettingsConfigDict(env_prefix="FOGBOUND_WEB_", frozen=True)

    data: Path = DATA
    preset: str | None = None
    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=1, le=65535)
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    page: Path = PAGE
    database: str | None = Field(default=None, repr=False)

    requests_per_second: float = Field(default=200.0, gt=0)
    request_seconds: float = Field(default=60.0, gt=0)
    connections_per_client: int = Field(default=200, ge=1)
    streams_per_client: int = Field(default=24, ge=1)
    faucet_wei: int = Field(default=5 * 10**18, gt=0)
    bots: bool | None = None
    bot_stake_limit: int | None = Field(default=None, ge=0)

    @property
    def reached_at(self) -> str:
        """The address by which this machine reaches the server."""
        return LOOPBACK if self.host in EVERYWHERE else self.host

    @property
    def known_as(self) -> tuple[str, ...]:
        """The names by which browsers may call the server, besides the local ones."""
        return (*self.names, self.reached_at)

    @property
    def folder(self) -> Path:
        """Where the web app keeps what is its own."""
        return self.data / "web"


def load_settings(**given: Any) -> WebSettings:
    """What is given (None: not), else the environment's, else the defaults. Raises SettingsInvalid.

    The data folder may also be the preset's.
    """
    if given.get("data") is None and given.get("preset") is not None:
        from fogbound.settings import load_preset  # and with it much that `play` does not need

        given["data"] = load_preset(given["preset"]).data
    try:
        return WebSettings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        wrong = ", ".join(str(each["loc"][0]) for each in error.errors())
        raise SettingsInvalid(f"web app: {wrong} is malformed") from None
