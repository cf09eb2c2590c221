"""One game of Bunker War Z under test, on ape's chain and a local fhEVM in this process."""

from contextlib import contextmanager
from enum import IntEnum, auto

import pytest
from ape.exceptions import ContractLogicError
from eth_account import Account

from bunkerwar.rules import Board, Cell, Missile, parse_move
from fogbound.reverts import ErrorTable

NOBODY = "0x0000000000000000000000000000000000000000"
STAKE = 1_000_000_000_000_000_033  # odd: nothing divides evenly
TIE = 2


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


def local(account):
    """An ape account as the fhEVM client takes it."""
    return Account.from_key(account.private_key)


@contextmanager
def host_reverts(name):
    """The call ends with this error of Zama's contracts, whose ABIs ape does not have."""
    with pytest.raises(ContractLogicError) as refusal:
        yield
    data = bytes.fromhex(refusal.value.revert_message.removeprefix("0x"))
    assert ErrorTable("").decode(data).name == name


class Battle:
    """The game `id` of `contract`, in which `players` sit, seat 0 first."""

    def __init__(self, contract, fhevm, chain, game_id, players, keeper):
        self.contract, self.fhevm, self.chain = contract, fhevm, chain
        self.id, self.players, self.keeper = game_id, list(players), keeper

    # -- how it stands --

    @property
    def turn(self):
        return self.contract.turnOf(self.id)

    @property
    def phase(self):
        return Phase(self.turn.phase)

    @property
    def position(self):
        return self.contract.positionOf(self.id)

    @property
    def seat(self):
        """Who is on turn; while a missile is in flight, who sent it."""
        return self.turn.onTurn

    @property
    def player(self):
        return self.players[self.seat]

    @property
    def awaited(self):
        return self.contract.awaitedOf(self.id)

    def standing(self, seat):
        """(lane, depth) of what stands, from the public bits."""
        bits = self.position.built[seat]
        return {(bit // 8, bit % 8) for bit in range(64) if bits >> bit & 1}

    def handles(self, seat):
        """(lane, depth) → handle of what stands."""
        cells = self.contract.boardOf(self.id, seat)
        return {
            (lane, depth): bytes(handle)
            for lane, column in enumerate(cells)
            for depth, handle in enumerate(column)
            if any(handle)
        }

    def board(self, seat):
        """The true board, decrypted past all permissions."""
        board = Board.empty(self.position.lanes, self.position.depth)
        for (lane, depth), handle in self.handles(seat).items():
            bunker = self.fhevm.debug_decrypt(handle)
            board = board.built(lane, depth, Cell.BUNKER if bunker else Cell.HOUSE)
        return board

    # -- acting --

    def draw(self):
        """Settle the draw of the first seat as soon as it is due."""
        self.chain.mine(self.turn.mark - self.chain.blocks.height)
        return self.contract.settleDraw(self.id, sender=self.keeper)

    def encrypt(self, bunker, user=None, contract=None):
        """(handle, proof) of one bit."""
        user = user or self.player
        builder = self.fhevm.client.encrypt((contract or self.contract).address, user.address)
        made = builder.add_bool(bunker).encrypt()
        return made.handles[0], made.proof

    def build(self, lane, depth, bunker=False, sender=None):
        sender = sender or self.player
        handle, proof = self.encrypt(bunker, sender)
        return self.contract.build(self.id, lane, depth, handle, proof, sender=sender)

    def launch(self, lane, sender=None):
        """Send a missile; it may be in flight then."""
        return self.contract.sendMissile(self.id, lane, sender=sender or self.player)

    def decryption(self, handle=None):
        """(value, proof) of what the game waits for."""
        made = self.fhevm.client.public_decrypt([bytes(handle or self.awaited)])
        return int(made.cleartexts[0]), made.proof

    def resolve(self, sender=None):
        stop, proof = self.decryption()
        return self.contract.resolveMissile(self.id, stop, proof, sender=sender or self.keeper)

    def strike(self, lane):
        """A missile up to its end; where it stopped."""
        receipt = self.launch(lane)
        if self.phase is Phase.WAITING and self.position.left:
            receipt = self.resolve()
        return next(event.stop for event in receipt.decode_logs(self.contract.MissileResolved))

    def settle(self, sender=None):
        result, proof = self.decryption()
        return self.contract.settle(self.id, result, proof, sender=sender or self.keeper)

    def play(self, *texts):
        """Moves of the rules, each by whoever is on turn; where the last missile stopped."""
        stop = None
        for text in texts:
            move = parse_move(text)
            if isinstance(move, Missile):
                stop = self.strike(move.lane)
            else:
                self.build(move.lane, move.depth, move.cell == Cell.BUNKER)
        return stop

    def skip(self):
        """Whoever is on turn builds a house where it is least in the way (the last lane's base on)."""
        lanes, depth = self.position.lanes, self.position.depth
        standing = self.standing(self.seat)
        free = next(d for d in range(depth) if (lanes - 1, d) not in standing)
        return self.build(lanes - 1, free)

    def until(self, seat):
        """Make `seat` the one on turn."""
        if self.seat != seat:
            self.skip()
        return self
