"""Dice by block hash, in process and, where the history contract matters, on anvil."""

import pytest
from ape import networks, reverts
from ape.exceptions import ContractLogicError
from eth_abi import encode
from eth_utils import keccak

from tests.contracts.table.match import STAKE, Match, Outcome, Phase

CLOCKS = (255, 30, 10)
WINDOW = 256


def start(race, chain, players):
    race.open(len(players), value=STAKE, sender=players[0])
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
    return owner.deploy(project.DiceRace, owner, CLOCKS)


@pytest.fixture
def match(race, chain, seated):
    """A race of three."""
    return start(race, chain, seated[:3])


def test_the_clock_is_within_the_window(project, owner):
    with pytest.raises(ContractLogicError) as error:
        owner.deploy(project.DiceRace, owner, (256, 30, 10))
    assert type(error.value).__name__ == "DiceTable_ClockTooLong"


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
    assert match.turn.deadline == receipt.block_number + CLOCKS[0]  # a redraw moves the deadline


def test_with_history_no_roll_is_missed_so_soon(project, accounts):
    with networks.parse_network_choice("ethereum:local:foundry"):
        chain = networks.active_provider.chain_manager
        players = [accounts[1], accounts[2]]
        race = players[0].deploy(project.DiceRace, players[0], CLOCKS)
        match = start(race, chain, players)
        seat = match.turn.onTurn
        target = race.roll(1, sender=match.on_turn).block_number + 1
        match.mine_past(target + WINDOW + 50)
        die = die_of(chain, match, target)
        race.resolveRoll(1, sender=players[0])
        assert race.placeOf(1, seat) == die


def test_a_due_roll_comes_before_a_claim(race, match):
    """The roller has moved: he cannot lose on time while his roll can be resolved."""
    target = race.roll(1, sender=match.on_turn).block_number + 1
    match.mine_past(match.turn.deadline)
    assert target + WINDOW > match.turn.deadline
    neither = match.players[(match.turn.onTurn + 2) % 3]  # the roller nor who follows him
    with reverts(race.Table_DeadlineNotPassed, id=1):
        race.claimTimeout(1, sender=neither)


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
    match.chain.mine(2)
    for call in (
        lambda: race.resolveRoll(1, sender=keeper),
        lambda: race.resign(1, sender=seated[1]),
        lambda: race.keepAlive(1, sender=seated[1]),
    ):
        with reverts(race.Table_WrongPhase, id=1, current=Phase.ENDED):
            call()
