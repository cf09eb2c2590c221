"""Proving: a clock for each player asked, and the game's own rule at its end."""

import pytest
from ape import reverts
from eth_utils import keccak

from tests.contracts.table.conftest import CLOCKS, CONTROLS, PROOF
from tests.contracts.table.match import STAKE, Match, Outcome, Phase, gains, rake

SECRETS = [b"\x01" * 32, b"\x02" * 32]


@pytest.fixture(scope="module")
def secrets(project, owner):
    """Whoever gains from an ending must first open their secret; else the other, else nobody wins."""
    return owner.deploy(project.Secrets, owner, CLOCKS, CONTROLS)


@pytest.fixture
def secret_game(secrets, chain, host, guest, keeper):
    """A drawn game of secrets."""
    secrets.open(keccak(SECRETS[0]), 0, value=STAKE, sender=host)
    secrets.join(1, keccak(SECRETS[1]), value=STAKE, sender=guest)
    match = Match(secrets, chain, 1, [host, guest], STAKE)
    match.draw(keeper)
    return match


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_player_asked_has_a_clock(table, open_game, seats):
    match = open_game(seats)
    asked = [seat for seat in range(seats) if seat != 1]
    receipt = table.askProofs(match.id, sum(1 << seat for seat in asked), sender=match.on_turn)
    deadline = receipt.timestamp + PROOF
    assert receipt.events == [table.ProofAsked(match.id, seat, deadline) for seat in asked]
    assert (match.phase, match.turn.deadline) == (Phase.PROVING, deadline)
    for seat in range(seats):
        expected = (deadline, True) if seat in asked else (0, False)
        assert tuple(table.proofClockOf(match.id, seat)) == expected
    assert tuple(table.proofClockOf(match.id, seats)) == (0, False)


def test_a_proof_clock_runs_from_the_asking(table, open_game, keeper):
    """Also where keep-alives have put the turn's deadline far behind it, or a fast move clock before."""
    match = open_game(control=1)  # 300 s a move
    table.keepAlive(match.id, sender=match.on_turn)
    late = match.turn.deadline
    receipt = table.askProofs(match.id, 0b01, sender=match.on_turn)
    deadline = receipt.timestamp + PROOF
    assert deadline < late
    assert tuple(table.proofClockOf(match.id, 0)) == (deadline, True)
    assert match.turn.deadline == late  # never moves back
    match.wait_past(deadline - 1)
    with reverts(table.Table_DeadlineNotPassed, id=match.id, deadline=deadline):
        table.closeProof(match.id, 0, sender=keeper)
    table.closeProof(match.id, 0, sender=keeper)
    assert match.turn.outcome == Outcome.NULL


def test_proving_pays(table, open_game):
    match = open_game()
    table.askProofs(match.id, 0b11, sender=match.on_turn)
    guest = match.players[1]
    (gain,) = gains(lambda: table.prove(match.id, sender=guest), guest)
    assert gain == match.pot - rake(match.pot)


def test_only_who_was_asked_proves(table, open_game, outsider):
    match = open_game(3)
    table.askProofs(match.id, 0b001, sender=match.on_turn)
    with reverts(table.Table_ProofNotAsked, id=match.id, seat=1):
        table.prove(match.id, sender=match.players[1])
    with reverts(table.Table_NotSeated, id=match.id, account=outsider):
        table.prove(match.id, sender=outsider)


def test_a_proof_after_its_clock_counts_until_it_is_closed(table, open_game):
    match = open_game()
    table.askProofs(match.id, 0b01, sender=match.on_turn)
    match.expire()
    table.prove(match.id, sender=match.players[0])
    assert match.turn.winners == 0b01


def test_closing_is_for_after_the_clock(table, open_game, keeper):
    match = open_game()
    table.askProofs(match.id, 0b01, sender=match.on_turn)
    deadline = match.turn.deadline
    match.wait_past(deadline - 1)
    with reverts(table.Table_DeadlineNotPassed, id=match.id, deadline=deadline):
        table.closeProof(match.id, 0, sender=keeper)  # in the deadline's second
    for seat in (1, 4, 255):
        with reverts(table.Table_ProofNotAsked, id=match.id, seat=seat):
            table.closeProof(match.id, seat, sender=keeper)
    receipt = table.closeProof(match.id, 0, sender=keeper)
    assert [event.event_name for event in receipt.events] == ["ProofMissed", "GameEnded"]
    assert match.turn.outcome == Outcome.NULL


def test_a_game_in_proving_can_only_end(table, open_game, keeper):
    match = open_game()
    table.askProofs(match.id, 0b01, sender=match.on_turn)
    match.expire()
    host, guest = match.players
    for call in (
        lambda: table.skip(match.id, sender=match.on_turn),
        lambda: table.keepAlive(match.id, sender=match.on_turn),
        lambda: table.claimTimeout(match.id, sender=match.idle[0]),
        lambda: table.resign(match.id, sender=guest),
        lambda: table.offerDraw(match.id, 0, sender=host),
        lambda: table.settleDraw(match.id, sender=keeper),
        lambda: table.announceVoid(match.id, sender=keeper),
        lambda: table.playWhileProving(match.id, sender=keeper),  # a faulty game
    ):
        with reverts(table.Table_WrongPhase, id=match.id, current=Phase.PROVING):
            call()
    assert match.phase is Phase.PROVING


def test_nobody_proves_while_playing(table, open_game, host, keeper):
    match = open_game()
    for call in (
        lambda: table.prove(match.id, sender=host),
        lambda: table.closeProof(match.id, 0, sender=keeper),
    ):
        with reverts(
            table.Table_WrongPhase, id=match.id, current=Phase.PLAYING, expected=Phase.PROVING
        ):
            call()


@pytest.mark.parametrize("how", ["resign", "claimTimeout"])
def test_who_gains_must_prove_first(secrets, secret_game, how):
    """Attack: a cheater who was paid on a resignation or a timeout without ever showing their board."""
    loser, winner = secret_game.on_turn, secret_game.idle[0]
    seat = secret_game.seat_of(winner)
    if how == "resign":
        secrets.resign(1, sender=loser)
    else:
        secret_game.expire()
        secrets.claimTimeout(1, sender=winner)
    assert (secret_game.phase, secret_game.turn.outcome) == (Phase.PROVING, Outcome.NONE)
    assert secrets.balance == secret_game.pot  # nobody was paid yet
    with reverts(secrets.Secrets_WrongSecret, id=1, seat=seat):
        secrets.reveal(1, SECRETS[1 - seat], sender=winner)
    assert secrets.proofClockOf(1, seat).owed  # a wrong proof changes nothing
    (gain,) = gains(lambda: secrets.reveal(1, SECRETS[seat], sender=winner), winner)
    assert gain == secret_game.pot - rake(secret_game.pot)
    expected = Outcome.RESIGNED if how == "resign" else Outcome.TIMED_OUT
    assert secret_game.turn.outcome == expected


def test_resigning_while_drawing_asks_too(secrets, host, guest, keeper, chain):
    secrets.open(keccak(SECRETS[0]), 0, value=STAKE, sender=host)
    secrets.join(1, keccak(SECRETS[1]), value=STAKE, sender=guest)
    secrets.resign(1, sender=host)
    secrets.reveal(1, SECRETS[1], sender=guest)
    assert secrets.turnOf(1).winners == 0b10


def test_when_one_is_silent_the_other_is_asked(secrets, secret_game, host, guest, keeper):
    secrets.resign(1, sender=guest)
    secret_game.expire()
    receipt = secrets.closeProof(1, 0, sender=keeper)
    deadline = receipt.timestamp + PROOF
    assert receipt.events == [secrets.ProofMissed(1, 0), secrets.ProofAsked(1, 1, deadline)]
    with reverts(secrets.Table_ProofNotAsked, id=1, seat=0):
        secrets.closeProof(1, 0, sender=keeper)  # missed once, missed for good
    with reverts(secrets.Table_ProofNotAsked, id=1, seat=0):
        secrets.reveal(1, SECRETS[0], sender=host)
    secrets.reveal(1, SECRETS[1], sender=guest)
    assert secret_game.turn.winners == 0b10


def test_when_nobody_proves_nobody_wins(secrets, secret_game, host, guest, keeper):
    secrets.resign(1, sender=guest)
    secret_game.expire()
    secrets.closeProof(1, 0, sender=keeper)
    secret_game.expire()
    back = STAKE - STAKE // 100
    assert gains(lambda: secrets.closeProof(1, 1, sender=keeper), host, guest) == [back, back]
    assert secret_game.turn.outcome == Outcome.NULL
    assert secrets.pool() == 2 * (STAKE // 100)


def test_a_player_is_asked_once(table, open_game, host):
    match = open_game()
    table.askProofs(match.id, 0b01, sender=match.on_turn)
    with reverts(table.Table_ProofAlreadyAsked, id=match.id, seat=0):
        table.askAgain(match.id, 0, sender=host)  # a faulty game
