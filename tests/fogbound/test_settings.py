"""Presets: which is chosen, what is refused, what is written back; keys are never shown."""

import json
import re
from pathlib import Path

import pytest
from eth_account import Account

from fogbound.clocks import CLOCKS, TIME_CONTROLS, Clocks, TimeControl
from fogbound.contracts import Deployment
from fogbound.errors import SettingsInvalid
from fogbound.settings import load_preset, preset_registry, write_back
from frontend.app.settings import load_settings

KEY = "0x" + "5e" * 32


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("PRESET", raising=False)
    (tmp_path / ".env.far").write_text(
        f"CHAIN_ID=11155111\nRPC_URL=https://far.example\nPRIVATE_KEY_A={KEY}\n"
    )
    return tmp_path


def test_without_files_the_preset_is_local(folder):
    preset = load_preset(folder=folder)
    assert (preset.name, preset.chain_id) == ("local", 31337)


def test_env_names_the_preset(folder):
    (folder / ".env").write_text("PRESET=far\n")
    preset = load_preset(folder=folder)
    assert (preset.name, preset.chain_id) == ("far", 11155111)
    assert (preset.clocks, preset.time_controls) == (CLOCKS, TIME_CONTROLS)


def test_clocks_and_time_controls_are_seconds(folder):
    (folder / ".env.far").write_text("CLOCKS=600, 100, 200\nTIME_CONTROLS=45:0,600\n")
    preset = load_preset("far", folder)
    assert preset.clocks == Clocks(wait=600, notice=100, proof=200)
    assert preset.time_controls == (TimeControl(45, 0), TimeControl(600, 3))


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("CLOCKS=600,100", "clocks '600,100'"),
        ("CLOCKS=0,100,200", "1 s at least"),
        ("CLOCKS=600,100,29", "30 s for a proof"),
        ("TIME_CONTROLS=29", "'29' is not"),
        ("TIME_CONTROLS=60:4", "'60:4' is not"),
        ("TIME_CONTROLS=60,60,60,60,60", "four at most"),
        ("TIME_CONTROLS=-60", "'-60' is not"),
    ],
)
def test_clocks_that_a_table_would_refuse(folder, line, part):
    (folder / ".env.far").write_text(f"{line}\n")
    with pytest.raises(SettingsInvalid, match=re.escape(part)):
        load_preset("far", folder)


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


def test_without_key_and_key_file_the_key_is_asked_for(folder):
    with pytest.raises(SettingsInvalid, match="DEPLOYER_KEY is not set"):
        load_preset("far", folder).deployer(lambda _: PASSPHRASE)


@pytest.mark.parametrize(
    "line",
    [
        "PRESET=far",
        "PRESET=far # my chain",
        "PRESET = far",
        "export PRESET=far",
        " PRESET=far",
        "\ufeffPRESET=far",
        'PRESET="far"',
        "PRESET='far'  # mine",
        "# which\n\nPRESET=far\r",
    ],
)
def test_the_preset_is_named_in_any_form_of_dotenv(folder, line):
    (folder / ".env").write_text(f"{line}\n")
    assert load_preset(folder=folder).name == "far"


ADDRESS = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0"


@pytest.mark.parametrize("form", ['"{}"', "'{}'", " {}", "{} # the first one", "{}\r"])
def test_an_address_in_any_form_is_deployed(folder, form):
    lines = f"Sandbox_ADDRESS={form.format(ADDRESS)}\nexport Sandbox_BLOCK={form.format(7)}\n"
    (folder / ".env.far").write_text(lines)
    preset = load_preset("far", folder)
    found = preset_registry(preset, folder).find("Sandbox", preset.chain_id)
    assert (found.address, found.block) == (ADDRESS, 7)
    write_back(preset, Deployment("Sandbox", "0x" + "00" * 20, preset.chain_id, 9), folder)
    text = (folder / ".env.far").read_text()
    assert text.count("Sandbox_ADDRESS=0x00") == text.count("Sandbox_BLOCK=9") == 1
    assert ADDRESS not in text
    assert text.count("# the first one") == lines.count("# the first one")


def test_writing_back_keeps_comments_and_line_ends(folder):
    before = "# mine\r\n\r\nCHAIN_ID=7 # that one\r\n\r\nSandbox_BLOCK=1 # old\r\n# end"
    (folder / ".env.far").write_bytes(before.encode())
    preset = load_preset("far", folder)
    write_back(preset, Deployment("Sandbox", ADDRESS, 7, 2), folder)
    after = (folder / ".env.far").read_bytes().decode()
    assert after == before.replace("=1 # old", "=2 # old") + f"\nSandbox_ADDRESS={ADDRESS}\n"


SECRET = "hunter2"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            f"CHAIN_ID=1\n\nRPC_ULR={SECRET}",
            ".env.far, line 3: RPC_ULR means nothing here; is RPC_URL meant?",
        ),
        (f"chain_id={SECRET}", ".env.far, line 1: chain_id means nothing here; is CHAIN_ID meant?"),
        (f"QQQ={SECRET}", ".env.far, line 1: QQQ means nothing here"),
        (f"# c\n{SECRET} {SECRET}", ".env.far, line 2: NAME=value is expected"),
        (f"\n\n{SECRET}", ".env.far, line 3: NAME=value is expected"),
        (f"DEPLOYER_KEY='{SECRET}", ".env.far, line 1: NAME=value is expected"),
        (f"Sandbox_ADDRESS={SECRET}", ".env.far, line 1: Sandbox_ADDRESS is no address"),
        (f"Sandbox_BLOCK={SECRET}", ".env.far, line 1: Sandbox_BLOCK is no block"),
        (f"CHAIN_ID=1\nCHAIN_ID={SECRET}", ".env.far, line 2: CHAIN_ID stands in line 1 already"),
        (f"RPC_URL={SECRET}", ".env.far: RPC_URL is malformed"),
        (f"WS_URL=http://{SECRET}", ".env.far: WS_URL is malformed"),
        (f"POOL_OWNER={SECRET}", ".env.far: POOL_OWNER is malformed"),
        ("\0", ".env.far is no text of at most 1048576 bytes"),
    ],
)
def test_a_line_that_says_nothing_is_named_without_its_value(folder, text, words):
    (folder / ".env.far").write_text(text)
    with pytest.raises(SettingsInvalid) as caught:
        load_preset("far", folder)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("CHAIN_ID=7", ".env, line 1: CHAIN_ID belongs into .env.<preset>"),
        ("PRESTE=far", ".env, line 1: PRESTE means nothing here; is PRESET meant?"),
        ("PRESET", ".env, line 1: NAME=value is expected"),
    ],
)
def test_so_it_is_in_the_file_that_names_the_preset(folder, text, words):
    (folder / ".env").write_text(text)
    with pytest.raises(SettingsInvalid) as caught:
        load_preset(folder=folder)
    assert str(caught.value) == words


def test_a_file_that_cannot_be_read(folder):
    (folder / ".env.dir").mkdir()
    with pytest.raises(SettingsInvalid, match=r"\.env\.dir cannot be read: is a directory"):
        load_preset("dir", folder)
    (folder / ".env.far").write_bytes("CHAIN_ID=1".encode("utf-16"))
    with pytest.raises(SettingsInvalid, match=r"\.env\.far is no text"):
        load_preset("far", folder)


def test_the_data_folder_is_the_presets_unless_one_is_given(folder, monkeypatch):
    (folder / ".env.far").write_text("FOGBOUND_DATA=/srv/far\nWS_URL=wss://far.example\n")
    preset = load_preset("far", folder)
    assert preset.ws_url == "wss://far.example"
    assert preset.folder(None) == Path("/srv/far")
    assert preset.folder(Path("/other")) == Path("/other")
    monkeypatch.chdir(folder)
    assert load_settings(preset="far").folder == Path("/srv/far/web")
    assert load_settings(preset="far", data=Path("/other")).data == Path("/other")
