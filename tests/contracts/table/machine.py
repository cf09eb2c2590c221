"""Random actions on the deployed contract, foretold by the model: what test_invariants.py runs."""

from collections import Counter
from typing import ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from web3 import Web3
from web3.exceptions import ContractLogicError
from web3.logs import DISCARD

from fhevm.freshchain import mine, travel
from tests.contracts.table.match import NOBODY, Phase
from tests.contracts.table.model import GameModel, Refused, TableModel

CLOCKS = WAIT, NOTICE, _ = (8, 4, 30)
CONTROLS = [(30, 3), (45, 1)]
GAS = 2_000_000
UNDER_WAY = (Phase.DRAWING, Phase.PLAYING, Phase.WAITING)
OPEN_TO_ANYONE = {
    "join", "settleDraw", "settleDraws", "rescheduleDraw", "resolveWait", "announceVoid",
    "voidGame", "closeProof",
}  # fmt: skip
AFTER = {
    Phase.OPEN: {Phase.DRAWING, Phase.CANCELLED},
    Phase.DRAWING: {Phase.PLAYING, Phase.WAITING, Phase.PROVING, Phase.ENDED},
    Phase.PLAYING: {Phase.WAITING, Phase.PROVING, Phase.ENDED},
    Phase.WAITING: {Phase.PLAYING, Phase.ENDED},
    Phase.PROVING: {Phase.ENDED},
    Phase.ENDED: set(),
    Phase.CANCELLED: set(),
}

stakes = st.sampled_from([0, 33, 10**6 + 1])
numbers = st.sampled_from([0, 1, 2, 3, 4, 5, 7] * 3 + [6])  # of a person
controls = st.sampled_from([0, 0, 0, 1, 1, 2])
# Mostly who may act, else somebody: a seat, or a person.
whos = st.sampled_from(["on turn"] * 8 + ["seat 0", "seat 1", "seat 2", "seat 3", 0, 2, 4, 5, 6])
claimants = st.sampled_from(["seat 0", "seat 1", "seat 2", 0, 3])
mostly = st.sampled_from([True, True, True, False])
picks = st.integers(0, 7)


class TableMachine(RuleBasedStateMachine):
    """Random actions by random senders, some of them in time and allowed."""

    contracts: ClassVar[dict]  # what is deployed, by name; set by the test, as is what follows
    w3 = key = None
    accepted: ClassVar[Counter] = Counter()
    refused: ClassVar[Counter] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.owner = self.w3.eth.accounts[0]
        self.table = self.deploy("Sandbox", self.owner, CLOCKS, CONTROLS)
        puppets = refuser, withdrawer = self.deploy("Refuser"), self.deploy("Withdrawer")
        self.puppets = {puppet.address: puppet for puppet in puppets}
        again = self.table.encode_abi("withdraw", args=[withdrawer.address])
        withdrawer.functions.prepare(self.table.address, again).transact({"from": self.owner})
        self.errors = {
            Web3.keccak(text=error.selector)[:4]: error.name
            for error in self.contracts["Sandbox"].errors
        }
        self.people = [*self.w3.eth.accounts[1:6], refuser.address]
        self.people += [self.key.address, withdrawer.address]
        self.model = TableModel(
            CLOCKS, CONTROLS, {refuser.address}, {withdrawer.address}, self.hash_of
        )
        self.phases: dict[int, Phase] = {}
        self.deadlines: dict[int, int] = {}
        self.identities: dict[str, str] = {}
        self.touched: list[GameModel] = []
        self.forced = 0
        self.w3.eth.default_account = self.owner

    # ── the chain ──

    def deploy(self, name, *arguments):
        contract_type = self.contracts[name]
        factory = self.w3.eth.contract(
            abi=[entry.model_dump(mode="json", by_alias=True) for entry in contract_type.abi],
            bytecode=contract_type.deployment_bytecode.bytecode,
        )
        sent = factory.constructor(*arguments).transact({"from": self.owner, "gas": 8_000_000})
        return factory(self.w3.eth.get_transaction_receipt(sent)["contractAddress"])

    def hash_of(self, number):
        return bytes(self.w3.eth.get_block(number)["hash"])

    def mine(self, blocks):
        mine(self.w3, blocks)

    @property
    def now(self):
        """The second of the block to come."""
        return self.w3.eth.get_block("pending")["timestamp"]

    def pass_time(self, seconds):
        travel(self.w3, self.now + seconds)

    def pass_deadline(self, game, late):
        self.pass_time(max(game.deadline + 1 - self.now, 1) if late else 1)

    def act(self, name, sender, *arguments, value=0, told=None, in_person=False):
        """Do it on the model and on the contract; both must agree."""
        model = self.model
        sender = sender if in_person else self.stand_in(name, sender)
        model.block, model.now = self.w3.eth.block_number + 1, self.now
        model.sender, model.value = sender, value
        call = self.table.functions[name](*(arguments if told is None else told))
        try:
            game = getattr(model, name)(*arguments)
        except Refused as refusal:
            self.refused[str(refusal)] += 1
            return self.assert_refused(call, sender, value, str(refusal))
        receipt = self.send(call, sender, value)
        game = game or next((one for one in arguments if isinstance(one, GameModel)), None)
        self.accepted[name] += 1
        self.touched += [game] if game else []
        return self.assert_accepted(name, receipt, sender, game)

    def stand_in(self, name, sender):
        """Every other time a player's session key acts in their place."""
        player, _ = self.model.keys.get(self.key.address, (None, 0))
        resolved = name not in ("authorize", "revoke", "withdraw", "withdrawPool")
        even = self.w3.eth.block_number % 2 == 0
        return self.key.address if player == sender and resolved and even else sender

    def through_puppet(self, call, sender, value):
        """Contract accounts act through whoever steers them."""
        puppet = self.puppets.get(sender)
        if puppet is None:
            return call, {"from": sender, "value": value, "gas": GAS}
        data = self.table.encode_abi(call.fn_name, args=call.args)
        options = {"from": self.owner, "value": value, "gas": GAS}
        return puppet.functions.act(self.table.address, data), options

    def send(self, call, sender, value):
        call, options = self.through_puppet(call, sender, value)
        receipt = self.w3.eth.get_transaction_receipt(call.transact(options))
        assert receipt["status"] == 1
        return receipt

    def assert_refused(self, call, sender, value, error):
        call, options = self.through_puppet(call, sender, value)
        with pytest.raises(ContractLogicError) as revert:
            call.call(options, block_identifier="pending")
        assert self.errors[bytes.fromhex(revert.value.data[2:10])] == error

    # ── what an accepted action may do ──

    def assert_accepted(self, name, receipt, sender, game):
        for event in self.table.events.GameEnded().process_receipt(receipt, errors=DISCARD):
            self.assert_paid_in_full(event["args"])
        if game is not None:
            self.assert_allowed(name, sender, game)
        self.note_identity(name, receipt, sender)

    def assert_paid_in_full(self, ended):  # invariant 2
        game = self.model.games[ended["id"] - 1]
        assert sum(ended["amounts"]) + ended["rake"] == game.pot

    def assert_allowed(self, name, sender, game):  # invariant 4
        player = self.model.keys.get(sender, (sender, 0))[0]
        assert name in OPEN_TO_ANYONE or player in game.players.values() or name == "leaveSeat"

    def note_identity(self, name, receipt, sender):  # invariant 6
        for kind, field in [("GameOpened", "creator"), ("SeatTaken", "player")]:
            events = self.table.events[kind]().process_receipt(receipt, errors=DISCARD)
            for event in events:
                identity = event["args"][field]
                assert self.identities.setdefault(sender, identity) == identity

    # ── picking ──

    def game(self, pick, *phases):
        """A game in one of these phases; where there is none, one is brought there."""
        games = [game for game in self.model.games if game.phase in phases]
        return games[pick % len(games)] if games else self.bring(pick, phases[-1])

    def bring(self, pick, phase):
        players = [self.people[(pick + seat) % 6] for seat in range(2)]
        game = self.seated(players if phase is not Phase.OPEN else players[:1], 2, 10**6 + 1)
        if phase in (Phase.PLAYING, Phase.WAITING, Phase.PROVING):
            self.draw(game)
        if phase is Phase.WAITING:
            self.in_person("beginWait", game.players[game.on_turn], game)
        if phase is Phase.PROVING:
            self.in_person("askProofs", game.players[game.on_turn], game, 3)
        return game

    def seated(self, players, seats, stake, control=0):
        """A new game. Nobody's key stands in: it may have ended, and then there would be none."""
        first, *others = players
        told = (b"", seats, control, NOBODY)
        self.act("open", first, seats, control, None, value=stake, told=told, in_person=True)
        game = self.model.games[-1]
        for player in others:
            self.in_person("join", player, game, value=stake)
        return game

    def draw(self, game):
        self.mine(2)
        self.in_person("settleDraw", game.players[0], game)

    def in_person(self, name, sender, game, *arguments, value=0):
        told = (game.id, *arguments)
        self.act(name, sender, game, *arguments, value=value, told=told, in_person=True)

    def who(self, who, game):
        """A sender: who sits there, else a person of that number."""
        if isinstance(who, int):
            return self.people[who]
        seat = game.on_turn if who == "on turn" else int(who[-1])
        return game.players.get(seat) or self.people[seat]

    def on_game(self, name, who, pick, phases, *arguments):
        game = self.game(pick, *phases)
        self.act(name, self.who(who, game), game, *arguments, told=(game.id, *arguments))

    def move(self, name, who, pick, *arguments):
        phases = (Phase.PLAYING,) if pick else (Phase.DRAWING,)
        self.on_game(name, who, pick, phases, *arguments)

    # ── rules ──

    @rule(who=numbers, seats=st.sampled_from([2, 3, 4, 5]), control=controls, stake=stakes)
    def open(self, who, seats, control, stake):
        told = (b"", seats, control, NOBODY)
        self.act("open", self.people[who], seats, control, None, value=stake, told=told)

    @rule(who=numbers, rival=numbers, control=controls, stake=stakes)
    def challenge(self, who, rival, control, stake):
        rival = self.people[rival]
        told = (b"", 2, control, rival)
        self.act("open", self.people[who], 2, control, rival, value=stake, told=told)

    @rule(
        seats=st.integers(2, 4),
        stake=stakes,
        control=st.integers(0, 1),
        people=st.permutations([0, 1, 2, 3, 4, 5, 7]),
        drawn=st.booleans(),
    )
    def start(self, seats, stake, control, people, drawn):
        players = [self.people[number] for number in people[:seats]]
        game = self.seated(players, seats, stake, control)
        if drawn:
            self.draw(game)

    @rule(who=numbers, pick=picks, excess=st.sampled_from([0, 0, 0, 1]))
    def join(self, who, pick, excess):
        game = self.game(pick, Phase.OPEN)
        sender = game.invited if game.invited and pick else self.people[who]
        self.act("join", sender, game, value=game.stake + excess, told=(game.id,))

    @rule(who=numbers, seats=st.integers(2, 4), control=controls, stake=stakes)
    def quick_match(self, who, seats, control, stake):
        told = (b"", seats, control)
        self.act("quickMatch", self.people[who], seats, control, value=stake, told=told)

    @rule(who=whos, pick=picks)
    def leave_or_cancel(self, who, pick):
        self.on_game("leaveSeat", who, pick, (Phase.OPEN,))
        self.on_game("cancel", who, pick, (Phase.OPEN,))

    @rule(who=whos, pick=picks)
    def settle_draw(self, who, pick):
        self.on_game("settleDraw", who, pick, (Phase.DRAWING,))

    @rule(who=numbers, pick=picks, missed=st.sampled_from([False, False, True]))
    def settle_draws(self, who, pick, missed):
        self.bring(pick, Phase.DRAWING)
        self.mine(257 if missed else 1)
        self.bring(pick + 1, Phase.DRAWING)  # not due yet
        games = self.model.games[-4:]
        ids = [0, *(game.id for game in games), games[0].id, 2**200]
        self.act("settleDraws", self.people[who], games, told=(ids,))
        self.touched += games

    @rule(who=whos, pick=picks, missed=st.booleans())
    def reschedule_draw(self, who, pick, missed):
        self.mine(257 if missed else 1)
        self.on_game("rescheduleDraw", who, pick, (Phase.DRAWING,))

    @rule(who=whos, pick=picks, seat=st.integers(0, 1))
    def hand(self, who, pick, seat):
        self.move("hand", who, pick, seat)

    @rule(who=whos, pick=picks, times=st.integers(1, 4))
    def keep_alive(self, who, pick, times):
        for _ in range(times):
            self.move("keepAlive", who, pick)

    @rule(who=whos, pick=picks)
    def begin_wait(self, who, pick):
        self.move("beginWait", who, pick)

    @rule(who=whos, pick=picks)
    def resolve_wait(self, who, pick):
        self.on_game("resolveWait", who, pick, (Phase.WAITING,), 1)

    @rule(who=whos, pick=picks, mask=st.integers(1, 3))
    def ask_proofs(self, who, pick, mask):
        self.move("askProofs", who, pick, mask)

    @rule(who=whos, pick=picks)
    def prove(self, who, pick):
        self.on_game("prove", who, pick, (Phase.PROVING,))

    @rule(who=whos, pick=picks, seat=st.integers(0, 2), late=mostly)
    def close_proof(self, who, pick, seat, late):
        self.pass_deadline(self.game(pick, Phase.PROVING), late)
        self.on_game("closeProof", who, pick, (Phase.PROVING,), seat)

    @rule(who=whos, pick=picks, mask=st.integers(1, 3))
    def finish(self, who, pick, mask):
        self.move("win", who, pick, mask)
        self.move("tie", who, pick)
        self.move("nullify", who, pick)

    @rule(who=whos, pick=picks)
    def resign(self, who, pick):
        self.on_game("resign", who, pick, UNDER_WAY)

    @rule(who=claimants, pick=picks, late=mostly)
    def claim_timeout(self, who, pick, late):
        self.pass_deadline(self.game(pick, Phase.PLAYING), late)
        self.on_game("claimTimeout", who, pick, (Phase.PLAYING,))

    @rule(who=whos, pick=picks, all_agree=mostly)
    def offer_draw(self, who, pick, all_agree):
        game = self.game(pick, Phase.PLAYING, Phase.WAITING)
        senders = list(game.players.values()) if all_agree else [self.who(who, game)]
        number = game.moves + (pick == 7)
        for sender in senders:
            self.act("offerDraw", sender, game, number, told=(game.id, number))

    @rule(who=whos, pick=picks, late=mostly)
    def announce_void(self, who, pick, late):
        self.pass_time(WAIT if late else 1)
        self.on_game("announceVoid", who, pick, (Phase.WAITING,))

    @rule(who=whos, pick=picks, announced=mostly, late=mostly)
    def void_game(self, who, pick, announced, late):
        if announced:
            self.announce_void(who, pick, True)
        self.pass_time(NOTICE if late else 1)
        self.on_game("voidGame", who, pick, (Phase.WAITING,))

    @rule(who=numbers, key=st.sampled_from([6, 6, 6, 0]), ahead=st.integers(-1, 60))
    def authorize(self, who, key, ahead):
        player, key = self.people[who], self.people[key]
        until = self.now + ahead
        consented = key == self.key.address
        consent = self.consent_of(player, until) if consented else b"\0" * 65
        self.act("authorize", player, key, until, consented, told=(key, until, consent))

    def consent_of(self, player, until):
        domain = {
            "name": "Fogbound Table",
            "version": "1",
            "chainId": self.w3.eth.chain_id,
            "verifyingContract": self.table.address,
        }
        fields = [{"name": "player", "type": "address"}, {"name": "until", "type": "uint256"}]
        message = {"player": player, "until": until}
        return self.key.sign_typed_data(domain, {"SessionConsent": fields}, message).signature

    @rule(own=mostly, who=st.integers(0, 4), anew=mostly)
    def revoke(self, own, who, anew):
        player, _ = self.model.keys.get(self.key.address, (self.people[who], 0))
        if anew:
            self.authorize(self.people.index(player), 6, 30)
        self.act("revoke", player if own else self.people[who], self.key.address)

    @rule(who=st.sampled_from([5, 5, 7, 7, 0, 6]), to=st.sampled_from([1, 5, 7, 7]), refuse=mostly)
    def withdraw(self, who, to, refuse):
        if refuse:
            puppet = self.people[who if who in (5, 7) else 5]
            self.in_person("cancel", puppet, self.seated([puppet], 2, 33))
        self.act("withdraw", self.people[who], self.people[to])

    @rule(honest=mostly, to=st.sampled_from([1, 2, 3, 4, 5, 7]), resigned=mostly)
    def withdraw_pool(self, honest, to, resigned):
        if resigned:
            self.resign("seat 0", to)
        sender, to = self.owner if honest else self.people[1], self.people[to]
        self.act("withdrawPool", sender, to, self.owner, told=(to,))

    @rule(amount=st.integers(1, 5))
    def force_ether(self, amount):
        code = self.contracts["EtherForcer"].deployment_bytecode.bytecode
        data = code + self.table.address[2:].rjust(64, "0")
        self.w3.eth.send_transaction(
            {"from": self.owner, "data": data, "value": amount, "gas": GAS}
        )
        self.forced += amount

    @rule(blocks=st.integers(1, 9), seconds=st.integers(0, 50))
    def wait(self, blocks, seconds):
        self.mine(blocks)
        self.pass_time(seconds)

    # ── invariants ──

    @invariant()
    def all_is_as_foretold(self):
        touched, self.touched = self.touched, []
        for game in touched:
            self.game_is_as_foretold(game)
        if touched:
            self.money_is_all_there()

    def teardown(self):
        """At the end also what nothing may have changed."""
        self.touched = self.model.games
        self.all_is_as_foretold()

    def money_is_all_there(self):  # invariant 1
        table = self.table.functions
        balance = self.w3.eth.get_balance(self.table.address)
        credits = sum(table.creditOf(address).call() for address in self.puppets)
        pots = sum(game.held for game in self.model.games)
        assert balance == pots + credits + table.pool().call() + self.forced
        assert balance == self.model.held + self.forced

    def game_is_as_foretold(self, game):  # invariants 3, 5, 7, 8
        turn = self.table.functions.turnOf(game.id).call()
        phase, outcome, _, taken, on_turn, consents = turn[:6]
        control, moves, deadline = turn[9:12]
        assert (phase, outcome, on_turn, control, moves, deadline) == (
            game.phase, game.outcome, game.on_turn, game.control, game.moves, game.deadline
        )  # fmt: skip
        assert (outcome == 0) == (phase != Phase.ENDED)
        assert all(end <= deadline for end in game.owed.values())
        assert taken == sum(1 << seat for seat in game.players)
        assert consents == sum(1 << seat for seat in game.consents)
        before = self.phases.get(game.id, phase)
        assert phase == before or phase in AFTER[before], (game, before, phase)
        assert deadline >= self.deadlines.get(game.id, 0)
        self.phases[game.id], self.deadlines[game.id] = Phase(phase), deadline
