"""What the page says when something is in the way: what it is, and what to do."""

from eth_account import Account
from playwright.sync_api import expect

from tests.e2e.people import ETHER
from tests.e2e.texts import text

ELSEWHERE = 1  # a chain id


def come_with_wallet(person):
    wallet = person.give_wallet(wei=ETHER)
    person.connect()
    return wallet


def open_game(person, stake=None):
    lobby = person.lobby.open()
    lobby.start("battleship", "open", size=6, stake=stake)
    return lobby


def test_a_wallet_on_another_network_is_led_back(host):
    wallet = come_with_wallet(host)
    lobby = open_game_elsewhere(host, wallet)
    expect(lobby.notice("error.wrongNetwork")).to_be_visible()
    settings = host.settings.open()
    expect(settings.trouble("identity.wrongChain", id=wallet.own_chain_id)).to_be_visible()
    settings.button("identity.switch").click()
    expect(settings.trouble("identity.wrongChain", id=wallet.own_chain_id)).to_have_count(0)
    lobby = open_game(host)
    lobby.arrived("battleship")


def open_game_elsewhere(host, wallet):
    lobby = host.lobby.open()
    wallet.change_chain(ELSEWHERE)
    lobby.start("battleship", "open", size=6)
    return lobby


def test_a_rejected_signature_sends_nothing(host):
    wallet = come_with_wallet(host)
    wallet.signs = wallet.sends = False
    lobby = open_game(host)
    expect(lobby.notice("error.rejected")).to_be_visible()
    assert "eth_sendTransaction" not in wallet.asked
    wallet.signs = wallet.sends = True
    lobby.submit("open")
    lobby.arrived("battleship")


def test_a_wallet_without_a_connection_says_so(host):
    wallet = come_with_wallet(host)
    wallet.reaches_chain = False
    lobby = open_game(host)
    expect(lobby.notice("error.walletDisconnected")).to_be_visible()


def test_too_little_money_is_told_before_and_after(host):
    come_with_wallet(host)
    lobby = open_game(host, stake="5")
    expect(lobby.dialog.get_by_text(text("setup.stakeTooMuch", balance="1 ETH"))).to_be_visible()
    expect(lobby.notice("error.insufficientFunds")).to_be_visible()


def test_a_wallet_that_shows_another_account(host):
    """The page plays as whom the wallet shows."""
    wallet = come_with_wallet(host)
    other = Account.create()
    lobby = host.lobby.open()
    wallet.change_account(other)
    expect(lobby.identity).to_have_attribute("title", other.address)


def test_a_server_that_is_away_is_waited_for(host):
    lobby = host.lobby.open()
    host.stack.kill_web()
    host.wire.cut()
    expect(lobby.page.get_by_text(text("live.lost"))).to_be_visible()
    host.stack.wait_until_ready()
    host.wire.mend()
    expect(lobby.page.get_by_text(text("live.lost"))).to_have_count(0)
