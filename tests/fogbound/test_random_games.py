"""Random games of the real contracts: after every transaction the fold says what the views say."""

import random
from collections import Counter
from itertools import count

import pytest

from fogbound.errors import ContractError
from fogbound.game import NOBODY, Phase
from scripts.matches import PEOPLE, Hall
from scripts.testing_rules import RACE, SANDBOX

OUTSIDER = PEOPLE[5]
SANDBOX_MOVES = {
    "skip": lambda rng, game: (),
    "hand": lambda rng, game: (rng.randrange(len(game.players)),),
    "beginWait": lambda rng, game: (),
    "resolveWait": lambda rng, game: (rng.randrange(len(game.players)),),
    "askProofs": lambda rng, game: (rng.randrange(1, 1 << len(game.players)),),
    "prove": lambda rng, game: (),
    "win": lambda rng, game: (rng.randrange(1, 1 << len(game.players)),),
    "nullify": lambda rng, game: (),
}
RACE_MOVES = {
    "roll": lambda rng, game: (),
    "resolveRoll": lambda rng, game: (),
    "rest": lambda rng, game: (),
}
OF_THE_TABLE = {
    "leaveSeat": lambda rng, game: (),
    "cancel": lambda rng, game: (),
    "settleDraw": lambda rng, game: (),
    "keepAlive": lambda rng, game: (),
    "offerDraw": lambda rng, game: (game.move_number,),
    "resign": lambda rng, game: (),
    "claimTimeout": lambda rng, game: (),
    "closeProof": lambda rng, game: (rng.randrange(4),),
    "announceVoid": lambda rng, game: (),
    "voidGame": lambda rng, game: (),
}
ENOUGH = 40
IN_PHASE = {
    Phase.OPEN: ["leaveSeat", "cancel"],
    Phase.DRAWING: ["settleDraw"] * 8 + ["resign"],
    Phase.WAITING: ["resolveWait", "announceVoid", "voidGame", "offerDraw", "resign"],
    Phase.PROVING: ["prove", "closeProof"],
}


class Match:
    """One game in which somebody tries something at random, in or out of place."""

    def __init__(self, hall, moves, seed):
        self.hall, self.rng = hall, random.Random(seed)
        self.moves = {**moves, **OF_THE_TABLE}
        self.seats = self.rng.choice([2, 2, 3, 4])
        control = self.rng.randrange(2)
        given = (
            (b"", self.seats, control, NOBODY) if moves is SANDBOX_MOVES else (self.seats, control)
        )
        hall.call(PEOPLE[0], "open", *given, value=101)
        self.id = hall.newest()

    def step(self):
        """What was done; None where the contract refused it."""
        game, rng = self.hall.client.game(self.id), self.rng
        if rng.random() < 0.15:
            self.hall.travel(self.hall.chain.now() + rng.choice([5, 70, 350, 700]))
        if game.phase is Phase.DRAWING:
            self.hall.chain.mine(2)
        if game.phase is Phase.OPEN and rng.random() < 0.9:
            return self.attempt(PEOPLE[game.players.index(None)], "join", value=101)
        likely = rng.random() < 0.9
        name = rng.choice(IN_PHASE.get(game.phase, list(self.moves)) if likely else [*self.moves])
        who = rng.choice([*PEOPLE[: self.seats], OUTSIDER])
        if game.phase is Phase.PLAYING and rng.random() < 0.8:
            who = next(each for each in PEOPLE if each.address == game.players[game.on_turn])
        return self.attempt(who, name, *self.moves[name](rng, game))

    def attempt(self, who, name, *arguments, value=0):
        try:
            self.hall.call(who, name, self.id, *arguments, value=value)
        except ContractError:
            return None
        return name


@pytest.mark.parametrize(
    ("contract", "rules", "moves"),
    [("Sandbox", SANDBOX, SANDBOX_MOVES), ("DiceRace", RACE, RACE_MOVES)],
)
def test_the_fold_says_what_the_views_say(contract, rules, moves):
    """Game after game, until so much was accepted."""
    hall = Hall.deploy(contract, rules)
    accepted, refused, ended = Counter(), 0, 0
    for seed in count():
        match, phase = Match(hall, moves, seed), Phase.OPEN
        while not phase.final:
            name = match.step()
            if name is None:
                refused += 1
                continue
            accepted[name] += 1
            phase = hall.check(match.id).table.phase
        ended += 1
        if accepted.total() >= ENOUGH:
            break
    print(contract, dict(accepted), f"{refused} refused, {ended} games")
    assert refused > 0
