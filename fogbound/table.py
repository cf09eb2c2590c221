"""The client of contracts/table/ITable.sol: seats, stakes, clock, payout. Knows no game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from eth_account.signers.local import LocalAccount
from web3 import Web3
from web3.contract import Contract
from web3.types import TxReceipt

from fogbound.chain import Chain
from fogbound.clocks import Clocks, TimeControl, usual_control
from fogbound.errors import DrawMissed, DrawNotYet, TransactionFailed, WrongPhase
from fogbound.game import NOBODY, Game, Phase
from fogbound.history import History
from fogbound.terms import Terms

__all__ = ["WAIT_SECONDS", "Clocks", "Session", "TableClient", "TimeControl"]

WAIT_SECONDS = 3600.0


@dataclass(frozen=True)
class Session:
    """Whom a session key acts for, up to and including which second since 1970 (0 once revoked)."""

    player: str
    until: int


class TableClient:
    """One account at one game contract. What each call does, and when it reverts, ITable.sol says.

    `player` is whose seat is played: the account's own, or the player whose session key it is. `history`
    has the contract's events (from its deployment on, where a Connection makes the client).
    `fhevm` is the fhEVM client, for games that hide values. Every call that sends raises what
    Chain.transact does; a revert is the ContractError of its name.
    """

    def __init__(
        self,
        chain: Chain,
        contract: Contract,
        account: LocalAccount,
        fhevm: Any = None,
        player: str | None = None,
    ) -> None:
        self.chain = chain
        self.contract = contract
        self.account = account
        self.fhevm = fhevm
        self.player = player or account.address
        self.history = History(chain, contract)

    def with_session(self, key: LocalAccount) -> Self:
        """The same player, from now on acting through their session key."""
        client = type(self)(self.chain, self.contract, key, self.fhevm, self.player)
        client.history = self.history
        return client

    # ── before the game ──

    def open(
        self,
        *parameters: Any,
        opponent: str | None = None,
        stake: int = 0,
        control: int | None = None,
    ) -> int:
        """Open a game with the game's own parameters, paying the stake in wei; its id.

        `control`: the number of one of `time_controls()`; by default the one nearest to 300 s a move.
        """
        chosen = self._control(control)
        return self._new_game("open", *parameters, chosen, opponent or NOBODY, value=stake)

    def quick_match(self, *parameters: Any, stake: int = 0, control: int | None = None) -> int:
        """Join the longest-waiting game of these parameters, stake and control, or open one; its id."""
        return self._new_game("quickMatch", *parameters, self._control(control), value=stake)

    def join(self, game_id: int) -> None:
        """Take a free seat and pay the stake."""
        self._send("join", game_id, value=self.game(game_id).stake)

    def leave_seat(self, game_id: int) -> None:
        """Give an open game's seat back, for the stake."""
        self._send("leaveSeat", game_id)

    def cancel(self, game_id: int) -> None:
        """End an open game; every stake goes back."""
        self._send("cancel", game_id)

    def settle_draw(self, game_id: int) -> None:
        """Draw the first seat and start the clock."""
        self._send("settleDraw", game_id)

    def settle_draws(self, game_ids: Sequence[int]) -> None:
        """Settle, or reschedule, those of these draws that are due, in one transaction."""
        self._send("settleDraws", list(game_ids))

    def reschedule_draw(self, game_id: int) -> None:
        """Set a new target where the draw's block is out of reach."""
        self._send("rescheduleDraw", game_id)

    # ── during the game ──

    def keep_alive(self, game_id: int) -> None:
        """Extend the own clock instead of moving."""
        self._send("keepAlive", game_id)

    def offer_draw(self, game_id: int) -> None:
        """Offer a draw in the present position, or accept the others' offer."""
        self._send("offerDraw", game_id, self.game(game_id).move_number)

    def resign(self, game_id: int) -> None:
        """Give the game to the other seats."""
        self._send("resign", game_id)

    def claim_timeout(self, game_id: int) -> None:
        """End the game against the player on turn, after their deadline."""
        self._send("claimTimeout", game_id)

    def close_proof(self, game_id: int, seat: int) -> None:
        """Say that a seat's proof did not come in time."""
        self._send("closeProof", game_id, seat)

    def announce_void(self, game_id: int) -> None:
        """Announce the void of a game that waits too long."""
        self._send("announceVoid", game_id)

    def void_game(self, game_id: int) -> None:
        """Void an announced game that still waits; stakes go back."""
        self._send("voidGame", game_id)

    # ── session keys and money ──

    def authorize(self, key: LocalAccount, until: int, *, gas_money: int = 0) -> None:
        """Let `key`, which consents here, act for this account up to and including second `until`.

        `gas_money` in wei goes to it.
        """
        consent = self.sign_consent(key, until)
        self._send("authorize", key.address, until, consent, value=gas_money)

    def sign_consent(self, key: LocalAccount, until: int) -> bytes:
        """The key's EIP-712 signature that it will act for this account (65 bytes)."""
        domain = {
            "name": "Fogbound Table",
            "version": "1",
            "chainId": self.chain.chain_id,
            "verifyingContract": self.contract.address,
        }
        types = {
            "SessionConsent": [
                {"name": "player", "type": "address"},
                {"name": "until", "type": "uint256"},
            ]
        }
        message = {"player": self.account.address, "until": until}
        return bytes(key.sign_typed_data(domain, types, message).signature)

    def revoke(self, key: str) -> None:
        """End a session key of this account's now."""
        self._send("revoke", Web3.to_checksum_address(key))

    def session(self, key: str) -> Session | None:
        """Whom `key` acts for; None where it is no session key."""
        player, until = self._view("sessionOf", Web3.to_checksum_address(key))
        return None if player == NOBODY else Session(player, until)

    def credit(self) -> int:
        """What `withdraw` would pay this account, in wei."""
        return int(self._view("creditOf", self.account.address))

    def withdraw(self, to: str | None = None) -> None:
        """Take this account's credit, to itself unless `to` is given."""
        self._send("withdraw", Web3.to_checksum_address(to or self.account.address))

    # ── views and waiting ──

    def game(self, game_id: int, block: int | None = None) -> Game:
        """The state of a game, now or as of `block` (Phase.NONE where there is none)."""
        turn = self._view("turnOf", game_id, block=block)
        seats = self._view("seatsOf", game_id, block=block)
        return Game.parse(game_id, turn, seats)

    def games(self) -> list[Game]:
        """Every game that this player sat in, oldest first."""
        seated = {
            event.game_id
            for event in self.history.events()
            if self.player in (event.arguments.get("creator"), event.arguments.get("player"))
        }
        return [self.game(game_id) for game_id in sorted(i for i in seated if i)]

    def unfinished(self) -> list[Game]:
        """Those of `games` that are not over and not left: what a lost browser goes on with."""
        return [
            game
            for game in self.games()
            if not game.phase.final and game.seat_of(self.player) is not None
        ]

    def lobby(self) -> list[Game]:
        """Open games that this player may join, oldest first."""
        opened = {e.game_id for e in self.history.events() if e.name == "GameOpened" and e.game_id}
        games = [self.game(game_id) for game_id in sorted(i for i in opened if i)]
        return [
            game
            for game in games
            if game.phase is Phase.OPEN
            and game.seat_of(self.player) is None
            and game.invited in (None, self.player)
        ]

    def game_count(self) -> int:
        """How many games were ever opened; ids count from 1."""
        return int(self._view("gameCount"))

    def clocks(self) -> Clocks:
        """The durations that the contract was deployed with."""
        return Clocks(*self._view("clocks"))

    def time_controls(self) -> tuple[TimeControl, ...]:
        """The time controls that the contract was deployed with; a game's `control` numbers them."""
        return self._time_controls

    @cached_property
    def terms(self) -> Terms:
        """What the contract was deployed with: what a replay of its events goes by."""
        return Terms(self.clocks(), self.time_controls())

    @cached_property
    def _time_controls(self) -> tuple[TimeControl, ...]:
        return tuple(TimeControl(*control) for control in self._view("timeControls"))

    def seconds_left(self, game_id: int) -> int:
        """Seconds until the player on turn can lose on time, by the chain; negative once they can."""
        return self.game(game_id).deadline - self.chain.now()

    def wait_for(
        self,
        game_id: int,
        done: Callable[[Game], bool],
        what: str = "the game",
        *,
        seconds: float = WAIT_SECONDS,
    ) -> Game:
        """Wait until `done(game)`; that game. Raises WaitTimeout."""
        seen: list[Game] = []

        def look() -> bool:
            seen[:] = [self.game(game_id)]
            return done(seen[0])

        self.chain.wait_until(look, what, seconds=seconds)
        return seen[0]

    def wait_for_turn(self, game_id: int, *, seconds: float = WAIT_SECONDS) -> Game:
        """Wait until this player is on turn or the game is over; settles a draw that is due."""

        def arrived(game: Game) -> bool:
            if game.phase is Phase.DRAWING:
                self.settle_draw_if_due(game)
            return game.phase.final or game.is_turn_of(self.player)

        return self.wait_for(game_id, arrived, f"turn in game {game_id}", seconds=seconds)

    def settle_draw_if_due(self, game: Game) -> bool:
        """Settle, or reschedule, a draw whose block has come; whether this account did."""
        if game.phase is not Phase.DRAWING or self.chain.block_number <= game.mark:
            return False
        try:
            self.settle_draw(game.id)
        except DrawMissed:
            self.reschedule_draw(game.id)
        except (WrongPhase, DrawNotYet, TransactionFailed):  # somebody was faster
            return False
        return True

    # ── for the games' clients ──

    def _control(self, control: int | None) -> int:
        return usual_control(self.time_controls()) if control is None else control

    def _send(self, function: str, *arguments: Any, value: int = 0) -> TxReceipt:
        call = self.contract.functions[function](*arguments)
        return self.chain.transact(self.account, call, value=value)

    def _view(self, function: str, *arguments: Any, block: int | None = None) -> Any:
        call = self.contract.functions[function](*arguments)
        return self.chain.read(call, sender=self.account.address, block=block)

    def _new_game(self, function: str, *arguments: Any, value: int) -> int:
        receipt = self._send(function, *arguments, value=value)
        for log in receipt["logs"]:
            if log["address"] == self.contract.address:
                return int.from_bytes(log["topics"][1])
        raise AssertionError("opening and joining tell the game's id")
