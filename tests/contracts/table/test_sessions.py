import pytest
from ape import reverts
from eth_account import Account

from tests.contracts.table.match import NOBODY, STAKE, Phase, gains, pass_time

FOREVER = 2**40  # seconds


def sign_consent(table, chain, key, player, until, **changes):
    """The consent of `key` (an eth_account signer); `changes` spoil the domain."""
    domain = {
        "name": "Fogbound Table",
        "version": "1",
        "chainId": chain.chain_id,
        "verifyingContract": table.address,
        **changes,
    }
    types = {
        "SessionConsent": [
            {"name": "player", "type": "address"},
            {"name": "until", "type": "uint256"},
        ]
    }
    message = {"player": str(player), "until": until}
    signed = Account.sign_typed_data(key.private_key, domain, types, message)
    return signed.signature


@pytest.fixture
def key(accounts):
    """A session key with gas of its own."""
    return accounts[7]


@pytest.fixture
def authorize(table, chain, key):
    """Factory: `player` names `key`."""

    def authorize(player, until=FOREVER, *, signer=key, account=key, value=0, **changes):
        consent = sign_consent(table, chain, signer, player, until, **changes)
        return table.authorize(account, until, consent, value=value, sender=player)

    return authorize


def test_authorizing_forwards_the_gas_money(table, authorize, host, key):
    receipts = []

    def call():
        receipts.append(authorize(host, value=777))
        return receipts[0]

    assert gains(call, host, key) == [-777, 777]
    assert receipts[0].events == [table.SessionAuthorized(host, key, FOREVER, 777)]
    assert tuple(table.sessionOf(key)) == (host, FOREVER)
    assert table.balance == 0


def test_a_key_acts_for_its_player(table, authorize, open_game, host, guest, key, keeper):
    authorize(host)
    table.open(b"", 2, 0, NOBODY, value=STAKE, sender=key)  # the key pays, the player sits
    assert table.seatsOf(1).players[0] == host
    match = open_game()
    if match.on_turn != host:
        table.skip(match.id, sender=guest)
    table.keepAlive(match.id, sender=key)
    table.skip(match.id, sender=key)
    table.offerDraw(match.id, match.turn.moveNumber, sender=key)
    table.resign(match.id, sender=key)
    assert match.turn.winners == 0b10


def test_a_key_joins_claims_leaves_and_cancels(table, authorize, open_game, host, guest, key):
    authorize(host)
    table.open(b"", 2, 0, host, value=STAKE, sender=guest)
    table.join(1, value=STAKE, sender=key)
    assert table.seatsOf(1).players == [guest, host]
    cancelled = open_game(taken=1)
    table.cancel(cancelled.id, sender=key)
    assert cancelled.phase is Phase.CANCELLED
    left = open_game(seats=3, taken=2)
    table.leaveSeat(left.id, sender=key)
    assert table.seatsOf(left.id).players[0] == NOBODY
    match = open_game()
    if match.on_turn == host:
        table.skip(match.id, sender=host)
    match.expire()
    table.claimTimeout(match.id, sender=key)
    assert match.phase is Phase.ENDED


def test_payments_go_to_the_player(table, authorize, open_game, host, key):
    authorize(host)
    match = open_game(taken=1)
    assert gains(lambda: table.cancel(match.id, sender=key), host, key) == [STAKE, 0]


def test_player_and_key_are_one_identity(table, authorize, open_game, host, key):
    authorize(host)
    match = open_game(seats=3, taken=1)
    with reverts(table.Table_AlreadySeated, id=match.id, account=host):
        table.join(match.id, value=STAKE, sender=key)
    table.quickMatch(b"", 3, 0, value=STAKE, sender=key)
    assert table.gameCount() == match.id + 1  # never their own


def test_a_key_of_another_player_is_nobody_here(table, authorize, open_game, outsider, key):
    authorize(outsider)
    match = open_game()
    with reverts(table.Table_NotOnTurn, id=match.id, account=outsider):
        table.skip(match.id, sender=key)
    with reverts(table.Table_NotSeated, id=match.id, account=outsider):
        table.resign(match.id, sender=key)


def test_attack_somebody_elses_wallet_as_my_key(table, chain, authorize, outsider, guest, third):
    """The attacker would sit with the victim's stake. Only the victim's own consent would do."""
    victim = guest
    for consent in (
        sign_consent(table, chain, outsider, outsider, FOREVER),  # the attacker's own signature
        sign_consent(table, chain, victim, third, FOREVER),  # meant for another player
        sign_consent(table, chain, victim, outsider, FOREVER - 1),  # for another time
        sign_consent(table, chain, victim, outsider, FOREVER, chainId=1),
        sign_consent(table, chain, victim, outsider, FOREVER, verifyingContract=str(third)),
        sign_consent(table, chain, victim, outsider, FOREVER, name="Another"),
        sign_consent(table, chain, victim, outsider, FOREVER, version="2"),
        b"",
        b"\0" * 65,
        b"\0" * 64,
    ):
        with reverts(table.Table_ConsentInvalid, key=victim, player=outsider):
            table.authorize(victim, FOREVER, consent, sender=outsider)
    table.open(b"", 2, 0, NOBODY, value=STAKE, sender=victim)
    assert table.seatsOf(1).players[0] == victim


def test_the_zero_address_is_no_key(table, outsider):
    with reverts(table.Table_ConsentInvalid, key=NOBODY, player=outsider):
        table.authorize(NOBODY, FOREVER, b"\0" * 65, sender=outsider)


def test_a_key_that_is_or_was_a_player_is_refused(table, authorize, open_game, host, guest):
    match = open_game(taken=1)
    table.cancel(match.id, sender=host)  # they were a player
    for player, key in [(guest, host), (host, host)]:
        with reverts(table.Table_KeyIsPlayer, key=key):
            authorize(player, signer=key, account=key)


def test_who_has_a_key_is_a_player(table, authorize, host, guest):
    authorize(host)
    with reverts(table.Table_KeyIsPlayer, key=host):
        authorize(guest, signer=host, account=host)


def test_a_key_serves_one_player(table, authorize, host, guest, key):
    authorize(host)
    table.revoke(key, sender=host)
    with reverts(table.Table_KeyServesOther, key=key, player=host):
        authorize(guest)


def test_a_key_names_no_key(table, authorize, host, key, accounts):
    authorize(host)
    with reverts(table.Table_SenderIsKey, account=key):
        authorize(key, signer=accounts[8], account=accounts[8])


def test_a_key_never_acts_for_itself(table, chain, authorize, host, key):
    until = chain.pending_timestamp + 3
    authorize(host, until)
    pass_time(chain, until + 1)
    for call in (
        lambda: table.open(b"", 2, 0, NOBODY, sender=key),
        lambda: table.quickMatch(b"", 2, 0, sender=key),
    ):
        with reverts(table.Table_SessionEnded, key=key, until=until):
            call()
    authorize(host)  # anew
    table.revoke(key, sender=host)
    with reverts(table.Table_SessionEnded, key=key, until=0):
        table.open(b"", 2, 0, NOBODY, sender=key)


def test_the_end_is_inclusive(table, chain, authorize, open_game, host, guest, key):
    match = open_game()
    if match.on_turn != host:
        table.skip(match.id, sender=guest)
    until = chain.pending_timestamp + 30
    authorize(host, until)
    pass_time(chain, until)
    receipt = table.keepAlive(match.id, sender=key)
    assert receipt.timestamp == until
    with reverts(table.Table_SessionEnded, key=key, until=until):
        table.keepAlive(match.id, sender=key)


def test_revoking_ends_it_now(table, authorize, open_game, host, guest, key):
    authorize(host)
    receipt = table.revoke(key, sender=host)
    assert receipt.events == [table.SessionRevoked(host, key)]
    match = open_game()
    with reverts(table.Table_SessionEnded, key=key, until=0):
        table.resign(match.id, sender=key)
    with reverts(table.Table_SessionEnded, key=key, until=0):
        table.revoke(key, sender=host)
    with reverts(table.Table_NotOwnKey, key=key, account=guest):
        table.revoke(key, sender=guest)
    with reverts(table.Table_NotOwnKey, key=key, account=key):
        table.revoke(key, sender=key)


def test_the_same_player_extends(table, authorize, host, key, chain):
    authorize(host, chain.pending_timestamp + 5)
    authorize(host)
    assert table.sessionOf(key).until == FOREVER


@pytest.mark.parametrize("until", ["past", 2**64, 2**256 - 1])
def test_the_end_is_ahead(table, chain, authorize, host, until):
    until = chain.pending_timestamp - 1 if until == "past" else until
    with reverts(table.Table_SessionOutOfRange, until=until):
        authorize(host, until)


def test_a_key_that_refuses_gas_money(table, project, chain, authorize, host, key):
    """Accounts with a signer may have code (EIP-7702)."""
    chain.provider.set_code(key.address, project.Refuser.contract_type.runtime_bytecode.bytecode)
    with reverts(table.Table_PaymentRefused, to=key, amount=5):
        authorize(host, value=5)
    assert tuple(table.sessionOf(key)) == (NOBODY, 0)
    authorize(host)


def test_unspent_gas_money_goes_back_by_the_key(table, authorize, host, key):
    authorize(host, value=10**18)
    before = host.balance
    key.transfer(host, 10**18)
    assert host.balance == before + 10**18


def test_a_stranger_has_no_session(table, outsider):
    assert tuple(table.sessionOf(outsider)) == (NOBODY, 0)
