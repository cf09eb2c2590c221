"""Settings: `.env` names a preset, `.env.<preset>` describes one chain and who plays there.

`.env` holds `PRESET=local`. A variable of the environment goes before the files. Addresses of deployed
games are written back to the preset's file as `<CONTRACT>_ADDRESS` and `<CONTRACT>_BLOCK`.
"""

import os
import re
from pathlib import Path

from eth_account.signers.local import LocalAccount
from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from fogbound.contracts import Deployment, Registry
from fogbound.errors import SettingsInvalid
from fogbound.keystore import Ask, kept_in_keystore
from fogbound.transactions import account_from_key

ADDRESS = re.compile(r"^([A-Za-z0-9]+)_ADDRESS=(0x[0-9a-fA-F]{40})\s*$", re.MULTILINE)
BLOCK = re.compile(r"^([A-Za-z0-9]+)_BLOCK=(\d+)\s*$", re.MULTILINE)


def _player(letter: str) -> AliasChoices:
    return AliasChoices(f"PRESET_{letter}_PRIVATE_KEY", f"PRIVATE_KEY_{letter}")


class Preset(BaseSettings):
    """One chain. Private keys are never shown: `reveal` a secret only to sign with it."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    name: str = Field(default="local", exclude=True)
    chain_id: int = 31337
    rpc_url: str = "http://127.0.0.1:8545"
    deploy_rpc_url: str | None = None  # where another node is better for deploying
    gateway_url: str | None = None
    pool_owner: str | None = None  # default: the deployer
    clock_blocks: int = Field(default=240, ge=1)
    private_key_a: SecretStr | None = Field(default=None, validation_alias=_player("A"))
    private_key_b: SecretStr | None = Field(default=None, validation_alias=_player("B"))
    preset_a_address: str | None = None  # where given, the key must be that account's
    preset_b_address: str | None = None
    deployer_key: SecretStr | None = None
    deploy_account_name: str | None = None  # instead of the key: a file in `keystore`
    keystore: Path = Path.home() / ".ape" / "accounts"
    keeper_key: SecretStr | None = None
    data: Path = Field(default=Path(".fogbound"), validation_alias="FOGBOUND_DATA")

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
        """The account of player A or B. Raises SettingsInvalid, also where his address is another's."""
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
    """The named preset, else the one that `.env` (or $PRESET) names, else the local defaults.

    Raises SettingsInvalid, naming the variable but never its value.
    """
    chosen = name or os.environ.get("PRESET") or _named(folder / ".env")
    file = preset_file(chosen or "local", folder)
    if chosen and chosen != "local" and not file.exists():
        raise SettingsInvalid(f"preset {chosen}: there is no {file.name}")
    try:
        return Preset(_env_file=file, name=chosen or "local")  # type: ignore[call-arg]
    except ValidationError as error:
        wrong = ", ".join(str(each["loc"][0]).upper() for each in error.errors())
        raise SettingsInvalid(f"{file.name}: {wrong} is malformed") from None


def preset_file(name: str, folder: Path = Path()) -> Path:
    """Where a preset is kept. Raises SettingsInvalid for a name that is no file name."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        raise SettingsInvalid(f"preset {name!r}: use letters, digits, - and _")
    return folder / f".env.{name}"


def preset_registry(preset: Preset, folder: Path = Path()) -> Registry:
    """The deployments whose addresses stand in the preset's file."""
    file = preset_file(preset.name, folder)
    text = file.read_text() if file.exists() else ""
    blocks = dict(BLOCK.findall(text))
    registry = Registry()
    for contract, address in ADDRESS.findall(text):
        block = int(blocks.get(contract, 0))
        registry.add(Deployment(contract, address, preset.chain_id, block))
    return registry


def write_back(preset: Preset, deployment: Deployment, folder: Path = Path()) -> None:
    """Put a deployment into the preset's file; every other line stays as it is."""
    file = preset_file(preset.name, folder)
    text = file.read_text() if file.exists() else ""
    for key, value in (("ADDRESS", deployment.address), ("BLOCK", str(deployment.block))):
        line = f"{deployment.contract}_{key}={value}"
        text, replaced = re.subn(rf"(?m)^{deployment.contract}_{key}=.*$", line, text)
        if not replaced:
            text = f"{text.rstrip()}\n{line}\n".lstrip("\n")
    partial = file.with_name(f"{file.name}.{os.getpid()}")
    partial.touch(mode=0o600)
    partial.write_text(text)
    partial.replace(file)


def _named(file: Path) -> str | None:
    text = file.read_text() if file.exists() else ""
    found = re.search(r"(?m)^PRESET=(\S+)\s*$", text)
    return found.group(1) if found else None
