"""Dice by block hash, on a chain without the history contract (EIP-2935) and on one with it."""

import pytest
from ape import reverts
from eth_abi import encode
from eth_utils import keccak

from tests.contracts.table.conftest import CLOCKS, CONTROLS, MOVE
from tests.contracts.table.match import STAKE, Match, Outcome, Phase

WINDOW = 256


def start(race, chain, players):
    race.open(len(players), 0, value=STAKE, sender=players[0])
    for player in players[1:]:
        race.join(1, value=STAKE, sender=player)
    match = Match(race, chain, 1, players, STAKE)
    match.draw(players[0])
    return match


def die_of(chain, match, target):
    block_hash = chain.blocks[target].hash
    data = encode(["bytes32", "uint256", "uint256"], [block_hash, match.id, match.turn.moveNumber])
    return int.from_bytes(keccak(data)) % 6 + 1


@pytest.fixture(scope="module")
def race(project, owner):
    """A dice race."""
    return owner.deploy(project.DiceRace, owner, CLOCKS, CONTROLS)


@pytest.fixture
def match(race, chain, seated):
    """A race of three."""
    return start(race, chain, seated[:3])


def test_the_next_blocks_hash_decides(race, match, chain, keeper):
    roller, seat = match.on_turn, match.turn.onTurn
    receipt = race.roll(1, sender=roller)
    target = receipt.block_number + 1
    assert receipt.events == [race.RollAsked(1, seat, target)]
    assert race.rollTargetOf(1) == target
    assert match.on_turn == roller
    match.mine_past(target)
    die = die_of(chain, match, target)
    receipt = race.resolveRoll(1, sender=keeper)
    assert receipt.events == [race.Rolled(1, seat, die, die)]
    assert race.placeOf(1, seat) == die
    assert match.turn.onTurn == (seat + 1) % 3
    assert race.rollTargetOf(1) == 0


def test_not_before_the_block_is_past(race, match, keeper):
    target = race.roll(1, sender=match.on_turn).block_number + 1
    with reverts(race.DiceTable_RollNotYet, id=1, target=target):
        race.resolveRoll(1, sender=keeper)


def test_one_roll_at_a_time(race, match):
    target = race.roll(1, sender=match.on_turn).block_number + 1
    for call in (race.roll, race.rest):
        with reverts(race.DiceTable_RollPending, id=1, target=target):
            call(1, sender=match.on_turn)


def test_nothing_to_resolve(race, match, keeper):
    with reverts(race.DiceTable_NoRollPending, id=1):
        race.resolveRoll(1, sender=keeper)
    race.rest(1, sender=match.on_turn)
    with reverts(race.DiceTable_NoRollPending, id=1):
        race.resolveRoll(1, sender=keeper)


def test_a_missed_roll_is_cast_anew(race, match, chain, keeper):
    roller = match.on_turn
    target = race.roll(1, sender=roller).block_number + 1
    match.mine_past(target + WINDOW)
    receipt = race.resolveRoll(1, sender=keeper)
    assert receipt.events == [race.RollRescheduled(1, receipt.block_number + 1)]
    assert match.on_turn == roller
    assert match.turn.deadline == receipt.timestamp + MOVE  # a roll cast anew starts a full clock


def test_with_history_no_roll_is_missed_so_soon(project, chain_with_history, seated):
    players = seated[:2]
    race = players[0].deploy(project.DiceRace, players[0], CLOCKS, CONTROLS)
    match = start(race, chain_with_history, players)
    seat = match.turn.onTurn
    target = race.roll(1, sender=match.on_turn).block_number + 1
    match.mine_past(target + WINDOW + 50)
    die = die_of(chain_with_history, match, target)
    race.resolveRoll(1, sender=players[0])
    assert race.placeOf(1, seat) == die


DISTANCES = [1, 2, WINDOW, WINDOW + 1, 1000]  # blocks from the target to the next transaction


def roll_and_wait(race, match, distance):
    """Ask for a roll, let its roller's time run out, and come `distance` blocks past the target."""
    target = race.roll(1, sender=match.on_turn).block_number + 1
    match.wait_past(match.turn.deadline + 100)
    match.mine_past(target + distance - 1)
    return target


@pytest.mark.parametrize("distance", DISTANCES)
def test_nobody_loses_on_time_while_their_roll_is_pending(race, match, chain, distance):
    target = roll_and_wait(race, match, distance)
    assert chain.pending_timestamp > match.turn.deadline
    for player in match.idle:
        with chain.isolate(), reverts(race.DiceTable_RollPending, id=1, target=target):
            race.claimTimeout(1, sender=player)
    receipt = race.resolveRoll(1, sender=match.idle[0])
    assert match.turn.deadline == receipt.timestamp + MOVE
    for player in match.idle:
        with reverts(sender_cannot_claim(race, match)):
            race.claimTimeout(1, sender=player)


def sender_cannot_claim(race, match):
    """Why there is nothing to claim: the roll was resolved, or cast anew."""
    return race.DiceTable_RollPending if race.rollTargetOf(1) else race.Table_DeadlineNotPassed


def test_nobody_loses_on_time_before_their_roll_can_be_resolved(race, match, chain):
    """Long after the deadline, in the target block itself: the roller could do nothing."""
    target = race.roll(1, sender=match.on_turn).block_number + 1
    match.wait_past(match.turn.deadline + 3600)
    assert chain.blocks.height + 1 == target
    with reverts(race.DiceTable_RollPending, id=1, target=target):
        race.claimTimeout.call(1, sender=match.idle[0], block_id="pending")
    with reverts(race.DiceTable_RollNotYet, id=1, target=target):
        race.resolveRoll.call(1, sender=match.idle[0], block_id="pending")
    chain.mine(1)
    receipt = race.resolveRoll(1, sender=match.idle[0])
    assert match.turn.deadline == receipt.timestamp + MOVE


def test_who_follows_the_roller_is_claimed_as_ever(race, match, keeper):
    roll_and_wait(race, match, 1)
    race.resolveRoll(1, sender=keeper)
    match.expire()
    race.claimTimeout(1, sender=match.idle[0])
    assert match.turn.outcome == Outcome.TIMED_OUT


@pytest.mark.parametrize("distance", [1, 2, WINDOW])
def test_whenever_it_is_resolved_it_is_the_same_roll(race, match, chain, keeper, distance):
    """And the roller can do nothing meanwhile to get another."""
    roller, seat = match.on_turn, match.turn.onTurn
    target = roll_and_wait(race, match, distance)
    die = die_of(chain, match, target)
    with chain.isolate(), reverts(race.DiceTable_RollPending, id=1, target=target):
        race.roll(1, sender=roller)
    race.resolveRoll(1, sender=keeper)
    assert race.placeOf(1, seat) == die


@pytest.mark.parametrize("distance", [WINDOW + 1, 1000])
def test_out_of_reach_only_a_new_cast_is_left(race, match, chain, keeper, distance):
    roller, seat = match.on_turn, match.turn.onTurn
    target = roll_and_wait(race, match, distance)
    for call in (race.roll, race.rest):
        with chain.isolate(), reverts(race.DiceTable_RollPending, id=1, target=target):
            call(1, sender=roller)
    assert race.rollTargetOf(1) == target
    new_target = race.resolveRoll(1, sender=keeper).block_number + 1
    assert (race.rollTargetOf(1), match.turn.onTurn) == (new_target, seat)
    match.mine_past(new_target)
    die = die_of(chain, match, new_target)
    race.resolveRoll(1, sender=keeper)
    assert race.placeOf(1, seat) == die


@pytest.mark.parametrize("distance", [WINDOW + 1, 1000])
def test_out_of_reach_the_roller_may_still_add_time(race, match, distance):
    roller = match.on_turn
    target = roll_and_wait(race, match, distance)
    receipt = race.keepAlive(1, sender=roller)
    assert [event.event_name for event in receipt.events] == ["ClockExtended"]
    assert race.rollTargetOf(1) == target


@pytest.mark.parametrize("distance", [WINDOW + 1, 1000])
def test_out_of_reach_players_may_still_agree_or_give_up(race, match, chain, seated, distance):
    roll_and_wait(race, match, distance)
    with chain.isolate():
        race.resign(1, sender=match.on_turn)
        assert (match.turn.outcome, race.rollTargetOf(1)) == (Outcome.RESIGNED, 0)
    for player in match.players:
        race.offerDraw(1, 1, sender=player)
    assert (match.turn.outcome, race.rollTargetOf(1)) == (Outcome.DRAWN, 0)


def test_a_due_roll_comes_before_a_keep_alive(race, match):
    roller, following = match.on_turn, match.players[(match.turn.onTurn + 1) % 3]
    race.roll(1, sender=roller)
    match.chain.mine(2)
    with reverts(race.Table_NotOnTurn, id=1, account=roller):
        race.keepAlive(1, sender=roller)
    receipt = race.keepAlive(1, sender=following)
    assert [event.event_name for event in receipt.events] == ["Rolled", "ClockExtended"]


def test_a_due_roll_comes_before_a_resignation(race, match):
    seat = match.turn.onTurn
    race.roll(1, sender=match.on_turn)
    match.chain.mine(2)
    receipt = race.resign(1, sender=match.idle[0])
    assert [event.event_name for event in receipt.events] == ["Rolled", "Resigned", "GameEnded"]
    assert race.placeOf(1, seat) > 0


def test_a_due_roll_comes_before_an_accepted_draw(race, match, seated):
    """A consent is bound to a position, and a due roll is a move: the offers before it are void."""
    race.roll(1, sender=match.on_turn)
    race.offerDraw(1, 1, sender=seated[0])  # in the target block: not yet due
    with reverts(race.Table_StaleOffer, id=1, given=1, current=2):
        race.offerDraw(1, 1, sender=seated[1])
    receipt = race.offerDraw(1, 2, sender=seated[1])
    assert [event.event_name for event in receipt.events] == ["Rolled", "DrawOffered"]


def test_whoever_arrives_wins(race, match, keeper):
    for _ in range(30):
        if match.phase is Phase.ENDED:
            break
        race.roll(1, sender=match.on_turn)
        match.chain.mine(1)
        race.resolveRoll(1, sender=keeper)
    turn = match.turn
    assert (turn.phase, turn.outcome, turn.winners) == (Phase.ENDED, Outcome.WON, 1 << turn.onTurn)
    assert race.placeOf(1, turn.onTurn) >= race.GOAL()
    with reverts(race.Table_WrongPhase, id=1, current=Phase.ENDED):
        race.resolveRoll(1, sender=keeper)


def test_a_roll_that_was_pending_at_the_end_is_forgotten(race, match, keeper, seated):
    race.roll(1, sender=match.on_turn)
    race.resign(1, sender=match.idle[0])  # in the target block
    assert race.rollTargetOf(1) == 0
    match.chain.mine(2)
    for call in (
        lambda: race.resolveRoll(1, sender=keeper),
        lambda: race.resign(1, sender=seated[1]),
        lambda: race.keepAlive(1, sender=seated[1]),
    ):
        with reverts(race.Table_WrongPhase, id=1, current=Phase.ENDED):
            call()
