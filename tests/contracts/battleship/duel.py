"""One game of Battleship under test: two committed boards, and what the tests do over and over."""

from enum import IntEnum

from battleship.commitment import Commitment, GameKey, covered, pack_fleet
from battleship.fleets import parse_fleet
from battleship.rules import Answer, Board
from tests.contracts.table.match import Match, gains

SEALED = b"\x5e" * 32
FLEET_TEXTS = {
    6: "CR 0 0 h, DE 0 1 h",
    10: "CA 0 0 h, BA 0 1 h, CR 0 2 h, SU 0 3 h, DE 0 4 h",
    20: "SC 0 0 h, CA 0 1 h, BA 0 2 h, CR 0 3 h, SU 0 4 h, SU 0 5 h, DE 0 6 h, DE 0 7 h",
}
FLEET_TEXTS |= {8: FLEET_TEXTS[6], 12: FLEET_TEXTS[20], 14: FLEET_TEXTS[20]}


class Verdict(IntEnum):
    """IBattleship.Verdict."""

    NONE = 0
    FAIR = 1
    FAILED_TO_PROVIDE_PROOF = 2
    NULL = 3


class Honesty(IntEnum):
    """IBattleship.Honesty."""

    UNKNOWN = 0
    HONEST = 1
    DISHONEST = 2


class LyingCommitment(Commitment):
    """A tree that holds other cells than the placement says: what a cheater can make."""

    @classmethod
    def of(cls, honest, cells):
        made = cls(honest.game_key, honest.placement, honest.seed)
        made.__dict__["ship_cells"] = frozenset(cells)
        return made


def fleet_of(size):
    """A legal fleet in the top left corner."""
    return parse_fleet(FLEET_TEXTS[size])


def commit(contract, chain, player, size, ships=None, *, nonce=None, seed=None, cells=None):
    """A commitment to any ships at all, or to a placement; `cells`: what the tree holds instead."""
    ships = fleet_of(size) if ships is None else ships
    nonce = contract.nextNonce(player) if nonce is None else nonce
    key = GameKey(chain.chain_id, contract.address, player.address, nonce, size)
    seed = seed or bytes([nonce + 1]) * 31 + player.address.encode()[-1:]
    placement = ships if isinstance(ships, bytes) else pack_fleet(ships)
    made = Commitment(key, placement, seed)
    return made if cells is None else LyingCommitment.of(made, cells)


def sent(commitment, sealed=SEALED):
    """As the contract takes it."""
    return (commitment.game_key.nonce, commitment.root, sealed)


class Duel(Match):
    """A game between two committed boards; every move is the true one unless a test says otherwise."""

    def __init__(self, contract, chain, game_id, players, stake, size, boards):
        super().__init__(contract, chain, game_id, players, stake)
        self.size, self.boards = size, list(boards)
        self.waters = [Board(size) for _ in boards]

    @property
    def shooting(self):
        return self.table.shootingOf(self.id)

    @property
    def verdict(self):
        return Verdict(self.table.verdictOf(self.id))

    def honesty(self, seat):
        return Honesty(self.table.boardOf(self.id, seat).honesty)

    def fire(self, cell):
        return self.table.fire(self.id, cell, sender=self.on_turn)

    def arguments(self, sunk=None):
        """A true answer to the shot that is due, for `answer`; `sunk` says otherwise."""
        seat, cell = self.turn.onTurn, self.shooting.target
        opening = self.boards[seat].open(cell)
        told = self._told(seat, cell) if sunk is None else sunk
        return (self.id, cell, opening.is_ship, opening.salt, list(opening.proof), told)

    def answer(self, sunk=None):
        arguments, sender = self.arguments(sunk), self.on_turn
        self._note(arguments)
        return self.table.answer(*arguments, sender=sender)

    def answer_and_fire(self, cell, sunk=None):
        arguments, sender = self.arguments(sunk), self.on_turn
        self._note(arguments)
        return self.table.answerAndFire(*arguments, cell, sender=sender)

    def misses(self):
        """Cells of a board that no ship lies in, last first: never fleet cells of `fleet_of`."""
        return iter(range(self.size * self.size - 1, -1, -1))

    def shoot_down(self, winner, sunk=None):
        """Play until `winner` has hit all: they fire at the ships, the other at open water.

        `sunk(cell)`: what the loser says a hit sank (default: the truth).
        """
        targets = {
            winner: iter(sorted(self.boards[1 - winner].ship_cells)),
            1 - winner: self.misses(),
        }
        self.fire(next(targets[self.turn.onTurn]))
        while self.phase.name == "PLAYING":
            seat = self.turn.onTurn
            lie = sunk(self.shooting.target) if sunk and seat != winner else None
            self.answer_and_fire(next(targets[seat], 0), lie)

    def reveal(self, seat, board=None):
        board = board or self.boards[seat]
        return self.table.reveal(self.id, board.placement, board.seed, sender=self.players[seat])

    def close_proof(self, seat, sender):
        """Let the proof clock of a seat run out and say so."""
        self.wait_past(self.table.proofClockOf(self.id, seat).deadline)
        return self.table.closeProof(self.id, seat, sender=sender)

    def gains(self, call):
        """What both players' balances grew by."""
        return gains(call, *self.players)

    @property
    def prize(self):
        return self.pot - self.pot // 100

    @property
    def null_share(self):
        return self.stake - self.stake // 100

    def _told(self, seat, cell):
        """What it sinks according to the fleet, whatever the tree holds."""
        if cell not in self.boards[seat].ship_cells:
            return 0
        hits = self.waters[seat].hits | {cell}
        for ship in self.boards[seat].fleet:
            cells = covered(pack_fleet([ship]), self.size)
            if cell in cells:
                return ship.kind if cells <= hits else 0
        return 0

    def _note(self, arguments):
        seat, cell, hit = self.turn.onTurn, arguments[1], arguments[2]
        self.waters[seat] = self.waters[seat].struck(cell, Answer(hit))
