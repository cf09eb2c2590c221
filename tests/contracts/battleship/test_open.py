"""open, join, quickMatch: seats with commitments."""

import pytest
from ape import reverts

from tests.contracts.battleship.duel import SEALED, commit, sent
from tests.contracts.table.match import NOBODY, Phase


@pytest.mark.parametrize("size", [6, 8, 10, 12, 14, 20])
def test_the_root_goes_with_the_seat(contract, chain, host, guest, size):
    boards = [commit(contract, chain, player, size) for player in (host, guest)]
    opened = contract.open(size, sent(boards[0]), 0, NOBODY, value=7, sender=host)
    game = contract.gameCount()
    joined = contract.join(game, sent(boards[1]), value=7, sender=guest)
    assert contract.BoardCommitted(game, 0, 0, boards[0].root, SEALED) in opened.events
    assert contract.BoardCommitted(game, 1, 0, boards[1].root, SEALED) in joined.events
    assert contract.shootingOf(game).size == size
    for seat in (0, 1):
        assert contract.boardOf(game, seat).root == boards[seat].root
        assert contract.nextNonce((host, guest)[seat]) == 1
    assert contract.turnOf(game).phase == Phase.DRAWING


@pytest.mark.parametrize("size", [0, 5, 7, 9, 11, 21, 256 + 6, 2**255])
def test_there_are_six_sizes(contract, chain, host, size):
    board = commit(contract, chain, host, 6)
    with reverts(contract.Battleship_SizeUnknown, size=size):
        contract.open(size, sent(board), 0, NOBODY, sender=host)
    with reverts(contract.Battleship_SizeUnknown, size=size):
        contract.quickMatch(size, sent(board), 0, sender=host)


def test_quick_match_pairs_one_size_and_stake(contract, chain, host, guest, outsider):
    for player, size, stake in [(host, 6, 5), (guest, 8, 5), (outsider, 6, 5)]:
        board = commit(contract, chain, player, size)
        contract.quickMatch(size, sent(board), 0, value=stake, sender=player)
    assert contract.gameCount() == 2
    players, stake, _ = contract.seatsOf(1)
    assert (players, stake) == ([host, outsider], 5)
    assert contract.turnOf(1).phase == Phase.DRAWING
    assert contract.shootingOf(2).size == 8


def test_a_session_key_commits_for_its_player(contract, chain, host, guest, accounts):
    key, until = accounts[8], chain.pending_timestamp + 100
    from eth_account import Account

    signer = Account.from_key(key.private_key)
    consent = consent_of(contract, chain, signer, host, until)
    contract.authorize(key, until, consent, sender=host)
    board = commit(contract, chain, host, 6)
    contract.open(6, sent(board), 0, NOBODY, sender=key)
    assert contract.seatsOf(1).players[0] == host
    assert (contract.nextNonce(host), contract.nextNonce(key)) == (1, 0)


def consent_of(contract, chain, signer, player, until):
    domain = {
        "name": "Fogbound Table",
        "version": "1",
        "chainId": chain.chain_id,
        "verifyingContract": contract.address,
    }
    fields = [{"name": "player", "type": "address"}, {"name": "until", "type": "uint256"}]
    message = {"player": player.address, "until": until}
    signed = signer.sign_typed_data(domain, {"SessionConsent": fields}, message)
    return bytes(signed.signature)
