"""Settings: `.env` names a preset, `.env.<preset>` describes one chain and who plays there.

`.env` holds `PRESET=local`. A variable of the environment goes before the files. Addresses of deployed
games are written back to the preset's file as `<CONTRACT>_ADDRESS` and `<CONTRACT>_BLOCK`.
"""

import os
import re
from collections.abc import Callable, Collection
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

from eth_account.signers.local import LocalAccount
from pydantic import (
    AliasChoices,
    BeforeValidator,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from fogbound.clocks import (
    CLOCKS,
    TIME_CONTROLS,
    Clocks,
    TimeControl,
    parse_clocks,
    parse_controls,
)
from fogbound.contracts import Deployment, Registry
from fogbound.envfile import EnvFile
from fogbound.errors import SettingsInvalid
from fogbound.keystore import Ask, kept_in_keystore
from fogbound.transactions import account_from_key

DEPLOYED = re.compile(r"(?P<contract>[A-Za-z0-9]+)_(?P<what>ADDRESS|BLOCK)")
VALUES = {"ADDRESS": r"0x[0-9a-fA-F]{40}", "BLOCK": r"[0-9]{1,15}"}
Http = Annotated[str, StringConstraints(pattern=r"^https?://[^\s]+$")]
WebSocket = Annotated[str, StringConstraints(pattern=r"^wss?://[^\s]+$")]
Address = Annotated[str, StringConstraints(pattern=r"^0x[0-9a-fA-F]{40}$")]


def _player(letter: str) -> AliasChoices:
    return AliasChoices(f"PRESET_{letter}_PRIVATE_KEY", f"PRIVATE_KEY_{letter}")


def _parsed(parse: Callable[[str], object]) -> BeforeValidator:
    return BeforeValidator(lambda value: parse(value) if isinstance(value, str) else value)


ClocksSetting = Annotated[Clocks, NoDecode, _parsed(parse_clocks)]
ControlsSetting = Annotated[tuple[TimeControl, ...], NoDecode, _parsed(parse_controls)]


class Preset(BaseSettings):
    """One chain. Private keys are never shown: `reveal` a secret only to sign with it."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    name: str = Field(default="local", exclude=True)
    chain_id: int = 31337
    rpc_url: Http = "http://127.0.0.1:8545"
    ws_url: WebSocket | None = None  # where the node tells of new blocks; without it, it is asked
    deploy_rpc_url: Http | None = None  # where another node is better for deploying
    gateway_url: Http | None = None
    pool_owner: Address | None = None  # default: the deployer
    clocks: ClocksSetting = CLOCKS
    time_controls: ControlsSetting = TIME_CONTROLS
    private_key_a: SecretStr | None = Field(default=None, validation_alias=_player("A"))
    private_key_b: SecretStr | None = Field(default=None, validation_alias=_player("B"))
    preset_a_address: str | None = None  # where given, the key must be that account's
    preset_b_address: str | None = None
    deployer_key: SecretStr | None = None
    deploy_account_name: str | None = None  # instead of the key: a file in `keystore`
    keystore: Path = Path.home() / ".ape" / "accounts"
    keeper_key: SecretStr | None = None
    data: Path = Field(default=Path(".fogbound"), validation_alias="FOGBOUND_DATA")

    def folder(self, given: Path | None) -> Path:
        """The data folder: the one that a command was given, else this preset's."""
        return self.data if given is None else given

    def account(self, field: str) -> LocalAccount:
        """The account of a key such as `private_key_a`. Raises SettingsInvalid."""
        secret: SecretStr | None = getattr(self, field)
        if secret is None:
            raise SettingsInvalid(f"{field.upper()} is not set in .env.{self.name}")
        try:
            return account_from_key(secret.get_secret_value())
        except (ValueError, TypeError):
            raise SettingsInvalid(f"{field.upper()} in .env.{self.name} is no key") from None

    def player(self, letter: str) -> LocalAccount:
        """The account of player A or B. Raises SettingsInvalid, also where their address is another's."""
        account = self.account(f"private_key_{letter.lower()}")
        named: str | None = getattr(self, f"preset_{letter.lower()}_address")
        if named is not None and named.lower() != account.address.lower():
            wrong = f"PRESET_{letter}_ADDRESS in .env.{self.name} is not the key's"
            raise SettingsInvalid(f"{wrong}, {account.address}")
        return account

    def deployer(self, ask: Ask) -> LocalAccount:
        """Who deploys: by key, or by an encrypted key file whose passphrase `ask` gets.

        Raises SettingsInvalid.
        """
        if self.deployer_key is None and self.deploy_account_name is not None:
            return kept_in_keystore(self.keystore, self.deploy_account_name, ask)
        return self.account("deployer_key")


def load_preset(name: str | None = None, folder: Path = Path()) -> Preset:
    """The named preset, else the one that $PRESET or `.env` names, else the local defaults.

    Raises SettingsInvalid, naming file, line and variable but never its value.
    """
    chosen = name or os.environ.get("PRESET") or _named(folder) or "local"
    file = preset_file(chosen, folder)
    if chosen != "local" and not file.exists():
        raise SettingsInvalid(f"preset {chosen}: there is no {file.name}")
    _known_only(EnvFile(file), VARIABLES)
    try:
        return Preset(_env_file=file, _env_file_encoding="utf-8-sig", name=chosen)  # type: ignore[call-arg]
    except ValidationError as error:
        wrong = ", ".join(_variable(each["loc"][0]) for each in error.errors())
        raise SettingsInvalid(f"{file.name}: {wrong} is malformed") from None


def preset_file(name: str, folder: Path = Path()) -> Path:
    """Where a preset is kept. Raises SettingsInvalid for a name that is no file name."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        raise SettingsInvalid(f"preset {name!r}: use letters, digits, - and _")
    return folder / f".env.{name}"


def preset_registry(preset: Preset, folder: Path = Path()) -> Registry:
    """The deployments whose addresses stand in the preset's file. Raises SettingsInvalid."""
    file = EnvFile(preset_file(preset.name, folder))
    registry = Registry()
    for name, value in file.values.items():
        if (found := DEPLOYED.fullmatch(name)) and found["what"] == "ADDRESS":
            contract = found["contract"]
            block = int(file.values.get(f"{contract}_BLOCK", "0"))
            registry.add(Deployment(contract, value, preset.chain_id, block))
    return registry


def write_back(preset: Preset, deployment: Deployment, folder: Path = Path()) -> None:
    """Put a deployment into the preset's file; every other line, and each comment, stays as it is.

    Raises SettingsInvalid.
    """
    file = EnvFile(preset_file(preset.name, folder))
    name = deployment.contract
    values = {f"{name}_ADDRESS": deployment.address, f"{name}_BLOCK": str(deployment.block)}
    file.write(file.with_values(values))


def _named(folder: Path) -> str | None:
    file = EnvFile(folder / ".env")
    for name in file.lines:
        if name.upper() in VARIABLES:
            raise file.error(name, "belongs into .env.<preset>")
    _known_only(file, {"PRESET"})
    return file.values.get("PRESET")


def _known_only(file: EnvFile, variables: Collection[str]) -> None:
    """A misspelt line must not mean another chain, or a second deployment."""
    for name, value in file.values.items():
        if (found := DEPLOYED.fullmatch(name)) and variables is VARIABLES:
            if not re.fullmatch(VALUES[found["what"]], value):
                raise file.error(name, f"is no {found['what'].lower()}")
        elif name not in variables:
            near = get_close_matches(name.upper(), variables, 1)
            hint = f"; is {near[0]} meant?" if near else ""
            raise file.error(name, f"means nothing here{hint}")


def _variable(place: int | str) -> str:
    """A field's name as it stands in a file."""
    return str(place).upper()


def _variables() -> frozenset[str]:
    names: set[str] = set()
    for name, field in Preset.model_fields.items():
        alias = field.validation_alias
        given = alias.choices if isinstance(alias, AliasChoices) else [alias or name]
        names |= {str(each).upper() for each in given}
    return frozenset(names - {"NAME"})


VARIABLES = _variables()
