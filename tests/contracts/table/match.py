"""One game under test: who sits where, and what the tests do over and over."""

from enum import IntEnum, auto

NOBODY = "0x0000000000000000000000000000000000000000"
STAKE = 1_000_000_000_000_000_033  # odd: nothing divides evenly


class Phase(IntEnum):
    """ITable.Phase."""

    NONE = 0
    OPEN = auto()
    DRAWING = auto()
    PLAYING = auto()
    WAITING = auto()
    PROVING = auto()
    ENDED = auto()
    CANCELLED = auto()


class Outcome(IntEnum):
    """ITable.Outcome."""

    NONE = 0
    WON = auto()
    DRAWN = auto()
    RESIGNED = auto()
    TIMED_OUT = auto()
    NULL = auto()
    VOIDED = auto()


def rake(pot):
    return pot * 100 // 10_000


def shares(pot, winners, seats):
    """What each seat gets of a pot less rake: equal parts, the remainder to the first winner."""
    part, rest = divmod(pot - rake(pot), len(winners))
    return [part + rest * (seat == winners[0]) if seat in winners else 0 for seat in range(seats)]


def gains(call, *accounts):
    """What each account's balance grew by in `call()`, the sender's fee not counted."""
    before = [account.balance for account in accounts]
    receipt = call()
    fee = receipt.total_fees_paid
    return [
        account.balance - held + fee * (account == receipt.sender)
        for account, held in zip(accounts, before, strict=True)
    ]


def pass_time(chain, second):
    """Let time pass so that the next transaction is in `second`, at the earliest."""
    if chain.pending_timestamp < second:
        chain.pending_timestamp = second


class Match:
    """A game on `table` in which `players` sit, seat 0 first."""

    def __init__(self, table, chain, game_id, players, stake):
        self.table, self.chain, self.id, self.stake = table, chain, game_id, stake
        self.players = list(players)
        self.pot = stake * len(self.players)

    @property
    def turn(self):
        return self.table.turnOf(self.id)

    @property
    def phase(self):
        return Phase(self.turn.phase)

    @property
    def on_turn(self):
        return self.players[self.turn.onTurn]

    @property
    def idle(self):
        """Who is not on turn, by seat."""
        return [player for player in self.players if player != self.on_turn]

    def seat_of(self, player):
        return self.players.index(player)

    def mine_past(self, block):
        """Mine so that the next transaction is in block + 1."""
        self.chain.mine(block - self.chain.blocks.height)

    def wait_past(self, second):
        """Let time pass so that the next transaction is in second + 1."""
        pass_time(self.chain, second + 1)

    def draw(self, sender):
        self.mine_past(self.turn.mark)
        return self.table.settleDraw(self.id, sender=sender)

    def expire(self):
        """Let the clock of the player on turn run out."""
        self.wait_past(self.turn.deadline)
