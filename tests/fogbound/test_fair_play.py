"""With ten times the money of a guest nobody makes an opponent lose on time who moves within the clock.

What the attackers send goes to the chain's own port, which limits no client.
"""

import threading
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from eth_account import Account
from web3 import Web3

from fogbound.accounts import DEPLOYER
from fogbound.artifacts import compile_contract
from fogbound.errors import DeadlineNotPassed
from fogbound.game import Phase
from fogbound.rawtransactions import MAX_GAS
from fogbound.stack import Stack
from tests.amount import enough
from tests.fogbound.sandbox import GAME
from tests.fogbound.served import raw_memory_eater
from tests.fogbound.up import Up

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

HERE = Path(__file__).parent
ETHER = 10**18
GUEST_WEI = 5 * ETHER  # what the faucet gives
ATTACKERS = 20  # ten times as many accounts as one attack needs
LAID_DOWN = 250  # transactions of each that are to wait for their turn
KILLERS = 4  # accounts whose transactions the node ends of, which costs them nothing
CROWD = 150  # accounts with a transaction each that takes long for its gas
CLOCK, THOUGHT = 30, 10.0  # seconds for a move, and what a slow player takes
TURNS = 2
FIRST_SECONDS = 120  # until the first transaction of an attacker's is mined
GAMES, AT_ONCE = enough(375, 1_250), 125  # three times as many as were enough, in full ten times


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    up = Up(tmp_path_factory.mktemp("up"), "clear", "--controls", f"{CLOCK}:0")
    up.start()
    yield Stack.connect(up.data)
    up.stop()


@pytest.fixture
def rich(stack):
    """Makes an account with a guest's money."""

    def make(wei=GUEST_WEI):
        account = Account.create()
        stack.chain.transfer(DEPLOYER, account.address, wei)
        return account

    return make


@pytest.fixture
def deployed(stack, rich):
    """Deploys a contract of an attacker's."""

    def deploy(name):
        compiled = compile_contract(HERE / f"{name}.sol", HERE)
        made = stack.chain.deploy(rich(), compiled.abi, compiled.bytecode, ())
        return stack.chain.contract(made["contractAddress"], compiled.abi)

    return deploy


@pytest.fixture
def staked(stack, rich):
    """Begins a game with stakes in which the victim is on turn; the attacker's and the victim's clients."""

    def begin():
        attacker, victim = (stack.client(GAME, rich()) for _ in range(2))
        game_id = attacker.open(b"", 2, opponent=victim.player, stake=ETHER)
        victim.join(game_id)
        game = attacker.wait_for(game_id, lambda game: game.phase is Phase.PLAYING, seconds=60)
        if game.is_turn_of(attacker.player):
            attacker.hand_over(game_id, victim.game(game_id).seat_of(victim.player))
        return game_id, attacker, victim

    return begin


class Attacking:
    """An account that sends, whatever it hears, until the `with` ends.

    `mined`: how many arrived; `ended`: how many ended the node.
    """

    def __init__(self, stack, account):
        self._eth, self._chain_id, self._account = (
            stack.chain.web3.eth,
            stack.chain.chain_id,
            account,
        )
        self.tried, self.mined, self.ended = 0, 0, 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._attack, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()

    def _sends(self, raw):
        self.tried += 1
        try:
            self._eth.send_raw_transaction(raw)
        except Exception as error:  # noqa: BLE001 - whatever an attacker hears, they go on
            self.ended += "ended the node" in str(error)
            return False
        return True


class Killing(Attacking):
    """Sends what the node ends of, at another price each time."""

    def _attack(self):
        while not self._stop.is_set():
            raw = raw_memory_eater(1_900_000, sender=self._account, gasPrice=7 + self.tried)
            self.mined += self._sends(raw)


class Crowding(Attacking):
    """Fills the memory with copies of an input, as far as a block may, in one transaction after the other."""

    def _attack(self):
        for self.mined in count():
            raw = raw_memory_eater(400_000, self.mined, sender=self._account, gasPrice=10)
            while not self._sends(raw):
                if self._stop.is_set():
                    return


class Burning(Attacking):
    """Fills blocks: first with transactions for later, then with one after the other."""

    waiting = 0

    def __init__(self, stack, account, burner):
        super().__init__(stack, account)
        self._burner = burner

    def _attack(self):
        for nonce in range(1, LAID_DOWN + 1):
            self.waiting += self._send(nonce)
        for nonce in count():
            if self._stop.is_set() or not self._send(nonce):
                return
            self.mined += 1

    def _send(self, nonce):
        fees = {"maxFeePerGas": 4 * 10**9, "maxPriorityFeePerGas": 10**9}
        call = {"to": self._burner.address, "data": Web3.keccak(text="burn()")[:4], "value": 0}
        wanted = {"nonce": nonce, "chainId": self._chain_id, "gas": MAX_GAS, **fees, **call}
        return self._sends(self._account.sign_transaction(wanted).raw_transaction)


def wait_until(begun):
    """The attack has."""
    until = time.monotonic() + FIRST_SECONDS
    while not begun():
        assert time.monotonic() < until, "no attacker was heard"
        time.sleep(0.1)


def turns(game_id, attacker, victim):
    """The victim thinks, then moves; the attacker moves at once, and claims whenever that may be worth it."""
    for _ in range(TURNS):
        time.sleep(THOUGHT)
        with pytest.raises(DeadlineNotPassed):
            attacker.claim_timeout(game_id)
        game = victim.game(game_id)
        assert game.is_turn_of(victim.player)
        victim.hand_over(game_id, 1 - game.on_turn)
        assert victim.chain.newest().timestamp <= game.deadline
        attacker.hand_over(game_id, game.on_turn)


def test_full_blocks_keep_no_move_out(stack, rich, deployed, staked):
    burner = deployed("Burner")
    attacking = [Burning(stack, rich(), burner) for _ in range(ATTACKERS)]
    with ExitStack() as running:
        for each in attacking:
            running.enter_context(each)
        wait_until(lambda: any(each.mined for each in attacking))
        turns(*staked())
    assert all(each.tried for each in attacking)
    assert sum(each.waiting for each in attacking) == 0


def test_hundreds_of_games_of_a_stranger_keep_no_move_out(stack, rich, deployed, staked):
    game_id, attacker, victim = staked()
    table, stranger, swarms = attacker.contract, rich(), (deployed("Swarm"), deployed("Swarm"))

    def send(call):
        stack.chain.transact(stranger, call, gas=MAX_GAS)

    first = attacker.game_count() + 1
    opener, joiner = (swarm.functions for swarm in swarms)
    for start in range(first, first + GAMES, AT_ONCE):
        send(opener.openMany(table.address, AT_ONCE, swarms[1].address))
        send(joiner.joinMany(table.address, start, AT_ONCE))
    assert attacker.game_count() == first + GAMES - 1
    assert attacker.game(first + GAMES - 1).phase in (Phase.DRAWING, Phase.PLAYING)
    assert stack.chain.newest().timestamp <= time.time()
    turns(game_id, attacker, victim)


def test_what_ends_the_node_keeps_no_move_out(stack, rich, staked):
    """Free accounts, whose transactions cost them nothing."""
    killing = [Killing(stack, rich(ETHER)) for _ in range(KILLERS)]
    with ExitStack() as running:
        for each in killing:
            running.enter_context(each)
        wait_until(lambda: any(each.ended for each in killing))
        turns(*staked())
    assert all(each.tried for each in killing)
    assert not any(each.mined for each in killing)


def test_what_takes_long_for_its_gas_keeps_no_move_out(stack, rich, staked):
    """Some of it still waits at the end."""
    crowding = [Crowding(stack, rich(ETHER)) for _ in range(CROWD)]
    with ExitStack() as running:
        for each in crowding:
            running.enter_context(each)
        wait_until(lambda: any(each.mined for each in crowding))
        turns(*staked())
    assert all(each.tried for each in crowding)
