"""Presets: which is chosen, what is refused, what is written back; keys are never shown."""

import json

import pytest
from eth_account import Account

from fogbound.contracts import Deployment
from fogbound.errors import SettingsInvalid
from fogbound.settings import load_preset, preset_registry, write_back

KEY = "0x" + "5e" * 32


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("PRESET", raising=False)
    (tmp_path / ".env.far").write_text(
        f"CHAIN_ID=11155111\nRPC_URL=https://far.example\nPRIVATE_KEY_A={KEY}\nCLOCK_BLOCKS=300\n"
    )
    return tmp_path


def test_without_files_the_preset_is_local(folder):
    preset = load_preset(folder=folder)
    assert (preset.name, preset.chain_id) == ("local", 31337)


def test_env_names_the_preset(folder):
    (folder / ".env").write_text("PRESET=far\n")
    preset = load_preset(folder=folder)
    assert (preset.name, preset.chain_id, preset.clock_blocks) == ("far", 11155111, 300)


def test_the_environment_goes_first(folder, monkeypatch):
    monkeypatch.setenv("PRESET", "far")
    monkeypatch.setenv("RPC_URL", "https://other.example")
    assert load_preset(folder=folder).rpc_url == "https://other.example"


def test_keys_sign_but_are_never_shown(folder):
    preset = load_preset("far", folder)
    assert preset.account("private_key_a").key.hex() == KEY.removeprefix("0x")
    assert KEY not in repr(preset) + str(preset) + preset.model_dump_json()


@pytest.mark.parametrize("name", ["nowhere", "../far", ""])
def test_a_preset_that_is_not_there(folder, name):
    if name:
        with pytest.raises(SettingsInvalid):
            load_preset(name, folder)
    else:
        assert load_preset(name, folder).name == "local"


def test_a_missing_key_is_named(folder):
    with pytest.raises(SettingsInvalid, match=r"PRIVATE_KEY_B is not set in \.env\.far"):
        load_preset("far", folder).account("private_key_b")


def test_a_malformed_key_is_named_but_not_shown(folder):
    (folder / ".env.far").write_text("PRIVATE_KEY_A=0x1234notakey\n")
    with pytest.raises(SettingsInvalid, match="PRIVATE_KEY_A") as caught:
        load_preset("far", folder).account("private_key_a")
    assert "1234" not in str(caught.value)


def test_a_malformed_number_is_named(folder):
    (folder / ".env.far").write_text("CHAIN_ID=many\n")
    with pytest.raises(SettingsInvalid, match="CHAIN_ID"):
        load_preset("far", folder)


def test_addresses_are_written_back_and_read_again(folder):
    preset = load_preset("far", folder)
    made = Deployment("Sandbox", "0x" + "Ab" * 20, preset.chain_id, 77)
    write_back(preset, Deployment("Sandbox", "0x" + "00" * 20, preset.chain_id, 1), folder)
    write_back(preset, made, folder)
    write_back(preset, Deployment("Other", "0x" + "11" * 20, preset.chain_id, 5), folder)
    assert preset_registry(preset, folder).find("Sandbox", preset.chain_id) == made
    text = (folder / ".env.far").read_text()
    assert text.count("Sandbox_ADDRESS") == 1
    assert f"PRIVATE_KEY_A={KEY}" in text
    assert (folder / ".env.far").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("letter", ["A", "B"])
def test_a_player_has_the_address_that_is_named(folder, letter):
    address = Account.from_key(KEY).address
    for named in (address, address.lower()):
        write_player(folder, letter, named)
        assert load_preset("far", folder).player(letter).address == address
    write_player(folder, letter, "0x" + "11" * 20)
    with pytest.raises(SettingsInvalid, match=f"PRESET_{letter}_ADDRESS .* {address}") as caught:
        load_preset("far", folder).player(letter)
    assert KEY not in str(caught.value)


def write_player(folder, letter, address):
    lines = f"PRESET_{letter}_PRIVATE_KEY={KEY}\nPRESET_{letter}_ADDRESS={address}\n"
    (folder / ".env.far").write_text(lines)


PASSPHRASE = "a very long evening"


@pytest.fixture
def keystore(folder):
    """With an account named `me`, as ape keeps it, and a preset that names it."""
    (folder / "accounts").mkdir()
    encrypted = Account.encrypt(KEY, PASSPHRASE, iterations=2)
    (folder / "accounts" / "me.json").write_text(json.dumps(encrypted))
    (folder / ".env.far").write_text(f"DEPLOY_ACCOUNT_NAME=me\nKEYSTORE={folder / 'accounts'}\n")
    return folder / "accounts"


def test_the_deployer_is_kept_encrypted(folder, keystore):
    asked = []
    deployer = load_preset("far", folder).deployer(lambda words: asked.append(words) or PASSPHRASE)
    assert deployer.key.hex() == KEY.removeprefix("0x")
    assert asked == ["Passphrase of me"]


def test_a_key_goes_before_the_key_file(folder, keystore):
    with (folder / ".env.far").open("a") as file:
        file.write(f"DEPLOYER_KEY={'0x' + '77' * 32}\n")
    deployer = load_preset("far", folder).deployer(lambda _: pytest.fail("asked"))
    assert deployer.key.hex() == "77" * 32


@pytest.mark.parametrize("given", ["", "a very long night"])
def test_another_passphrase_is_refused_and_not_shown(folder, keystore, given):
    with pytest.raises(SettingsInvalid, match=r"me\.json does not open") as caught:
        load_preset("far", folder).deployer(lambda _: given)
    assert not given or given not in str(caught.value)


@pytest.mark.parametrize("content", [None, "no json", "{}"])
def test_a_key_file_that_is_none_is_named(folder, keystore, content):
    file = keystore / "me.json"
    file.write_text(content) if content else file.unlink()
    with pytest.raises(SettingsInvalid, match="me"):
        load_preset("far", folder).deployer(lambda _: PASSPHRASE)


def test_without_key_and_key_file_the_key_is_asked_for(folder):
    with pytest.raises(SettingsInvalid, match="DEPLOYER_KEY is not set"):
        load_preset("far", folder).deployer(lambda _: PASSPHRASE)
