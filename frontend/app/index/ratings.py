"""Ratings and results, folded from finished games in the order in which they ended. Pure.

Rated by the Plackett-Luce model of Weng and Lin (2011) as openskill implements it, on a scale where a
newcomer has 1500 +- 500. What counts:

* games for LEAST_STAKE or more that somebody won, or that were drawn (a game against oneself that costs next
  to nothing would make ratings as cheap);
* the n-th rated game between the same two accounts by 1/n (with more than two seats: of the two who have
  met most often);
* as much as is known of the opponent: fresh accounts cost nothing, so a win against one says next to nothing.
  An opponent counts by how sure the rating is, and by how many others they have met; beyond that, a
  newcomer's first games against other newcomers count a little, all together less than one game;
* a win lifts nobody to more than REACH above the loser;
* nothing between accounts that the chain had shown to be one owner's before the game was opened. (Later would
  be too late to say so: who is about to lose could pay the other something, and lose nothing.)
"""

from collections.abc import Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from openskill.models import PlackettLuce

from fogbound.game import Outcome

RATING, DEVIATION = 1500.0, 500.0
# Wei. Whoever changes it makes each index anew, so that all games count by one rule.
LEAST_STAKE = 10**15
REACH = 400.0
MET_BY_ALL, MET_IN_FULL = (
    4,
    14,
)  # opponents: up to so many say nothing of somebody, from so many on all
SURE = 0.5  # the part of a newcomer's variance that is gone once somebody counts in full
SHARE, ALLOWANCE = (
    0.1,
    0.6,
)  # what a newcomer's game against another counts at most, and all of them
CAUTION = 3.0  # deviations below the rating, for the order of the leaderboard
DECIDED = frozenset({Outcome.WON, Outcome.RESIGNED, Outcome.TIMED_OUT})
_MODEL = PlackettLuce(mu=RATING, sigma=DEVIATION, beta=DEVIATION / 2, tau=DEVIATION / 100)

Pair = tuple[str, str]


@dataclass(frozen=True)
class Ended:
    """A finished game; `stake` in wei, `opened` and `place` those of its beginning and end on the chain."""

    opened: int
    place: int
    players: tuple[str, ...]
    winners: frozenset[int]
    outcome: Outcome
    stake: int


@dataclass(frozen=True)
class Standing:
    """One player's rating and results; `rated` games of `played`. Void and null ones are only played.

    `opponents`: with how many they have played a rated game; `allowed`: how much of ALLOWANCE is used.
    """

    rating: float = RATING
    deviation: float = DEVIATION
    rated: int = 0
    opponents: int = 0
    allowed: float = 0.0
    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def known(self) -> float:
        """How much a game against them says, from 0 (nobody has heard of them) to 1."""
        sure = (1 - (self.deviation / DEVIATION) ** 2) / SURE
        met = (self.opponents - MET_BY_ALL) / (MET_IN_FULL - MET_BY_ALL)
        return _part(sure) * _part(met)

    @property
    def score(self) -> float:
        """What they are at least worth, as far as is known."""
        return self.rating - CAUTION * self.deviation


@dataclass(frozen=True)
class Ladder:
    """One kind of game: standings, and how often two have met. `linked(pair, place)`: whether they were
    known as one owner's at that place of the chain.
    """

    standings: MutableMapping[str, Standing]
    met: MutableMapping[Pair, int]
    linked: Callable[[Pair, int], bool]

    def add(self, game: Ended) -> None:
        """Count one more game; to be called in order of the games' ends."""
        if self._is_rated(game):
            self._rate(game)
        for seat, player in enumerate(game.players):
            self.standings[player] = _counted(self._of(player), game, seat)

    def _of(self, player: str) -> Standing:
        return self.standings.get(player) or Standing()

    def _is_rated(self, game: Ended) -> bool:
        decided = game.outcome is Outcome.DRAWN or (game.outcome in DECIDED and game.winners)
        if game.stake < LEAST_STAKE or not decided:
            return False
        return not any(self.linked(pair, game.opened) for pair in pairs(game.players))

    def _rate(self, game: Ended) -> None:
        for pair in pairs(game.players):
            self.met[pair] = self.met.get(pair, 0) + 1
        repeated = 1 / max(self.met[pair] for pair in pairs(game.players))
        before = [self._of(player) for player in game.players]
        teams = [[_MODEL.rating(mu=each.rating, sigma=each.deviation)] for each in before]
        ranks = [0.0 if _is_first(game, seat) else 1.0 for seat in range(len(before))]
        for seat, (result,) in enumerate(_MODEL.rate(teams, ranks=ranks)):
            player, others = game.players[seat], before[:seat] + before[seat + 1 :]
            moved = _moved(before[seat], others, (result.mu, result.sigma), repeated)
            new = sum(player in pair and self.met[pair] == 1 for pair in pairs(game.players))
            self.standings[player] = replace(moved, opponents=moved.opponents + new)


def _moved(
    old: Standing, others: Sequence[Standing], model: tuple[float, float], repeated: float
) -> Standing:
    """One player's standing after a game that the model rates so, as far as it counts."""
    known = min(other.known for other in others)
    allowance = SHARE * (1 - known) * _part(1 - old.allowed / ALLOWANCE)
    weight = repeated * (known + allowance)
    rating, deviation = model
    reached = max(old.rating, max(other.rating for other in others) + REACH)
    return replace(
        old,
        rating=min(old.rating + weight * (rating - old.rating), reached),
        deviation=old.deviation + weight * (deviation - old.deviation),
        rated=old.rated + 1,
        allowed=old.allowed + repeated * allowance,
    )


def _part(value: float) -> float:
    return max(0.0, min(value, 1.0))


def pairs(players: Iterable[str]) -> list[Pair]:
    """Every two of these accounts, each pair in order."""
    return list(combinations(sorted(players), 2))


def _is_first(game: Ended, seat: int) -> bool:
    return game.outcome is Outcome.DRAWN or seat in game.winners


def _counted(standing: Standing, game: Ended, seat: int) -> Standing:
    won = seat in game.winners
    return replace(
        standing,
        played=standing.played + 1,
        won=standing.won + won,
        lost=standing.lost + (bool(game.winners) and not won),
        drawn=standing.drawn + (game.outcome is Outcome.DRAWN),
    )
