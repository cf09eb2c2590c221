"""The draw of the first seat, on a chain without the history contract (EIP-2935) and on one with it."""

import pytest
from ape import reverts
from eth_abi import encode
from eth_utils import keccak

from tests.contracts.table.conftest import CLOCKS, CONTROLS, MOVE
from tests.contracts.table.match import NOBODY, STAKE, Match, Phase, pass_time

WINDOW = 256


def word_of(chain, target, game_id):
    block_hash = chain.blocks[target].hash
    return int.from_bytes(keccak(encode(["bytes32", "uint256"], [block_hash, game_id])))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_target_blocks_hash_decides(table, open_game, chain, keeper, seats):
    match = open_game(seats, draw=False)
    target = match.turn.mark
    receipt = match.draw(keeper)
    word = word_of(chain, target, match.id)
    deadline = receipt.timestamp + MOVE
    assert receipt.events == [table.FirstSeatDrawn(match.id, word % seats, word, deadline)]
    turn = match.turn
    assert (turn.phase, turn.onTurn, turn.deadline) == (Phase.PLAYING, word % seats, deadline)
    assert table.wordOf(match.id) == word  # the game gets the whole word


def test_every_seat_can_be_drawn(open_game):
    drawn = set()
    for _ in range(200):  # by chance one is missing in 1 of 10^24 runs
        drawn.add(open_game(4).turn.onTurn)
        if len(drawn) == 4:
            break
    assert drawn == {0, 1, 2, 3}


def test_not_before_the_target_is_past(table, open_game, chain, keeper):
    """In the target block itself its hash reads 0: that is "not yet", never "missed"."""
    match = open_game(draw=False)
    target = match.turn.mark
    assert chain.blocks.height + 1 == target - 1
    for call, error in [
        (table.settleDraw, table.Table_DrawNotYet),
        (table.rescheduleDraw, table.Table_DrawNotMissed),
    ]:
        with chain.isolate():
            for _ in range(2):  # a transaction in the block before, and one in the target block
                with reverts(error, id=match.id, target=target):
                    call(match.id, sender=keeper)
            assert chain.blocks.height == target


def test_the_first_move_settles_it(table, open_game, host, guest, chain):
    match = open_game(draw=False)
    target = match.turn.mark
    match.mine_past(target)
    word = word_of(chain, target, match.id)
    first, other = match.players[word % 2], match.players[1 - word % 2]
    with reverts(table.Table_NotOnTurn, id=match.id, account=other, onTurn=word % 2):
        table.skip(match.id, sender=other)
    assert match.phase is Phase.DRAWING
    receipt = table.skip(match.id, sender=first)
    assert [event.event_name for event in receipt.events] == ["FirstSeatDrawn", "Passed"]
    assert match.on_turn == other
    assert table.wordOf(match.id) == word


def test_moves_revert_before_it(table, open_game, host, guest):
    match = open_game(draw=False)
    for player in (host, guest):
        with reverts(table.Table_DrawNotYet, id=match.id, target=match.turn.mark):
            table.skip(match.id, sender=player)


def test_no_clock_runs_before_it(table, open_game, host, guest, chain):
    """Attack: a deadline that ran from the join let a player see the outcome, then settle and claim
    in one block."""
    match = open_game(draw=False)
    match.mine_past(match.turn.mark)
    pass_time(chain, chain.pending_timestamp + 100 * MOVE)
    for player in (host, guest):
        with reverts(table.Table_WrongPhase, id=match.id, current=Phase.DRAWING):
            table.claimTimeout(match.id, sender=player)
    receipt = table.settleDraw(match.id, sender=host)
    assert match.turn.deadline == receipt.timestamp + MOVE
    claimant = match.idle[0]
    with reverts(table.Table_DeadlineNotPassed, id=match.id, deadline=match.turn.deadline):
        table.claimTimeout(match.id, sender=claimant)


def test_attack_drawing_again_until_it_pleases(table, open_game, host):
    match = open_game()
    for call in (table.settleDraw, table.rescheduleDraw):
        with reverts(
            table.Table_WrongPhase, id=match.id, current=Phase.PLAYING, expected=Phase.DRAWING
        ):
            call(match.id, sender=host)


def test_the_last_block_of_the_window(table, open_game, keeper):
    match = open_game(draw=False)
    match.mine_past(match.turn.mark + WINDOW - 1)
    with reverts(table.Table_DrawNotMissed, id=match.id, target=match.turn.mark):
        table.rescheduleDraw.call(match.id, sender=keeper)
    assert table.settleDraw(match.id, sender=keeper).block_number == match.turn.mark + WINDOW
    assert match.phase is Phase.PLAYING


def test_past_the_window_anyone_sets_a_new_target(table, open_game, keeper, host):
    match = open_game(draw=False)
    target = match.turn.mark
    match.mine_past(target + WINDOW)
    for call in (table.settleDraw, table.skip):
        with reverts(table.Table_DrawMissed, id=match.id, target=target):
            call(match.id, sender=host)
    receipt = table.rescheduleDraw(match.id, sender=keeper)
    new_target = receipt.block_number + 2
    assert receipt.events == [table.DrawRescheduled(match.id, new_target)]
    assert match.turn.mark == new_target
    with reverts(table.Table_DrawNotMissed, id=match.id, target=new_target):
        table.rescheduleDraw(match.id, sender=keeper)
    match.draw(keeper)
    assert match.phase is Phase.PLAYING


def names(receipt):
    return [event.event_name for event in receipt.events]


def test_many_draws_in_one_transaction(table, open_game, chain, keeper):
    matches = [open_game(seats, draw=False) for seats in (2, 3, 4)]
    matches[-1].mine_past(matches[-1].turn.mark)
    words = [word_of(chain, match.turn.mark, match.id) for match in matches]
    receipt = table.settleDraws([match.id for match in matches], sender=keeper)
    assert names(receipt) == ["FirstSeatDrawn"] * 3
    for match, word in zip(matches, words, strict=True):
        assert match.phase is Phase.PLAYING
        assert match.turn.onTurn == word % match.turn.seats
        assert match.turn.deadline == receipt.timestamp + MOVE


def test_what_is_not_due_is_passed_over(table, open_game, open_wait, chain, keeper):
    due = open_game(draw=False)
    others = [open_game(taken=1), open_game(), open_wait(), open_game(), open_game()]
    table.tie(others[-1].id, sender=others[-1].on_turn)
    table.askProofs(others[-2].id, 0b01, sender=others[-2].on_turn)
    due.mine_past(due.turn.mark)
    not_yet = open_game(draw=False)
    turns = [match.turn for match in [*others, not_yet]]
    ids = [0, 2**256 - 1, *(match.id for match in [*others, not_yet]), due.id, due.id]
    receipt = table.settleDraws(ids, sender=keeper)
    assert [(event.event_name, event.id) for event in receipt.events] == [
        ("FirstSeatDrawn", due.id)  # once, though it was named twice
    ]
    assert [match.turn for match in [*others, not_yet]] == turns


def test_nothing_due_is_no_error(table, keeper):
    assert table.settleDraws([], sender=keeper).events == []
    assert table.settleDraws([1, 2, 3], sender=keeper).events == []


def test_a_missed_draw_among_them_is_rescheduled(table, open_game, keeper):
    missed = open_game(draw=False)
    missed.mine_past(missed.turn.mark + WINDOW)
    due = open_game(draw=False)
    due.mine_past(due.turn.mark)
    receipt = table.settleDraws([missed.id, due.id], sender=keeper)
    assert names(receipt) == ["DrawRescheduled", "FirstSeatDrawn"]
    assert (missed.phase, missed.turn.mark) == (Phase.DRAWING, receipt.block_number + 2)
    assert due.phase is Phase.PLAYING


def test_the_work_for_each_draw_is_bounded(table, open_game, keeper):
    """What is passed over costs one read; a draw no more than it costs alone."""
    alone = open_game(draw=False).draw(keeper).gas_used
    matches = [open_game(draw=False) for _ in range(5)]
    matches[-1].mine_past(matches[-1].turn.mark)
    gas = table.settleDraws([match.id for match in matches], sender=keeper).gas_used
    assert gas < 5 * alone
    unknown = table.settleDraws([10**6 + number for number in range(100)], sender=keeper).gas_used
    assert unknown < 21_000 + 100 * 4_000


def test_with_history_the_window_is_longer(project, chain_with_history, host, guest):
    """The same block still decides after 256 blocks."""
    table = host.deploy(project.Sandbox, host, CLOCKS, CONTROLS)
    table.open(b"", 2, 0, NOBODY, value=STAKE, sender=host)
    table.join(1, value=STAKE, sender=guest)
    match = Match(table, chain_with_history, 1, [host, guest], STAKE)
    target = match.turn.mark
    match.mine_past(target + WINDOW + 50)
    with reverts(table.Table_DrawNotMissed, id=1, target=target):
        table.rescheduleDraw(1, sender=host)
    table.settleDraw(1, sender=host)
    assert table.wordOf(1) == word_of(chain_with_history, target, 1)


def test_nothing_is_drawn_while_open(table, open_game, keeper):
    match = open_game(taken=1)
    for call in (table.settleDraw, table.rescheduleDraw):
        with reverts(
            table.Table_WrongPhase, id=match.id, current=Phase.OPEN, expected=Phase.DRAWING
        ):
            call(match.id, sender=keeper)
