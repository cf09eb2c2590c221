"""The client of contracts/battleship/IBattleship.sol: one account's boards, shots, answers and proofs."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

from eth_account.signers.local import LocalAccount
from web3.contract import Contract

from battleship.board_keys import BoardKeys, Entropy, account_signer
from battleship.bots import random_fleet
from battleship.commitment import Commitment, GameKey
from battleship.errors import BoardKeysMissing, NothingToAnswer
from battleship.fleets import Fleet, check_fleet
from battleship.replay import RULES, Replay
from battleship.rules import Attack, Board, Outcome, State
from fogbound.chain import Chain
from fogbound.errors import ContractError, NotSeated
from fogbound.events import Event
from fogbound.game import Game, Phase
from fogbound.replay import Replayed, after, start
from fogbound.table import TableClient

NONCE_ATTEMPTS = 3
FAIR = 1  # IBattleship.Verdict
UNKNOWN = 0  # IBattleship.Honesty


class BattleshipClient(TableClient):
    """One account at the contract. `open` and `quick_match` take (size, fleet).

    All secrets come from the player's wallet (see board_keys.py): a new client with the same key goes on
    where another has stopped. Where `account` is a session key, the player's own `keys` are handed over
    by `with_session`. `entropy` gives fresh random bytes for each commitment.
    """

    def __init__(
        self,
        chain: Chain,
        contract: Contract,
        account: LocalAccount,
        fhevm: Any = None,
        player: str | None = None,
    ) -> None:
        super().__init__(chain, contract, account, fhevm, player)
        self.entropy: Entropy = secrets.token_bytes
        self._keys: BoardKeys | None = None
        # By root: after a reorganisation an id may be another game's, and a false opening loses.
        self._commitments: dict[bytes, Commitment] = {}
        self._replays: dict[int, tuple[list[Event], Replayed[Replay]]] = {}

    @property
    def keys(self) -> BoardKeys:
        """The player's board keys; signed for once. Unless `recoverable`, they must keep them.

        Raises BoardKeysMissing for a session key that was not handed them.
        """
        if self._keys is None:
            if self.account.address != self.player:
                raise BoardKeysMissing(f"only {self.player} can sign for their boards")
            deployment = bytes(self._view("deploymentId"))
            chain_id, address = self.chain.chain_id, self.contract.address
            signer = account_signer(self.account)
            self._keys = BoardKeys.from_wallet(signer, chain_id, address, deployment)
        return self._keys

    @keys.setter
    def keys(self, keys: BoardKeys) -> None:
        self._keys = keys

    def with_session(self, key: LocalAccount) -> Self:
        """The same player, from now on acting through their session key."""
        client = super().with_session(key)
        client.keys, client.entropy = self.keys, self.entropy
        return client

    # ── before the game ──

    def open(
        self,
        *parameters: Any,
        opponent: str | None = None,
        stake: int = 0,
        control: int | None = None,
    ) -> int:
        """Open a game of (size, fleet), paying the stake in wei; its id. Raises IllegalFleet."""
        size, fleet = parameters
        return self._committing(
            size,
            fleet,
            lambda made: super(BattleshipClient, self).open(
                size, made, opponent=opponent, stake=stake, control=control
            ),
        )

    def quick_match(self, *parameters: Any, stake: int = 0, control: int | None = None) -> int:
        """Join the longest-waiting game of (size, …), stake and control, or open one; its id."""
        size, fleet = parameters
        return self._committing(
            size,
            fleet,
            lambda made: super(BattleshipClient, self).quick_match(
                size, made, stake=stake, control=control
            ),
        )

    def join(self, game_id: int, fleet: Fleet | None = None) -> None:
        """Take the free seat, with a fleet placed at random unless one is given."""
        size = self.size(game_id)
        stake = self.game(game_id).stake
        chosen = fleet or random_fleet(size, secrets.SystemRandom())
        self._committing(size, chosen, lambda made: self._joined(game_id, made, stake))

    def _joined(self, game_id: int, made: tuple[int, bytes, bytes], stake: int) -> int:
        self._send("join", game_id, made, value=stake)
        return game_id

    def commit(self, size: int, fleet: Fleet) -> tuple[Commitment, bytes]:
        """The next commitment, and the sealed placement. Raises IllegalFleet, IllegalSize."""
        nonce = int(self._view("nextNonce", self.player))
        key = GameKey(self.chain.chain_id, self.contract.address, self.player, nonce, size)
        return self.keys.commit(key, check_fleet(size, fleet), self.entropy)

    def _committing(
        self, size: int, fleet: Fleet, send: Callable[[tuple[int, bytes, bytes]], int]
    ) -> int:
        """Another tab may take the nonce first: then commit anew."""
        for attempt in range(NONCE_ATTEMPTS):
            commitment, sealed = self.commit(size, fleet)
            try:
                return send((commitment.game_key.nonce, commitment.root, sealed))
            except ContractError as error:
                if error.name != "Battleship_WrongNonce" or attempt == NONCE_ATTEMPTS - 1:
                    raise
        raise AssertionError("the last attempt returns or raises")

    # ── during the game ──

    def fire(self, game_id: int, attack: Attack) -> None:
        """Fire, and in the same transaction answer the shot that is due."""
        seen = self.replay(game_id)
        cell = attack.cell(seen.size)
        if self._owes_answer(game_id, seen):
            self._send("answerAndFire", *self._answer(game_id, seen), cell)
        else:
            self._send("fire", game_id, cell)

    def answer(self, game_id: int) -> None:
        """Answer the shot at the own board. Raises NothingToAnswer."""
        seen = self.replay(game_id)
        if not self._owes_answer(game_id, seen):
            raise NothingToAnswer(f"no shot at the own board waits in game {game_id}")
        self._send("answer", *self._answer(game_id, seen))

    def reveal(self, game_id: int) -> None:
        """Prove the own board."""
        self.replay(game_id)  # not the board that this id had before a reorganisation
        mine = self.commitment(game_id)
        self._send("reveal", game_id, mine.placement, mine.seed)

    def serve(self, game_id: int, *, at_once: bool = True) -> bool:
        """Do what this player owes without a choice of theirs: draw, answer, prove; whether they did.

        `at_once`: answer now; else only where that ends the shooting, and leave it to `fire`.
        """
        game = self.game(game_id)
        seat = game.seat_of(self.player)
        if seat is None:
            return False
        if game.phase is Phase.DRAWING:
            return self.settle_draw_if_due(game)
        if game.phase is Phase.PLAYING:
            return game.on_turn == seat and self._serve_answer(game_id, at_once=at_once)
        if self.owes_proof(game_id, seat) or self.may_reveal(game, seat):
            self.reveal(game_id)
            return True
        return self.tend(game_id)

    def tend(self, game_id: int) -> bool:
        """Close a proof clock that has run out, as anybody may; whether this account did."""
        for seat in range(2):
            deadline, owed = self._view("proofClockOf", game_id, seat)
            if owed and self.game(game_id).phase is Phase.PROVING and self.chain.now() > deadline:
                self.close_proof(game_id, seat)
                return True
        return False

    def _serve_answer(self, game_id: int, *, at_once: bool) -> bool:
        seen = self.replay(game_id)
        if not self._owes_answer(game_id, seen):
            return False
        if not (at_once or self._after_answer(game_id, seen).beaten):
            return False
        self._send("answer", *self._answer(game_id, seen))
        return True

    def _owes_answer(self, game_id: int, seen: Replay) -> bool:
        return seen.due is not None and seen.due[0] == self.seat(game_id)

    def _after_answer(self, game_id: int, seen: Replay) -> Board:
        """The own board with the shot that is due."""
        assert seen.due is not None, "asked before"
        own, (_, cell) = self._own_board(game_id, seen), seen.due
        return own.struck(cell, own.answer(cell))

    def _answer(self, game_id: int, seen: Replay) -> tuple[Any, ...]:
        """The arguments of the answer that is due."""
        shot = self._after_answer(game_id, seen).shots[-1]
        opening = self.commitment(game_id).open(shot.cell)
        sunk = int(shot.answer.sunk or 0)
        return (game_id, shot.cell, opening.is_ship, opening.salt, list(opening.proof), sunk)

    def _own_board(self, game_id: int, seen: Replay) -> Board:
        board = seen.position.boards[self.seat(game_id)]
        return replace(board, fleet=self.commitment(game_id).fleet)

    # ── views ──

    def size(self, game_id: int) -> int:
        """Columns, and rows, of the boards (0: no such game)."""
        return int(self._view("shootingOf", game_id)[0])

    def target(self, game_id: int) -> int | None:
        """The cell of this player's board whose answer they owe, or None."""
        seen = self.replay(game_id)
        return seen.due[1] if seen.due and self._owes_answer(game_id, seen) else None

    def seat(self, game_id: int) -> int:
        """The player's seat. Raises NotSeated."""
        for seat, player in self._seen(game_id).players.items():
            if player == self.player:
                return seat
        raise NotSeated("Table_NotSeated", {"id": game_id, "account": self.player})

    def _seen(self, game_id: int) -> Replay:
        """The game as last read, at least once: for what does not change."""
        known = self._replays.get(game_id)
        seen = known[1].game if known else self.replay(game_id)
        return seen if self.player in seen.players.values() else self.replay(game_id)

    def replay(self, game_id: int) -> Replay:
        """The game up to now as everybody saw it, from its events."""
        events = self.history.of_game(game_id)
        seen, played = self._replays.get(game_id, ([], start(RULES)))
        if events[: len(seen)] != seen:  # a reorganisation: from the start
            seen, played = [], start(RULES)
        for event in events[len(seen) :]:
            played = after(played, event, RULES, self.terms)
        self._replays[game_id] = (events, played)
        return played.game

    def commitment(self, game_id: int) -> Commitment:
        """What this player committed, opened from what they published. Raises PlacementLost."""
        seat, seen = self.seat(game_id), self._seen(game_id)
        made = seen.committed[seat]
        if made.root not in self._commitments:
            address, chain_id = self.contract.address, self.chain.chain_id
            key = GameKey(chain_id, address, self.player, made.nonce, seen.size)
            self._commitments[made.root] = self.keys.recover(key, made.root, made.sealed)
        return self._commitments[made.root]

    def position(self, game_id: int) -> State:
        """What this player knows: their own fleet, and every shot. Raises RecordInvalid before the draw."""
        seen, seat = self.replay(game_id), self.seat(game_id)
        own, other = self._own_board(game_id, seen), seen.position.boards[1 - seat]
        return replace(seen.position, boards=(own, other) if seat == 0 else (other, own))

    def view(self, game_id: int) -> State:
        """The position with this player to fire: a shot that is due counts as answered."""
        state, seat = self.position(game_id), self.seat(game_id)
        seen = self._seen(game_id)
        if self._owes_answer(game_id, seen):
            own, other = self._after_answer(game_id, seen), state.boards[1 - seat]
            state = replace(state, boards=(own, other) if seat == 0 else (other, own), turn=seat)
        return state

    def boards(self, game_id: int) -> tuple[Board, Board]:
        """The own board with the fleet, and the other's as shots have shown it."""
        boards, seat = self.position(game_id).boards, self.seat(game_id)
        return boards[seat], boards[1 - seat]

    def result(self, game_id: int) -> tuple[Outcome, int | None] | None:
        """Outcome and winning seat; None while it is open, and after a draw."""
        return self.replay(game_id).result

    def owes_proof(self, game_id: int, seat: int) -> bool:
        """Whether that seat is asked to prove its board."""
        return self.game(game_id).phase is Phase.PROVING and bool(
            self._view("proofClockOf", game_id, seat)[1]
        )

    def may_reveal(self, game: Game, seat: int) -> bool:
        """Whether the loser of a fair game may still show that they were honest."""
        if game.phase is not Phase.ENDED or self.chain.now() >= game.deadline:
            return False
        _, _, honesty = self._view("boardOf", game.id, seat)
        return (self._view("verdictOf", game.id), honesty) == (FAIR, UNKNOWN)
