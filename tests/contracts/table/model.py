"""The table in Python: phases, clocks, money. Each action raises Refused before it changes a thing.

Actions are named as in ITable.sol and Sandbox.sol and check in the contract's order.
"""

from collections import Counter
from dataclasses import dataclass, field

from eth_abi import encode
from eth_utils import keccak

from tests.contracts.table.match import Outcome, Phase, rake, shares

WINDOW = 256
FINAL = (Phase.ENDED, Phase.CANCELLED)


class Refused(Exception):
    """The action reverts with this error."""


def require(condition: object, error: str) -> None:
    if not condition:
        raise Refused(f"Table_{error}")


@dataclass
class GameModel:
    """One game; seats map to players."""

    id: int
    seats: int
    control: int
    stake: int
    invited: str | None
    players: dict[int, str]
    phase: Phase = Phase.OPEN
    outcome: Outcome = Outcome.NONE
    target: int = 0
    on_turn: int = 0
    deadline: int = 0
    moves: int = 0
    consents: set[int] = field(default_factory=set)
    keep_alives: Counter = field(default_factory=Counter)
    announced: int = 0
    waiting_since: int = 0
    owed: dict[int, int] = field(default_factory=dict)  # seat: last second of its proof clock

    @property
    def pot(self) -> int:
        return self.stake * self.seats

    @property
    def held(self) -> int:
        """What the contract owes for this game."""
        return 0 if self.phase in FINAL else self.stake * len(self.players)

    def seat_of(self, player: str) -> int | None:
        return next((seat for seat, other in self.players.items() if other == player), None)


class TableModel:
    """All games, the pool, credits, and who acts for whom."""

    def __init__(self, clocks, controls, refusers, withdrawers, hash_of) -> None:
        """`refusers` take no money; `withdrawers` only what they withdraw."""
        self.wait, self.notice, self.proof = clocks
        self.controls = controls
        self.refusers, self.withdrawers, self.hash_of = refusers, withdrawers, hash_of
        self.games: list[GameModel] = []
        self.pool = 0
        self.credits: Counter = Counter()
        self.paid: Counter = Counter()
        self.players: set[str] = set()
        self.keys: dict[str, tuple[str, int]] = {}
        self.block, self.now, self.sender, self.value = 0, 0, "", 0  # of the transaction at hand

    # ── who acts ──

    def actor(self) -> str:
        if self.sender not in self.keys:
            return self.sender
        player, until = self.keys[self.sender]
        require(until >= self.now, "SessionEnded")
        return player

    def actor_seat(self, game: GameModel) -> int:
        seat = game.seat_of(self.actor())
        require(seat is not None, "NotSeated")
        return seat

    def in_phase(self, game: GameModel, *phases: Phase) -> None:
        require(game.phase in phases, "WrongPhase")

    # ── before the game ──

    def open(self, seats: int, control: int, opponent: str | None) -> GameModel:
        require(seats == 2 or (opponent is None and seats in (3, 4)), "SeatsOutOfRange")
        require(control < len(self.controls), "ControlOutOfRange")
        creator = self.actor()
        require(creator != opponent, "OpponentIsSelf")
        self.players.add(creator)
        game = GameModel(len(self.games) + 1, seats, control, self.value, opponent, {0: creator})
        self.games.append(game)
        return game

    def join(self, game: GameModel) -> GameModel:
        self.in_phase(game, Phase.OPEN)
        require(self.value == game.stake, "WrongStake")
        player = self.actor()
        require(game.invited in (None, player), "NotInvited")
        require(game.seat_of(player) is None, "AlreadySeated")
        self.players.add(player)
        game.players[min(set(range(game.seats)) - set(game.players))] = player
        if len(game.players) == game.seats:
            game.phase, game.target = Phase.DRAWING, self.block + 2
        return game

    def quickMatch(self, seats: int, control: int) -> GameModel:  # noqa: N802
        player = self.actor()
        for game in self.games:  # by age
            key = (game.seats, game.control, game.stake)
            alike = game.invited is None and key == (seats, control, self.value)
            if alike and game.phase is Phase.OPEN and game.seat_of(player) is None:
                return self.join(game)
        return self.open(seats, control, None)

    def leaveSeat(self, game: GameModel) -> None:  # noqa: N802
        self.in_phase(game, Phase.OPEN)
        seat = self.actor_seat(game)
        if len(game.players) == 1:
            return self.cancelled(game)
        self.pay(game.players.pop(seat), game.stake)
        return None

    def cancel(self, game: GameModel) -> None:
        self.in_phase(game, Phase.OPEN)
        require(game.players.get(0) == self.actor(), "NotCreator")
        self.cancelled(game)

    def cancelled(self, game: GameModel) -> None:
        game.phase = Phase.CANCELLED
        for player in game.players.values():
            self.pay(player, game.stake)

    def move(self, game: GameModel) -> int:
        """Seconds for a move."""
        return self.controls[game.control][0]

    # ── the draw ──

    def settleDraw(self, game: GameModel) -> None:  # noqa: N802
        self.in_phase(game, Phase.DRAWING)
        require(self.block > game.target, "DrawNotYet")
        require(self.block - game.target <= WINDOW, "DrawMissed")
        data = encode(["bytes32", "uint256"], [self.hash_of(game.target), game.id])
        game.on_turn = int.from_bytes(keccak(data)) % game.seats
        game.phase, game.deadline = Phase.PLAYING, self.now + self.move(game)

    def settleDraws(self, games: list[GameModel]) -> None:  # noqa: N802
        for game in games:
            if game.phase is Phase.DRAWING and self.block > game.target:
                missed = self.block - game.target > WINDOW
                (self.rescheduleDraw if missed else self.settleDraw)(game)

    def rescheduleDraw(self, game: GameModel) -> None:  # noqa: N802
        self.in_phase(game, Phase.DRAWING)
        require(self.block - game.target > WINDOW, "DrawNotMissed")
        game.target = self.block + 2

    # ── moves ──

    def checked_turn(self, game: GameModel) -> None:
        """The guard of moves; leaves the draw settled."""
        drawing = game.phase is Phase.DRAWING
        if drawing:
            self.settleDraw(game)
        try:
            self.in_phase(game, Phase.PLAYING)
            require(self.actor() == game.players[game.on_turn], "NotOnTurn")
        except Refused:
            if drawing:
                game.phase, game.on_turn, game.deadline = Phase.DRAWING, 0, 0
            raise

    def hand(self, game: GameModel, seat: int) -> None:
        self.checked_turn(game)
        self.advance(game, seat % game.seats)

    def advance(self, game: GameModel, seat: int) -> None:
        game.phase, game.on_turn = Phase.PLAYING, seat
        game.deadline = max(game.deadline, self.now + self.move(game))
        self.new_position(game)

    def new_position(self, game: GameModel) -> None:
        game.moves += 1
        game.consents.clear()
        game.announced = 0

    def keepAlive(self, game: GameModel) -> None:  # noqa: N802
        require(
            game.phase is not Phase.PLAYING
            or self.actor() != game.players[game.on_turn]
            or game.keep_alives[game.on_turn] < self.controls[game.control][1],
            "NoKeepAliveLeft",
        )
        self.checked_turn(game)
        game.keep_alives[game.on_turn] += 1
        game.deadline = max(game.deadline, self.now) + self.move(game)

    def beginWait(self, game: GameModel) -> None:  # noqa: N802
        self.checked_turn(game)
        game.phase, game.waiting_since = Phase.WAITING, self.now
        self.new_position(game)

    def resolveWait(self, game: GameModel, seat: int) -> None:  # noqa: N802
        self.in_phase(game, Phase.WAITING)
        self.advance(game, seat % game.seats)

    def askProofs(self, game: GameModel, mask: int) -> None:  # noqa: N802
        self.checked_turn(game)
        end = self.now + self.proof
        game.phase, game.deadline = Phase.PROVING, max(game.deadline, end)
        game.owed = {seat: end for seat in range(game.seats) if mask >> seat & 1}

    # ── endings ──

    def win(self, game: GameModel, mask: int) -> None:
        self.checked_turn(game)
        self.end_won(game, Outcome.WON, [seat for seat in range(game.seats) if mask >> seat & 1])

    def tie(self, game: GameModel) -> None:
        self.checked_turn(game)
        self.end(game, Outcome.DRAWN, [game.stake] * game.seats)

    def nullify(self, game: GameModel) -> None:
        self.checked_turn(game)
        self.end_null(game)

    def resign(self, game: GameModel) -> None:
        self.in_phase(game, Phase.DRAWING, Phase.PLAYING, Phase.WAITING)
        self.end_without(game, Outcome.RESIGNED, self.actor_seat(game))

    def claimTimeout(self, game: GameModel) -> None:  # noqa: N802
        self.in_phase(game, Phase.PLAYING)
        require(self.actor_seat(game) != game.on_turn, "OwnTimeout")
        require(self.now > game.deadline, "DeadlineNotPassed")
        self.end_without(game, Outcome.TIMED_OUT, game.on_turn)

    def offerDraw(self, game: GameModel, move_number: int) -> None:  # noqa: N802
        self.in_phase(game, Phase.PLAYING, Phase.WAITING)
        seat = self.actor_seat(game)
        require(move_number == game.moves, "StaleOffer")
        require(seat not in game.consents, "AlreadyOffered")
        game.consents.add(seat)
        if len(game.consents) == game.seats:
            self.end(game, Outcome.DRAWN, [game.stake] * game.seats)

    def announceVoid(self, game: GameModel) -> None:  # noqa: N802
        self.in_phase(game, Phase.WAITING)
        require(not game.announced, "VoidAlreadyAnnounced")
        require(self.now >= game.waiting_since + self.wait, "VoidTooEarly")
        game.announced = self.now

    def voidGame(self, game: GameModel) -> None:  # noqa: N802
        self.in_phase(game, Phase.WAITING)
        require(game.announced, "VoidNotAnnounced")
        require(self.now >= game.announced + self.notice, "VoidTooEarly")
        self.end(game, Outcome.VOIDED, [game.stake] * game.seats)

    def prove(self, game: GameModel) -> None:
        self.in_phase(game, Phase.PROVING)
        seat = self.actor_seat(game)
        require(seat in game.owed, "ProofNotAsked")
        self.end_won(game, Outcome.WON, [seat])

    def closeProof(self, game: GameModel, seat: int) -> None:  # noqa: N802
        self.in_phase(game, Phase.PROVING)
        require(seat in game.owed, "ProofNotAsked")
        require(self.now > game.owed[seat], "DeadlineNotPassed")
        self.end_null(game)

    # ── sessions ──

    def authorize(self, key: str, until: int, consented: bool) -> None:
        require(until >= self.now, "SessionOutOfRange")
        require(self.sender not in self.keys, "SenderIsKey")
        require(key != self.sender and key not in self.players, "KeyIsPlayer")
        require(self.keys.get(key, (self.sender, 0))[0] == self.sender, "KeyServesOther")
        require(consented, "ConsentInvalid")
        self.players.add(self.sender)
        self.keys[key] = (self.sender, until)

    def revoke(self, key: str) -> None:
        player, until = self.keys.get(key, (None, 0))
        require(player == self.sender, "NotOwnKey")
        require(until >= self.now, "SessionEnded")
        self.keys[key] = (player, 0)

    # ── money ──

    def withdraw(self, to: str) -> None:
        amount = self.credits[self.sender]
        require(amount, "NothingToWithdraw")
        require(to not in self.refusers, "PaymentRefused")
        self.credits[self.sender] = 0
        self.hand_out(to, amount)

    def withdrawPool(self, to: str, owner: str) -> None:  # noqa: N802
        require(self.sender == owner, "NotPoolOwner")
        require(self.pool, "NothingToWithdraw")
        require(to not in self.refusers, "PaymentRefused")
        amount, self.pool = self.pool, 0
        self.hand_out(to, amount)

    def hand_out(self, to: str, amount: int) -> None:
        """A withdrawer that is paid withdraws its own credit at once."""
        self.paid[to] += amount
        if to in self.withdrawers:
            self.paid[to] += self.credits[to]
            self.credits[to] = 0

    def end_without(self, game: GameModel, outcome: Outcome, loser: int) -> None:
        self.end_won(game, outcome, [seat for seat in range(game.seats) if seat != loser])

    def end_won(self, game: GameModel, outcome: Outcome, winners: list[int]) -> None:
        self.end(game, outcome, shares(game.pot, winners, game.seats))

    def end_null(self, game: GameModel) -> None:
        self.end(game, Outcome.NULL, [game.stake - rake(game.stake)] * game.seats)

    def end(self, game: GameModel, outcome: Outcome, amounts: list[int]) -> None:
        game.phase, game.outcome = Phase.ENDED, outcome
        self.pool += game.pot - sum(amounts)
        for seat, amount in enumerate(amounts):
            self.pay(game.players[seat], amount)

    def pay(self, player: str, amount: int) -> None:
        credited = player in self.refusers | self.withdrawers
        (self.credits if credited else self.paid)[player] += amount

    @property
    def held(self) -> int:
        """What the contract holds for somebody."""
        return sum(game.held for game in self.games) + self.credits.total() + self.pool
