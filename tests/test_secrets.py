"""What a traceback, a log or a debugger shows of an object holds no secret."""

import importlib
import pkgutil
from dataclasses import fields, is_dataclass

import pytest

import battleship
import bunkerwar
import fhevm
import fogbound
import frontend.app
from battleship.board_keys import BoardKeys
from battleship.commitment import Commitment
from bunkerwar.play import Seats
from fhevm.backends.base import FheKeys
from fhevm.backends.concrete.keys import SecretKey
from fhevm.host import HostSigners
from fhevm.keys import CoprocessorKeys, HostKeys, KmsKeys
from fhevm.kms import _Reading
from fhevm.permits import Permit
from fogbound.settings import Preset
from frontend.app.bots.accounts import Bot

HOLDERS = {
    FheKeys: {"secret"},
    SecretKey: {"ring", "small"},
    KmsKeys: {"secret", "signer", "hpke"},
    CoprocessorKeys: {"attestation"},
    HostKeys: {"owner"},
    Permit: {"private_key"},
    Seats: {"player", "bot"},
    Bot: {"secret"},
    BoardKeys: {"secret"},
    Commitment: {"placement", "seed"},
}
PUBLIC = {HostSigners, _Reading}  # addresses
NAMES = {"secret", "private_key", "private", "token", "attestation", "signer", "owner", "mnemonic"}


@pytest.mark.parametrize(("holder", "secrets"), HOLDERS.items())
def test_no_secret_in_a_repr(holder, secrets):
    names = [each.name for each in fields(holder)]
    assert secrets < set(names)
    shown = repr(holder(**{name: f"<{name}>" for name in names}))
    assert [name for name in secrets if f"<{name}>" in shown] == []


def test_no_private_key_in_the_repr_of_settings():
    names = ("private_key_a", "private_key_b", "deployer_key", "keeper_key")
    preset = Preset(**{name: f"0x{name}" for name in names})
    assert [name for name in names if f"0x{name}" in repr(preset)] == []


def modules():
    for package in (fhevm, fogbound, bunkerwar, battleship, frontend.app):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(found.name)


def test_every_class_that_holds_a_secret_is_looked_at():
    """A new class with a field of such a name must hide it, and be listed above."""
    holders = {
        each
        for module in modules()
        for each in vars(module).values()
        if isinstance(each, type) and is_dataclass(each) and each.__module__ == module.__name__
        if NAMES & {field.name for field in fields(each)}
    }
    assert holders - set(HOLDERS) == PUBLIC
    assert {FheKeys, KmsKeys, HostKeys} < holders
