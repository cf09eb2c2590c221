import pytest
from ape import reverts

from tests.contracts.table.conftest import MOVE
from tests.contracts.table.match import NOBODY, Match, Outcome, Phase, gains, rake, shares


@pytest.mark.parametrize("stake", [0, 1, 49, 10**18, 10**18 + 33])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_others_share_the_pot_less_rake(table, open_game, seats, stake):
    match = open_game(seats, stake=stake)
    late = match.turn.onTurn
    claimant = match.idle[-1]
    match.expire()
    receipts = []

    def claim():
        receipts.append(table.claimTimeout(match.id, sender=claimant))
        return receipts[0]

    winners = [seat for seat in range(seats) if seat != late]
    amounts = shares(match.pot, winners, seats)
    assert gains(claim, *match.players) == amounts
    mask = sum(1 << seat for seat in winners)
    assert receipts[0].events == [
        table.TimedOut(match.id, late),
        table.GameEnded(match.id, Outcome.TIMED_OUT, mask, amounts, rake(match.pot)),
    ]
    assert table.pool() == table.balance == rake(match.pot)
    assert (match.phase, match.turn.outcome) == (Phase.ENDED, Outcome.TIMED_OUT)


def test_from_deadline_plus_one_on(table, open_game):
    match = open_game()
    deadline = match.turn.deadline
    match.wait_past(deadline - 1)  # the next transaction is in the deadline's second
    claimant = match.idle[0]
    with reverts(table.Table_DeadlineNotPassed, id=match.id, deadline=deadline):
        table.claimTimeout(match.id, sender=claimant)
    # The failed claim took that second.
    receipt = table.claimTimeout(match.id, sender=claimant)
    assert receipt.timestamp == deadline + 1


def test_not_by_the_late_player(table, open_game):
    match = open_game(3)
    match.expire()
    with reverts(table.Table_OwnTimeout, id=match.id, seat=match.turn.onTurn):
        table.claimTimeout(match.id, sender=match.on_turn)


def test_only_a_seated_player_claims(table, open_game, outsider, owner):
    match = open_game()
    match.expire()
    for account in (outsider, owner):
        with reverts(table.Table_NotSeated, id=match.id, account=account):
            table.claimTimeout(match.id, sender=account)


def test_nothing_ends_by_itself(table, open_game):
    match = open_game()
    match.wait_past(match.turn.deadline + 100_000)
    match.chain.mine(300)
    assert match.phase is Phase.PLAYING


def test_no_claim_while_no_clock_runs(table, open_game, open_wait):
    waiting, drawing = open_wait(), open_game(draw=False)
    waiting.wait_past(waiting.turn.deadline + 5)
    for match, phase in [(waiting, Phase.WAITING), (drawing, Phase.DRAWING)]:
        for player in match.players:
            with reverts(
                table.Table_WrongPhase, id=match.id, current=phase, expected=Phase.PLAYING
            ):
                table.claimTimeout(match.id, sender=player)


def test_blocks_of_one_second(table, chain, open_game):
    """A chain may give several blocks the same time: the deadline's second lasts until the next."""
    match = open_game()
    deadline, claimant = match.turn.deadline, match.idle[0]
    for _ in range(3):
        chain.pending_timestamp = deadline
        with reverts(table.Table_DeadlineNotPassed, id=1, deadline=deadline):
            table.claimTimeout.call(1, sender=claimant, block_id="pending")
        chain.mine()
        assert chain.blocks.head.timestamp == deadline
    chain.pending_timestamp = deadline
    receipt = table.skip(1, sender=match.on_turn)
    assert (receipt.timestamp, match.turn.deadline) == (deadline, deadline + MOVE)
    chain.pending_timestamp = match.turn.deadline + 1
    table.claimTimeout(1, sender=match.idle[0])
    assert match.phase is Phase.ENDED


def test_the_longest_clocks_overflow_nothing(project, chain, owner, host, guest, keeper):
    longest = 2**32 - 1
    table = owner.deploy(project.Sandbox, owner, (longest, longest, longest), [(longest, 3)])
    for game_id in (1, 2):
        table.open(b"", 2, 0, NOBODY, sender=host)
        table.join(game_id, sender=guest)
    match = Match(table, chain, 1, [host, guest], 0)
    start = match.draw(keeper).timestamp
    for _ in match.players:
        for _ in range(3):
            table.keepAlive(1, sender=match.on_turn)
        table.skip(1, sender=match.on_turn)
    assert match.turn.deadline == start + 7 * longest
    receipt = table.askProofs(1, 0b11, sender=match.on_turn)
    assert tuple(table.proofClockOf(1, 1)) == (receipt.timestamp + longest, True)
    waiting = Match(table, chain, 2, [host, guest], 0)
    waiting.draw(keeper)
    begun = table.beginWait(2, sender=waiting.on_turn).timestamp
    with reverts(table.Table_VoidTooEarly, id=2, first=begun + longest):
        table.announceVoid(2, sender=keeper)
