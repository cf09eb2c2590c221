"""Ratings and results, folded from finished games in the order in which they ended. Pure.

Rated by the Plackett-Luce model of Weng and Lin (2011) as openskill implements it, on a scale where a
newcomer has 1500 +- 500. What counts:

* games for LEAST_STAKE or more that somebody won, or that were drawn (a game against oneself that costs next
  to nothing would make ratings as cheap);
* the n-th rated game between the same two accounts by 1/n (with more than two seats: of the two who have
  met most often);
* nothing between accounts that the chain had shown to be one owner's before the game was opened. (Later would
  be too late to say so: who is about to lose could pay the other something, and lose nothing.)
"""

from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass, replace
from itertools import combinations

from openskill.models import PlackettLuce

from fogbound.game import Outcome

RATING, DEVIATION = 1500.0, 500.0
# Wei. Whoever changes it makes each index anew, so that all games count by one rule.
LEAST_STAKE = 10**15
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
    """One player's rating and results; `rated` games of `played`. Void and null ones are only played."""

    rating: float = RATING
    deviation: float = DEVIATION
    rated: int = 0
    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def score(self) -> float:
        """What he is at least worth, as far as is known."""
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
        weight = 1 / max(self.met[pair] for pair in pairs(game.players))
        before = [self._of(player) for player in game.players]
        teams = [[_MODEL.rating(mu=each.rating, sigma=each.deviation)] for each in before]
        ranks = [0.0 if _is_first(game, seat) else 1.0 for seat in range(len(before))]
        for player, old, (new,) in zip(
            game.players, before, _MODEL.rate(teams, ranks=ranks), strict=True
        ):
            self.standings[player] = replace(
                old,
                rating=old.rating + weight * (new.mu - old.rating),
                deviation=old.deviation + weight * (new.sigma - old.deviation),
                rated=old.rated + 1,
            )


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
