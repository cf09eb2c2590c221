"""What players did in secret, noted here, against what the stack says of it in the end."""

import random
from dataclasses import dataclass, field
from typing import Any

from battleship.bots import RandomBot as RandomShooter
from battleship.client import BattleshipClient
from bunkerwar.bots import RandomBot
from bunkerwar.client import BunkerWarClient
from bunkerwar.replay import Replay
from bunkerwar.rules import Build, Cell, Move, State, apply, outcome, view
from fogbound.game import Game, Phase
from scripts.soaking.patience import patiently
from scripts.soaking.report import Report


@dataclass
class BunkerWarNotes:
    """The moves of a game's own seats by number and seat: tried again, a move is the same move."""

    chosen: random.Random
    moves: dict[tuple[int, int], Move] = field(default_factory=dict)

    def act(self, client: BunkerWarClient, game: Game) -> bool:
        """Move, where that player is on turn."""
        if not game.is_turn_of(client.player):
            return False
        key = game.move_number, game.on_turn
        if key not in self.moves:
            bot = RandomBot(self.chosen.getrandbits(32))
            self.moves[key] = bot.choose(client.view(game.id))
        client.act(game.id, self.moves[key])
        return True

    def check(self, clients: list[BunkerWarClient], game_id: int, report: Report) -> None:
        """Own boards as they decrypt; and all that follows from the moves, where both seats are ours."""
        for client in clients:
            self._check_own(client, game_id, report)
        if len(clients) == 2:
            self._check_rules(clients[0], game_id, report)

    def _check_own(self, client: BunkerWarClient, game_id: int, report: Report) -> None:
        """Each building that still hides what it is must be what its player encrypted."""
        told = patiently(client.replay, game_id)
        if told.state is None:
            return
        seat, own = patiently(client.seat, game_id), patiently(client.own_board, game_id)
        built = {(m.lane, m.depth): m.cell for m in self._mined(told, seat) if isinstance(m, Build)}
        for (lane, depth), cell in built.items():
            if told.state.boards[seat].cells[lane][depth] == Cell.HIDDEN:
                what = f"bunkerwar game {game_id}, lane {lane}, depth {depth} of {client.player}"
                report.expect(own.cells[lane][depth], cell, what)
                report.count("user decryptions")

    def _check_rules(self, client: BunkerWarClient, game_id: int, report: Report) -> None:
        """Where missiles stopped, and who won."""
        told = patiently(client.replay, game_id)
        if told.state is None or told.parameters is None or told.in_flight is not None:
            return
        size, moves = told.parameters, [self._mined(told, seat) for seat in (0, 1)]
        state = State.new(size.lanes, size.depth, first=told.state.first, stacked=size.stacked)
        for played in told.played:
            state = apply(state, moves[played.seat].pop(0))
        report.expect(told.state, view(state, None), f"bunkerwar game {game_id}'s stops")
        if told.result is not None:
            report.expect(told.result, outcome(state), f"bunkerwar game {game_id}'s result")
        report.count("public decryptions", len(told.decrypted))

    def _mined(self, told: Replay, seat: int) -> list[Move]:
        """A seat's moves that are on the chain, in order: the last one noted may not be."""
        noted = [self.moves[key] for key in sorted(self.moves) if key[1] == seat]
        return noted[: sum(played.seat == seat for played in told.played)]


@dataclass
class BattleshipNotes:
    """Fleets need no notes: boards come back from the wallet's key, and the contract checks them."""

    chosen: random.Random

    def act(self, client: BattleshipClient, game: Game) -> bool:
        """Answer, prove or fire, where that player has to."""
        if client.serve(game.id, at_once=False):
            return True
        if not game.is_turn_of(client.player) or game.phase is not Phase.PLAYING:
            return False
        bot = RandomShooter(self.chosen.getrandbits(32))
        client.fire(game.id, bot.choose(client.view(game.id)))
        return True

    def check(self, clients: list[BattleshipClient], game_id: int, report: Report) -> None:
        """What the public saw of a board is what its player's key says of it."""
        for client in clients:
            told = patiently(client.replay, game_id)
            if told.state is None:
                continue
            seat = patiently(client.seat, game_id)
            fleet = patiently(client.commitment, game_id).fleet
            ships = {cell for ship in fleet for cell in ship.cells(told.size)}
            for _, cell, hit in (each for each in told.openings if each[0] == seat):
                what = f"battleship game {game_id}, cell {cell} of {client.player}"
                report.expect(hit, cell in ships, what)
                report.count("answers")


NOTES: dict[str, Any] = {"bunkerwar": BunkerWarNotes, "battleship": BattleshipNotes}
