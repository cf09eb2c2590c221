"""Whole games of the real contracts, played on a fresh chain, one for each way to end."""

from collections.abc import Callable, Iterator
from typing import Any

from battleship.client import BattleshipClient
from battleship.fleets import parse_fleet
from battleship.game import GAME as BATTLESHIP
from battleship.replay import RULES as BATTLESHIP_RULES
from battleship.rules import Attack
from bunkerwar.client import BunkerWarClient
from bunkerwar.game import GAME as BUNKERWAR
from bunkerwar.replay import RULES as BUNKERWAR_RULES
from bunkerwar.rules import parse_move
from fogbound.errors import ContractError
from fogbound.game import NOBODY, Phase
from fogbound.stack import LocalStack
from scripts.matches import DEPLOYER, PEOPLE, TERMS, Hall
from scripts.testing_rules import RACE, SANDBOX

Played = tuple[str, str, Hall, int]
"""A title, the name of the rules, where it was played, the game's id."""
HOST, GUEST, THIRD, FOURTH, OUTSIDER = PEOPLE[:5]
SEED = bytes(range(32))


class Sandbox:
    """One game of the test contract; whoever is named acts, by seat."""

    def __init__(self, hall: Hall, seats: int = 2, *, stake: int = 101, control: int = 0) -> None:
        self.hall, self.seats, self.stake = hall, seats, stake
        hall.call(HOST, "open", b"\1", seats, control, NOBODY, value=stake)
        self.id = hall.newest()

    def seated(self, *, drawn: bool = True) -> "Sandbox":
        for player in PEOPLE[1 : self.seats]:
            self.hall.call(player, "join", self.id, value=self.stake)
        if drawn:
            self.hall.chain.mine(2)
            self.hall.call(OUTSIDER, "settleDraw", self.id)
        return self

    @property
    def on_turn(self) -> int:
        return self.hall.client.game(self.id).on_turn

    def move(self, name: str, *arguments: Any) -> None:
        self.by(self.on_turn, name, *arguments)

    def by(self, seat: int, name: str, *arguments: Any) -> None:
        self.hall.call(PEOPLE[seat], name, self.id, *arguments)

    def anyone(self, name: str, *arguments: Any) -> None:
        self.hall.call(OUTSIDER, name, self.id, *arguments)

    def late(self) -> None:
        """After the deadline."""
        self.hall.travel(self.hall.client.game(self.id).deadline)

    def later(self, seconds: int) -> None:
        self.hall.travel(self.hall.chain.now() + seconds)


def table() -> Iterator[Played]:
    """The table itself, by the contracts for tests; two, three and four seats."""
    hall = Hall.deploy("Sandbox", SANDBOX)
    for title, play in SANDBOX_GAMES.items():
        yield title, "sandbox", hall, play(hall)
    race = Hall.deploy("DiceRace", RACE)
    for title, play in RACE_GAMES.items():
        yield title, "race", race, play(race)


def _won_by_two(hall: Hall) -> int:
    game = Sandbox(hall, 4).seated()
    game.move("skip")
    game.move("hand", 2)
    game.move("win", 0b1010)
    return game.id


def _drawn_by_three(hall: Hall) -> int:
    game = Sandbox(hall, 3, control=1).seated()
    game.by(0, "offerDraw", 0)
    game.move("keepAlive")
    game.move("skip")  # takes the offer back
    for seat in (2, 0, 1):
        game.by(seat, "offerDraw", 1)
    return game.id


def _resigned_early(hall: Hall) -> int:
    game = Sandbox(hall).seated(drawn=False)
    game.by(1, "resign")
    return game.id


def _resigned(hall: Hall) -> int:
    game = Sandbox(hall, 3).seated()
    game.by((game.on_turn + 1) % 3, "resign")
    return game.id


def _resigned_waiting(hall: Hall) -> int:
    game = Sandbox(hall).seated()
    game.move("beginWait")
    game.by(0, "resign")
    return game.id


def _timed_out(hall: Hall) -> int:
    game = Sandbox(hall).seated()
    for _ in range(3):
        game.move("keepAlive")
    game.late()
    game.by(1 - game.on_turn, "claimTimeout")
    return game.id


def _not_proved(hall: Hall) -> int:
    game = Sandbox(hall).seated()
    game.move("askProofs", 0b11)
    game.late()
    game.anyone("closeProof", 1)
    return game.id


def _proved(hall: Hall) -> int:
    game = Sandbox(hall).seated()
    game.move("askProofs", 0b11)
    game.by(1, "prove")
    return game.id


def _voided(hall: Hall) -> int:
    game = Sandbox(hall).seated()
    game.move("beginWait")
    game.later(700)
    game.anyone("announceVoid")
    game.anyone("resolveWait", 1)
    game.move("beginWait")
    game.by(0, "offerDraw", 3)
    game.later(700)
    game.anyone("announceVoid")
    game.later(100)
    game.anyone("voidGame")
    return game.id


def _cancelled(hall: Hall) -> int:
    game = Sandbox(hall, 3)
    hall.call(GUEST, "join", game.id, value=game.stake)
    game.by(0, "cancel")
    return game.id


def _left(hall: Hall) -> int:
    game = Sandbox(hall, 3)
    hall.call(GUEST, "join", game.id, value=game.stake)
    game.by(0, "leaveSeat")
    hall.call(THIRD, "join", game.id, value=game.stake)
    hall.call(THIRD, "leaveSeat", game.id)
    game.by(1, "leaveSeat")
    return game.id


def _credited(hall: Hall) -> int:
    """A contract that takes no money leaves, comes back and wins; so does another one lose."""
    refuser, other = hall.puppet("Refuser"), hall.puppet("Refuser")
    game = Sandbox(hall, 3)
    hall.through(refuser, "join", game.id, value=game.stake)
    hall.through(refuser, "leaveSeat", game.id)
    hall.through(refuser, "join", game.id, value=game.stake)
    hall.through(other, "join", game.id, value=game.stake)
    hall.chain.mine(2)
    hall.call(HOST, "settleDraw", game.id)
    mover = [None, refuser, other][game.on_turn]
    if mover is None:
        game.by(0, "tie")
    else:
        hall.through(mover, "tie", game.id)
    return game.id


def _cancelled_and_credited(hall: Hall) -> int:
    refuser = hall.puppet("Refuser")
    game = Sandbox(hall, 3)
    hall.through(refuser, "join", game.id, value=game.stake)
    game.by(0, "cancel")
    return game.id


def _invited(hall: Hall) -> int:
    hall.call(HOST, "open", b"", 2, 1, GUEST.address, value=0)
    game_id = hall.newest()
    hall.call(GUEST, "join", game_id)
    hall.chain.mine(2)
    for player in (HOST, GUEST):  # the first move draws; whoever is not on turn cannot
        try:
            hall.call(player, "skip", game_id)
        except ContractError:
            continue
    hall.call(PEOPLE[hall.client.game(game_id).on_turn], "nullify", game_id)
    return game_id


def _drawn_anew(hall: Hall) -> int:
    game = Sandbox(hall).seated(drawn=False)
    game.hall.chain.mine(8_300)
    game.anyone("rescheduleDraw")
    game.hall.chain.mine(2)
    game.anyone("settleDraws", [])
    hall.call(OUTSIDER, "settleDraws", [game.id])
    return game.id


def _shared(hall: Hall) -> int:
    game = Sandbox(hall, 3).seated()
    game.move("share", [1, 0, 300])
    return game.id


SANDBOX_GAMES: dict[str, Callable[[Hall], int]] = {
    "won by two of four": _won_by_two,
    "drawn by three": _drawn_by_three,
    "resigned before the draw": _resigned_early,
    "resigned": _resigned,
    "resigned while waiting": _resigned_waiting,
    "timed out": _timed_out,
    "not proved": _not_proved,
    "proved": _proved,
    "voided": _voided,
    "cancelled": _cancelled,
    "left": _left,
    "credited": _credited,
    "cancelled and credited": _cancelled_and_credited,
    "invited": _invited,
    "shared by a rule of its own": _shared,
}


def _race(hall: Hall, seats: int) -> int:
    hall.call(HOST, "open", seats, 0, value=7)
    game_id = hall.newest()
    for player in PEOPLE[1:seats]:
        hall.call(player, "join", game_id, value=7)
    hall.chain.mine(2)
    hall.call(OUTSIDER, "settleDraw", game_id)
    return game_id


def _raced(hall: Hall) -> int:
    game_id = _race(hall, 3)
    hall.call(PEOPLE[hall.client.game(game_id).on_turn], "rest", game_id)
    while (game := hall.client.game(game_id)).phase is Phase.PLAYING:
        hall.call(PEOPLE[game.on_turn], "roll", game_id)
        hall.chain.mine(2)
        hall.call(OUTSIDER, "resolveRoll", game_id)
    return game_id


def _race_too_late(hall: Hall) -> int:
    """A roll is resolved by an offer; the next one does not come."""
    game_id = _race(hall, 2)
    on_turn = hall.client.game(game_id).on_turn
    hall.call(PEOPLE[on_turn], "roll", game_id)
    hall.chain.mine(2)
    hall.call(HOST, "offerDraw", game_id, hall.client.game(game_id).move_number + 1)
    hall.travel(hall.client.game(game_id).deadline)
    hall.call(PEOPLE[on_turn], "claimTimeout", game_id)
    return game_id


RACE_GAMES = {"a race of three": _raced, "a race too late": _race_too_late}


def _stack() -> LocalStack:
    games = [BUNKERWAR, BATTLESHIP]
    return LocalStack("clear", seed=SEED, games=games, terms=TERMS)


class Pair:
    """Two players of one kind on a stack."""

    def __init__(self, stack: LocalStack, kind: str, rules: Any) -> None:
        self.stack = stack
        self.players: tuple[Any, Any] = (stack.client(kind, HOST), stack.client(kind, GUEST))
        self.hall = Hall(stack.chain, stack.client(kind, DEPLOYER), rules)

    def settled(self, game_id: int, *phases: Phase) -> int:
        """The seat on turn, once nobody waits."""
        pending = phases or (Phase.DRAWING, Phase.WAITING)
        found = self.players[0].wait_for(game_id, lambda game: game.phase not in pending)
        return int(found.on_turn)


def bunkerwar() -> Iterator[Played]:
    """Each way to end, with missiles that need a decryption and such that do not."""
    with _stack() as stack:
        pair = Pair(stack, "bunkerwar", BUNKERWAR_RULES)
        for title, play in BUNKERWAR_GAMES.items():
            yield title, "bunkerwar", pair.hall, play(pair)


def _opened(pair: Pair, lanes: int = 2, depth: int = 2, stacked: bool = False) -> int:
    host, guest = pair.players
    game_id: int = host.open(lanes, depth, stacked, stake=101, control=0)
    guest.join(game_id)
    pair.settled(game_id)
    return game_id


def _acted(pair: Pair, game_id: int, *moves: str) -> int:
    for text in moves:
        client: BunkerWarClient = pair.players[pair.settled(game_id)]
        client.act(game_id, parse_move(text))
    return game_id


def _counted(pair: Pair) -> int:
    moves = ("B a2", "H a1", "M a", "H b1", "H a1", "M a", "B b2", "B b2")
    game_id = _acted(pair, _opened(pair), *moves)
    pair.settled(game_id)
    return game_id


def _tied(pair: Pair) -> int:
    game_id = _acted(pair, _opened(pair, 1, 2, True), "H a1", "H a1", "H a2", "M a")
    pair.settled(game_id)
    return game_id


def _in_flight(pair: Pair) -> int:
    game_id = _acted(pair, _opened(pair), "H a1", "H a1")
    client = pair.players[pair.settled(game_id)]
    client.act(game_id, parse_move("M a"))
    return game_id


def _resigned_in_flight(pair: Pair) -> int:
    game_id = _in_flight(pair)
    pair.players[0].resign(game_id)
    return game_id


def _voided_in_flight(pair: Pair) -> int:
    game_id = _in_flight(pair)
    pair.hall.travel(pair.hall.chain.now() + 700)
    pair.hall.call(OUTSIDER, "announceVoid", game_id)
    pair.hall.travel(pair.hall.chain.now() + 100)
    pair.hall.call(OUTSIDER, "voidGame", game_id)
    return game_id


def _too_late(pair: Pair) -> int:
    game_id = _acted(pair, _opened(pair), "H a1")
    on_turn = pair.settled(game_id)
    pair.hall.travel(pair.hall.client.game(game_id).deadline)
    pair.players[1 - on_turn].claim_timeout(game_id)
    return game_id


def _agreed(pair: Pair) -> int:
    game_id = _acted(pair, _opened(pair), "H a1", "M b")
    for player in pair.players:
        player.offer_draw(game_id)
    return game_id


BUNKERWAR_GAMES: dict[str, Callable[[Pair], int]] = {
    "counted": _counted,
    "stacked": _tied,
    "resigned in flight": _resigned_in_flight,
    "voided in flight": _voided_in_flight,
    "timed out": _too_late,
    "drawn": _agreed,
}


def battleship() -> Iterator[Played]:
    """Each way to end, and each way for a proof to fail."""
    with _stack() as stack:
        pair = Pair(stack, "battleship", BATTLESHIP_RULES)
        for title, play in BATTLESHIP_GAMES.items():
            yield title, "battleship", pair.hall, play(pair)


FLEETS = (parse_fleet("CR 0 0 h, DE 0 1 h"), parse_fleet("CR 3 5 h, DE 5 3 v"))


def _begun(pair: Pair, *, drawn: bool = True) -> int:
    host, guest = pair.players
    game_id: int = host.open(6, FLEETS[0], stake=101, control=0)
    guest.join(game_id, FLEETS[1])
    if drawn:
        pair.settled(game_id)
    return game_id


def _shot_out(pair: Pair, game_id: int, winner: int) -> None:
    """The winner hits all; the other fires at water."""
    commitments = [player.commitment(game_id) for player in pair.players]
    waters = (cell for cell in range(36) if cell not in commitments[winner].ship_cells)
    targets = {winner: iter(sorted(commitments[1 - winner].ship_cells)), 1 - winner: waters}
    while (game := pair.players[0].game(game_id)).phase is Phase.PLAYING:
        client: BattleshipClient = pair.players[game.on_turn]
        answered = game.move_number % 4 == 3 and client.serve(game_id)
        if not answered and client.game(game_id).phase is Phase.PLAYING:
            client.fire(game_id, Attack.at(6, next(targets[game.on_turn])))


def _fair(pair: Pair) -> int:
    game_id = _begun(pair)
    _shot_out(pair, game_id, 0)
    pair.players[0].reveal(game_id)
    pair.players[1].reveal(game_id)
    return game_id


def _failed_to_prove(pair: Pair) -> int:
    game_id = _begun(pair)
    _shot_out(pair, game_id, 1)
    pair.hall.travel(pair.hall.client.game(game_id).deadline)
    pair.hall.call(OUTSIDER, "closeProof", game_id, 1)
    pair.players[0].reveal(game_id)
    return game_id


def _null(pair: Pair) -> int:
    game_id = _begun(pair)
    pair.players[0].resign(game_id)
    for seat in (1, 0):
        pair.hall.travel(pair.hall.client.game(game_id).deadline)
        pair.hall.call(OUTSIDER, "closeProof", game_id, seat)
    return game_id


def _lied(pair: Pair) -> int:
    """Seat 0 says that nothing was sunk, wins all the same, and is found out; seat 1 is honest."""
    game_id = _begun(pair)
    liar = pair.players[0]
    send = liar._send

    def deny(name: str, *given: Any, **options: Any) -> Any:
        if name in ("answer", "answerAndFire"):
            given = (*given[:5], 0, *given[6:])
        return send(name, *given, **options)

    liar._send = deny
    try:
        _shot_out_hit_first(pair, game_id)
    finally:
        del liar._send
    pair.players[0].reveal(game_id)
    pair.players[1].reveal(game_id)
    return game_id


def _shot_out_hit_first(pair: Pair, game_id: int) -> None:
    """Seat 1 sinks the destroyer (and is told of no sinking); seat 0 hits all."""
    own = sorted(pair.players[1].commitment(game_id).ship_cells)
    waters = [
        cell for cell in range(36) if cell not in pair.players[0].commitment(game_id).ship_cells
    ]
    targets = {0: iter(own), 1: iter([6, 7, *waters])}
    while (game := pair.players[0].game(game_id)).phase is Phase.PLAYING:
        pair.players[game.on_turn].fire(game_id, Attack.at(6, next(targets[game.on_turn])))
        last = pair.players[0].game(game_id)
        if last.phase is Phase.PLAYING and last.on_turn == game.on_turn:
            break


def _opened_falsely(pair: Pair) -> int:
    game_id = _begun(pair)
    first = pair.players[0].game(game_id).on_turn
    pair.players[first].fire(game_id, Attack(5, 5))
    cheat = pair.players[1 - first]
    number, cell, hit, salt, proof, _ = cheat._answer(game_id, cheat.replay(game_id))
    cheat._send("answer", number, cell, not hit, salt, proof, 0)
    pair.players[first].reveal(game_id)
    return game_id


def _opened_falsely_for_nobody(pair: Pair) -> int:
    """Whoever gains proves nothing; a cheat is not asked."""
    game_id = _begun(pair)
    first = pair.players[0].game(game_id).on_turn
    pair.players[first].fire(game_id, Attack(5, 5))
    cheat = pair.players[1 - first]
    number, cell, hit, salt, proof, _ = cheat._answer(game_id, cheat.replay(game_id))
    cheat._send("answer", number, cell, not hit, salt, proof, 0)
    pair.hall.travel(pair.hall.client.game(game_id).deadline)
    pair.hall.call(OUTSIDER, "closeProof", game_id, first)
    return game_id


def _resigned_undrawn(pair: Pair) -> int:
    game_id = _begun(pair, drawn=False)
    pair.players[1].resign(game_id)
    pair.players[0].reveal(game_id)
    return game_id


def _answer_too_late(pair: Pair) -> int:
    game_id = _begun(pair)
    first = pair.players[0].game(game_id).on_turn
    pair.players[first].fire(game_id, Attack(0, 5))
    pair.players[1 - first].keep_alive(game_id)
    pair.hall.travel(pair.hall.client.game(game_id).deadline)
    pair.players[first].claim_timeout(game_id)
    pair.players[first].reveal(game_id)
    return game_id


def _drawn(pair: Pair) -> int:
    game_id = _begun(pair)
    first = pair.players[0].game(game_id).on_turn
    pair.players[first].fire(game_id, Attack(0, 5))
    pair.players[0].offer_draw(game_id)
    pair.players[1 - first].serve(game_id)
    for player in pair.players:
        player.offer_draw(game_id)
    return game_id


BATTLESHIP_GAMES: dict[str, Callable[[Pair], int]] = {
    "fair": _fair,
    "failed to prove": _failed_to_prove,
    "null": _null,
    "lied": _lied,
    "opened falsely": _opened_falsely,
    "opened falsely for nobody": _opened_falsely_for_nobody,
    "resigned before the draw": _resigned_undrawn,
    "timed out": _answer_too_late,
    "drawn": _drawn,
}

PLAYED: dict[str, Callable[[], Iterator[Played]]] = {
    "table": table,
    "bunkerwar": bunkerwar,
    "battleship": battleship,
}
