"""Commitments that are not one's own, or not of this game."""

from ape import reverts

from tests.contracts.battleship.duel import commit, sent
from tests.contracts.table.match import NOBODY, STAKE


def test_another_players_root_copied(contract, chain, host, guest, keeper, open_game, lone_winner):
    """Whoever copies a root can open no cell of it and reveal nothing, even if they learn the seed."""
    copied = commit(contract, chain, host, 6)
    contract.open(6, sent(copied), 0, NOBODY, value=STAKE, sender=host)
    game = contract.gameCount()
    contract.join(game, sent(copied), value=STAKE, sender=guest)
    contract.resign(game, sender=host)
    with reverts(contract.Battleship_WrongRoot, id=game, seat=1):
        contract.reveal(game, copied.placement, copied.seed, sender=guest)


def test_a_nonce_used_twice(contract, chain, host, guest):
    first = commit(contract, chain, host, 6)
    contract.open(6, sent(first), 0, NOBODY, sender=host)
    again = commit(contract, chain, host, 6, nonce=0)
    with reverts(contract.Battleship_WrongNonce, player=host, given=0, expected=1):
        contract.open(6, sent(again), 0, NOBODY, sender=host)
    with reverts(contract.Battleship_WrongNonce, player=host, given=0, expected=1):
        contract.quickMatch(6, sent(again), 0, sender=host)
    ahead = commit(contract, chain, guest, 6, nonce=5)
    with reverts(contract.Battleship_WrongNonce, player=guest, given=5, expected=0):
        contract.join(1, sent(ahead), sender=guest)


def test_a_cancelled_game_gives_its_nonce_not_back(contract, chain, host):
    contract.open(6, sent(commit(contract, chain, host, 6)), 0, NOBODY, sender=host)
    contract.cancel(1, sender=host)
    assert contract.nextNonce(host) == 1


def test_revealing_another_games_board(contract, open_game):
    one, two = open_game(), open_game()
    contract.resign(two.id, sender=two.players[1])
    with reverts(contract.Battleship_WrongRoot, id=two.id, seat=0):
        two.reveal(0, one.boards[0])
    assert two.gains(lambda: two.reveal(0)) == [two.prize, 0]


def test_a_board_committed_for_another_size(contract, chain, host, guest, keeper, open_game):
    """The small fleet of an 8 x 8 tree in a 6 x 6 game opens nothing."""
    board = commit(contract, chain, host, 8)
    contract.open(6, sent(board), 0, NOBODY, sender=host)
    contract.join(1, sent(commit(contract, chain, guest, 6)), sender=guest)
    contract.resign(1, sender=guest)
    with reverts(contract.Battleship_WrongRoot, id=1, seat=0):
        contract.reveal(1, board.placement, board.seed, sender=host)
