"""How two people play whole games: by the rules' own model, move by move through their pages."""

from collections.abc import Callable, Sequence
from random import Random

from battleship import rules as ships
from bunkerwar import rules as bunkers
from tests.e2e.people import Person

Look = Callable[[int], None]
"""Called with the number of each move, before it is made."""


def nothing(_: int) -> None:
    pass


def sit_down_to_battleship(
    host: Person,
    guest: Person,
    seed: int,
    stake: str | None = None,
    control: int | None = None,
) -> "Duel":
    """On 6 × 6 cells: the host opens a game in the lobby, the guest joins it from there."""
    guest_lobby, host_lobby = guest.lobby.open(), host.lobby.open()
    game_id = host_lobby.create("battleship", size=6, stake=stake, control=control)
    guest_lobby.join("battleship", game_id, 6, stake and f"{stake} ETH")
    return Duel((host, guest), (host_lobby.fleet, guest_lobby.fleet), game_id, seed)


def sit_down_to_bunkerwar(
    host: Person, guest: Person, seed: int, size: tuple[int, int] = (2, 2), missiles: float = 0.5
) -> "Battle":
    """The host opens a game in the lobby, the guest joins it from there."""
    guest_lobby, host_lobby = guest.lobby.open(), host.lobby.open()
    game_id = host_lobby.create("bunkerwar", size=size)
    guest_lobby.join("bunkerwar", game_id)
    return Battle((host, guest), size, game_id, seed, missiles)


# -- Battleship ------------------------------------------------------------------------------------------


class Duel:
    """A game of Battleship between two browsers; the test knows both fleets, the browsers one each."""

    def __init__(self, players: Sequence[Person], fleets, game_id: int, seed: int) -> None:
        self.players, self.game_id, self._rng = players, game_id, Random(seed)
        for person in players:
            person.battleship.expect_playing()
        first = players[0].stack.api(f"games/battleship/{game_id}")["onTurn"]
        size = 6
        self.state = ships.State.new(size, fleets, first=first)

    @property
    def mover(self) -> Person:
        return self.players[self.state.turn]

    def aim(self) -> int:
        """Who begins hits with every shot, the other misses with every one: so it is short."""
        board = self.state.boards[1 - self.state.turn]
        targets = {cell for ship in board.fleet for cell in ship.cells(board.size)}
        if self.state.turn != self.first:
            targets = set(range(board.size**2)) - targets
        return self._rng.choice(sorted(targets - board.fired))

    def afloat(self, seat: int) -> int:
        """How many cells of that seat's ships were not hit."""
        board = self.state.boards[seat]
        cells = {cell for ship in board.fleet for cell in ship.cells(self.state.size)}
        return len(cells - board.fired)

    @property
    def first(self) -> int:
        return (self.state.turn + sum(len(board.shots) for board in self.state.boards)) % 2

    def step(self) -> None:
        """One shot, and its answer as both pages show it."""
        shooter, target = self.mover, self.players[1 - self.state.turn]
        shooter.battleship.expect_turn()
        cell = self.aim()
        shooter.battleship.fire(cell)
        self.state = ships.apply(self.state, ships.Attack.at(self.state.size, cell))
        answer = self.state.boards[self.state.turn].shots[-1].answer
        for page, grid in (
            (shooter.battleship, shooter.battleship.other),
            (target.battleship, target.battleship.own),
        ):
            page.expect_cell(
                grid, self.state.size, cell, *(["hit", "sunk"] if answer.hit else ["miss"])
            )

    def play(self, look: Look = nothing) -> Person:
        """To the end of the shooting; the winner."""
        while self.state.winner is None:
            look(self.moves)
            self.step()
        return self.players[self.state.winner]

    @property
    def moves(self) -> int:
        return sum(len(board.shots) for board in self.state.boards)


# -- Bunker War Z ----------------------------------------------------------------------------------------


class Battle:
    """A game of Bunker War Z between two browsers; the test knows both boards."""

    def __init__(
        self,
        players: Sequence[Person],
        size: tuple[int, int],
        game_id: int,
        seed: int,
        missiles: float = 0.5,
    ) -> None:
        """`missiles`: how likely one is sent where a building could be built instead."""
        self.players, self.game_id, self._rng = players, game_id, Random(seed)
        self._missiles = missiles
        for person in players:
            person.bunkerwar.expect_playing()
        first = players[0].stack.api(f"games/bunkerwar/{game_id}")["onTurn"]
        self.state = bunkers.State.new(*size, first=first)

    @property
    def mover(self) -> Person:
        return self.players[self.state.turn]

    def choose(self) -> bunkers.Move:
        moves = bunkers.legal_moves(self.state)
        builds = [move for move in moves if isinstance(move, bunkers.Build)]
        flights = [move for move in moves if isinstance(move, bunkers.Missile)]
        fly = flights and (not builds or self._rng.random() < self._missiles)
        return self._rng.choice(flights if fly else builds)

    def step(self) -> bunkers.Move:
        move = self.choose()
        self.make(move)
        return move

    def make(self, move: bunkers.Move) -> None:
        """One move, until both pages show what their players may know of it."""
        self.mover.bunkerwar.expect_turn()
        self.mover.bunkerwar.act(move)
        self.state = bunkers.apply(self.state, move)
        self.expect_shown()

    def expect_shown(self) -> None:
        for seat, person in enumerate(self.players):
            seen = bunkers.view(self.state, seat)
            person.bunkerwar.expect_board(person.bunkerwar.own, seen.boards[seat])
            person.bunkerwar.expect_board(person.bunkerwar.other, seen.boards[1 - seat])
            person.bunkerwar.expect_moves(
                self.state.played
            )  # one that hit nothing shows nowhere else

    def play(self, look: Look = nothing) -> bunkers.Outcome:
        while not self.state.finished:
            look(self.state.played)
            self.step()
        return self.outcome

    @property
    def outcome(self) -> bunkers.Outcome | None:
        return bunkers.outcome(self.state)
