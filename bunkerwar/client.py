"""The client of contracts/bunkerwar/IBunkerWar.sol.

Inputs are encrypted for the gateway of the `fhevm` client that it is given: ours, not Zama's relayer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from eth_account.signers.local import LocalAccount
from web3.contract import Contract

from bunkerwar.errors import NoMissileInFlight, NotCounting
from bunkerwar.replay import Played, Replay, replay
from bunkerwar.rules import Board, Cell, Missile, Move, State
from fhevm.client import FhevmClient, Value
from fhevm.errors import RequestExpired
from fhevm.permits import Permit
from fogbound.chain import Chain
from fogbound.errors import NotSeated, WrongPhase
from fogbound.game import Game, Phase
from fogbound.table import WAIT_SECONDS, TableClient

DESTROYED = bytes(32)


@dataclass(frozen=True)
class Position:
    """IBunkerWar.Position: what everybody sees; bit 8 · lane + depth of `built[seat]`."""

    built: tuple[int, int]
    lanes: int
    depth: int
    stacked: bool
    left: int
    spent: int
    target: int


class BunkerWarClient(TableClient):
    """One account at the contract. `open` and `quick_match` take (lanes, depth, stacked).

    Reading own buildings needs the player's own signature, once a day: where the account is their session
    key, `reader` is their account (set by `with_session`).
    """

    fhevm: FhevmClient

    def __init__(
        self,
        chain: Chain,
        contract: Contract,
        account: LocalAccount,
        fhevm: Any = None,
        player: str | None = None,
    ) -> None:
        super().__init__(chain, contract, account, fhevm, player)
        self.reader = account
        self._permit: Permit | None = None
        self._values: dict[bytes, Value] = {}

    def with_session(self, key: LocalAccount) -> Self:
        """The same player, from now on acting through their session key."""
        client = super().with_session(key)
        client.reader = self.reader
        return client

    # -- actions --

    def build(self, game_id: int, lane: int, depth: int, *, bunker: bool) -> None:
        """Build a house or a bunker; encrypted anew for each attempt."""
        builder = self.fhevm.encrypt(self.contract.address, self.account.address)
        made = builder.add_bool(bunker).encrypt()
        self._send("build", game_id, lane, depth, made.handles[0], made.proof)

    def send_missile(self, game_id: int, lane: int) -> None:
        """Send a missile; where it stops is known at once, or once somebody resolves it."""
        self._send("sendMissile", game_id, lane)

    def act(self, game_id: int, move: Move) -> None:
        """Make a move of the rules."""
        if isinstance(move, Missile):
            self.send_missile(game_id, move.lane)
        else:
            self.build(game_id, move.lane, move.depth, bunker=move.cell == Cell.BUNKER)

    # -- decryptions, for anyone --

    def resolve_missile(self, game_id: int) -> int:
        """Bring the decryption of where the missile in flight stops; that stop."""
        return self._bring("resolveMissile", game_id)

    def settle(self, game_id: int) -> int:
        """Bring the decrypted result, which ends the game; the winning seat, or 2 for a tie."""
        return self._bring("settle", game_id)

    def tend(self, game_id: int) -> bool:
        """Bring whatever decryption a waiting game needs; whether this account did."""
        if self.game(game_id).phase is not Phase.WAITING:
            return False
        try:
            if self.position(game_id).left:
                self.resolve_missile(game_id)
            else:
                self.settle(game_id)
        except (WrongPhase, NoMissileInFlight, NotCounting):  # somebody was faster
            return False
        return True

    def _bring(self, function: str, game_id: int) -> int:
        decrypted = self.fhevm.public_decrypt([self._view("awaitedOf", game_id)])
        value = int(decrypted.cleartexts[0])
        self._send(function, game_id, value, decrypted.proof)
        return value

    # -- views --

    def position(self, game_id: int) -> Position:
        """What everybody sees, as the contract stores it."""
        built, *others = self._view("positionOf", game_id)
        return Position(tuple(built), *others)

    def replay(self, game_id: int) -> Replay:
        """The game up to now as everybody saw it, from its events."""
        return replay(self.history.of_game(game_id), self.terms).game

    def moves(self, game_id: int) -> tuple[Played, ...]:
        """The actions up to now, builds hidden."""
        return self.replay(game_id).played

    def view(self, game_id: int) -> State:
        """What this player knows: their own board decrypted, the other as everybody sees it.

        Raises RecordInvalid before the first seat is drawn, NotSeated.
        """
        state = self.replay(game_id).position
        seat = self.seat(game_id)
        own = self._decrypted(game_id, seat, state.boards[seat])
        boards = (own, state.boards[1]) if seat == 0 else (state.boards[0], own)
        return replace(state, boards=boards)

    def own_board(self, game_id: int) -> Board:
        """The player's own board, decrypted. Raises as `view` does."""
        return self.view(game_id).boards[self.seat(game_id)]

    def score(self, game_id: int) -> int:
        """The player's own houses that stand, added up from their own board."""
        return self.own_board(game_id).score

    def opponent_board(self, game_id: int) -> Board:
        """The other board as everybody sees it."""
        return self.replay(game_id).position.boards[1 - self.seat(game_id)]

    def seat(self, game_id: int) -> int:
        """The player's seat. Raises NotSeated."""
        seat = self.game(game_id).seat_of(self.player)
        if seat is None:
            raise NotSeated("Table_NotSeated", {"id": game_id, "account": self.player})
        return seat

    def wait_for_result(self, game_id: int, *, seconds: float = WAIT_SECONDS) -> Game:
        """Wait until no decryption is pending; brings it where nobody else does."""
        return self.wait_for(
            game_id, lambda game: game.phase is not Phase.WAITING, "a decryption", seconds=seconds
        )

    # -- reading own values --

    def _decrypted(self, game_id: int, seat: int, board: Board) -> Board:
        """Only the cells that are hidden to others need decryption."""
        handles = self._view("boardOf", game_id, seat)
        hidden = {
            (lane, depth): bytes(handles[lane][depth])
            for lane, cells in enumerate(board.cells)
            for depth, cell in enumerate(cells)
            if cell == Cell.HIDDEN and handles[lane][depth] != DESTROYED  # since the replay
        }
        self._read(handle for handle in hidden.values() if handle not in self._values)
        for (lane, depth), handle in hidden.items():
            board = board.built(lane, depth, Cell.BUNKER if self._values[handle] else Cell.HOUSE)
        return board

    def _read(self, handles: Iterable[bytes]) -> None:
        """Own values, once each: what a handle names never changes."""
        missing = list(handles)
        if missing:
            self._values.update(zip(missing, self._read_with_permit(missing), strict=True))

    def _read_with_permit(self, handles: Sequence[bytes]) -> list[Value]:
        """One signature serves for a day."""
        contract = self.contract.address
        if self._permit is not None:
            try:
                return self.fhevm.read(self._permit, handles, contract)
            except RequestExpired:
                pass
        self._permit = self.fhevm.permit(self.reader, [contract])
        return self.fhevm.read(self._permit, handles, contract)
