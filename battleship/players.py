"""Who plays, and where: an account from a key or a preset, and its client on the preset's chain."""

from pathlib import Path

from eth_account.signers.local import LocalAccount

from battleship.client import BattleshipClient
from battleship.game import GAME
from fhevm.devchain import dev_accounts
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.errors import SettingsInvalid
from fogbound.settings import Preset, preset_registry
from fogbound.stackinfo import StackInfo
from fogbound.transactions import account_from_key

LETTERS = ("A", "B")


def choose_account(
    preset: Preset, letter: str | None, address: str | None, key: str | None
) -> LocalAccount:
    """The account of `key`, which `address` must be of; else the preset's player A or B.

    The local preset has players of its own where its file names none. Raises SettingsInvalid.
    """
    if key is not None:
        return _checked(key, address)
    if letter not in LETTERS:
        raise SettingsInvalid("say who plays: -a ADDRESS -k KEY, or -p A or -p B")
    if preset.name == "local" and getattr(preset, f"private_key_{letter.lower()}") is None:
        return dev_accounts()[1 + LETTERS.index(letter)]
    return preset.player(letter)


def connect(preset: Preset, account: LocalAccount, data: Path | None = None) -> BattleshipClient:
    """The account's client at the preset's contract; for the local preset, at the stack on `data`.

    Raises StackNotRunning, ChainUnreachable, WrongChain, NotDeployed, ChainReset.
    """
    registry = preset_registry(preset)
    url, chain_id = preset.rpc_url, preset.chain_id
    if preset.name == "local" and not registry.on_chain(chain_id):
        folder = data or preset.data
        info = StackInfo.read(folder)
        registry, url, chain_id = Registry(folder / "deployments.json"), info.rpc, info.chain_id
    chain = Chain.connect(url, expected=chain_id)
    client: BattleshipClient = Connection(chain, registry).client(GAME, account)
    return client


def _checked(key: str, address: str | None) -> LocalAccount:
    try:
        account = account_from_key(key)
    except (ValueError, TypeError):
        raise SettingsInvalid("that is no private key") from None
    if address is not None and address.lower() != account.address.lower():
        raise SettingsInvalid(f"the key is not that of {address}")
    return account
