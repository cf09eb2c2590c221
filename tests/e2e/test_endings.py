"""Clocks, proofs, voids and credits: what a game may come to when somebody, or something, does not act."""

import json
from functools import partial

import pytest
from eth_account import Account
from playwright.sync_api import expect

from bunkerwar.rules import Build, Cell, Missile
from tests.e2e.people import ETHER, PATIENCE
from tests.e2e.play import Battle, sit_down_to_battleship, sit_down_to_bunkerwar
from tests.e2e.stack import PROOF
from tests.e2e.texts import short, text


def expect_outcome(page, result, reason, share):
    for words in (text(f"game.result.{result}"), text(f"game.reason.{reason}"), share):
        expect(page.result).to_contain_text(words)


def test_more_time_is_taken_by_who_is_on_turn(host, guest, seed):
    battle = sit_down_to_bunkerwar(host, guest, seed)
    mover, waiter = battle.mover.bunkerwar, battle.players[1 - battle.state.turn].bunkerwar
    path = f"games/bunkerwar/{battle.game_id}"
    before = host.stack.api(path)["deadline"]
    expect(mover.action("keepAlive", count=3)).to_be_enabled()
    expect(waiter.action("keepAlive", count=3)).to_have_count(0)
    mover.action("keepAlive", count=3).click()
    expect(mover.action("keepAlive", count=2)).to_be_enabled()
    waiter.expect_moves(1)
    assert host.stack.api(path)["deadline"] > before
    assert host.stack.api(path)["onTurn"] == battle.state.turn


def test_a_winner_who_proves_nothing_is_paid_nothing(host, guest, seed):
    duel = sit_down_to_battleship(host, guest, seed, stake="1")
    while duel.afloat(1 - duel.state.turn) > 1 or duel.state.turn != duel.first:
        duel.step()
    shooter, target = duel.mover, duel.players[1 - duel.state.turn]
    last, path = duel.aim(), target.page.url
    target.page.close()
    shooter.battleship.expect_turn()
    shooter.battleship.fire(last)
    wait_for_events = partial(host.stack.wait_for_events, "battleship", duel.game_id)
    wait_for_events("ShotFired", duel.moves + 1)
    loser = shooter.battleship.address()
    shooter.page.close()
    target.battleship.open(path)
    wait_for_events("ProofAsked", 1)
    expect(target.battleship.result).to_be_visible(timeout=PATIENCE + 1000 * PROOF)
    expect_outcome(target.battleship, "won", "won", "1.98 ETH")
    missed = text("battleship.proof.missed", name=short(loser))
    expect(target.battleship.result).to_contain_text(missed)


def test_a_game_whose_decryption_never_comes_is_voided(host, guest, seed):
    choices = {"size": (2, 2), "stake": "0.5"}
    game_id = host.lobby.open().quick_match("bunkerwar", **choices)
    guest.lobby.open().quick_match("bunkerwar", **choices)
    battle = Battle((host, guest), (2, 2), game_id, seed)
    battle.make(Build(0, 0, Cell.HOUSE))
    with host.stack.held("coprocessor"):
        battle.mover.bunkerwar.act(Missile(0))
        expect(host.bunkerwar.progress).to_contain_text(text("bunkerwar.inFlight"))
        host.bunkerwar.action("announceVoid").click()
        expect(guest.bunkerwar.moves).to_contain_text(text("event.VoidAnnounced"))
        guest.bunkerwar.action("voidGame").click()
        for person in (host, guest):
            expect_outcome(person.bunkerwar, "voided", "voided", "0.5 ETH")


def test_a_prize_that_an_account_refuses_is_paid_to_another(host, guest):
    """A contract account that takes no money: its prize is credited."""
    account = host.give_smart_wallet("Refuser").address
    host.connect()
    game_id = host.lobby.open().create("bunkerwar", size=(2, 2), stake="1")
    guest.lobby.open().join("bunkerwar", game_id, stake="1 ETH")
    guest.bunkerwar.expect_playing()
    guest.bunkerwar.resign()
    expect_outcome(host.bunkerwar, "won", "resigned", "1.98 ETH")
    settings = host.settings.open()
    for receiver, key in ((None, "error.paymentRefused"), (account, "error.paymentRefused")):
        settings.withdraw("1.98 ETH", receiver)
        expect(settings.notice(key)).to_be_visible()
    friend = Account.create().address
    host.bunkerwar.visit(game_id)
    host.bunkerwar.withdraw("1.98 ETH", friend)
    expect(host.bunkerwar.notice("credits.withdrawn")).to_be_visible()
    assert host.stack.web3.eth.get_balance(friend) == 198 * ETHER // 100
    expect(host.settings.open().page.get_by_text(text("credits.none"))).to_be_visible()


@pytest.fixture
def resigned(host, guest, seed):
    """The number of a game that has ended."""
    battle = sit_down_to_bunkerwar(host, guest, seed)
    battle.step()
    guest.bunkerwar.resign()
    expect(host.bunkerwar.result).to_be_visible()
    return battle.game_id


def test_a_record_is_saved_and_checked(host, resigned, tmp_path):
    replay = host.replay.visit("bunkerwar", resigned)
    replay.button("replay.verify").click()
    expect(replay.page.get_by_text(text("replay.valid"))).to_be_visible()
    with replay.page.expect_download() as saved:
        replay.page.get_by_role("link", name=text("replay.download"), exact=True).click()
    record = json.loads(saved.value.path().read_text())
    forged, diary = tmp_path / "forged.json", tmp_path / "diary.txt"
    forged.write_text(json.dumps({**record, "chain_id": record["chain_id"] + 1}))
    diary.write_text("It rained.")
    records = host.records.open()
    records.expect_verdict(saved.value.path(), "records.valid")
    for file, refusal in ((forged, "fogbound.signature_wrong"), (diary, "page.not_json")):
        records.expect_verdict(file, "records.invalid", text(f"refusal.{refusal}"))
