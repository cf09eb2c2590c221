import pytest
from ape import reverts

from tests.contracts.table.conftest import MOVE
from tests.contracts.table.match import Phase, pass_time


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_turn_goes_to_any_seat(table, open_game, seats):
    match = open_game(seats)
    for seat in [*range(seats), seats - 1, 0]:  # the same seat twice, and back
        table.hand(match.id, seat, sender=match.on_turn)
        assert match.turn.onTurn == seat


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turns_go_round(table, open_game, seats):
    match = open_game(seats)
    first = match.turn.onTurn
    for step in range(1, seats + 1):
        table.skip(match.id, sender=match.on_turn)
        assert match.turn.onTurn == (first + step) % seats


def test_each_move_starts_the_clock_anew_and_counts(table, open_game, chain):
    match = open_game()
    for number in (1, 2):
        pass_time(chain, chain.pending_timestamp + 20)
        receipt = table.skip(match.id, sender=match.on_turn)
        assert match.turn.deadline == receipt.timestamp + MOVE
        assert match.turn.moveNumber == number


def test_a_move_after_the_deadline_counts_until_somebody_claims(table, open_game):
    match = open_game()
    match.wait_past(match.turn.deadline + 5)
    table.skip(match.id, sender=match.on_turn)
    assert match.turn.moveNumber == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_only_the_player_on_turn_moves(table, open_game, outsider, owner, seats):
    match = open_game(seats)
    before = match.turn
    for account in [*match.idle, outsider, owner]:
        with reverts(table.Table_NotOnTurn, id=match.id, account=account, onTurn=match.turn.onTurn):
            table.skip(match.id, sender=account)
    assert match.turn == before


def test_no_move_in_another_phase(table, open_game, open_wait, host):
    opened, waiting, ended = open_game(taken=1), open_wait(), open_game()
    table.tie(ended.id, sender=ended.on_turn)
    for match, phase in [(opened, Phase.OPEN), (waiting, Phase.WAITING), (ended, Phase.ENDED)]:
        for player in match.players:
            with reverts(
                table.Table_WrongPhase, id=match.id, current=phase, expected=Phase.PLAYING
            ):
                table.skip(match.id, sender=player)


def test_no_move_in_an_unknown_game(table, host):
    with reverts(table.Table_UnknownGame, id=1):
        table.skip(1, sender=host)


def test_acting_in_another_game(table, open_game, third, fourth):
    mine = open_game()
    table.open(b"", 2, 0, third, sender=fourth)
    table.join(2, sender=third)
    for account in (third, fourth):
        with reverts(table.Table_NotOnTurn, id=mine.id, account=account):
            table.skip(mine.id, sender=account)
        with reverts(table.Table_NotSeated, id=mine.id, account=account):
            table.resign(mine.id, sender=account)


def test_the_games_own_bits_are_kept_with_the_turn(table, open_game):
    match = open_game()
    data = 2**72 - 2
    table.note(match.id, data, sender=match.on_turn)
    table.skip(match.id, sender=match.on_turn)
    assert match.turn.data == data
