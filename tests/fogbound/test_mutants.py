"""A game with something changed in it is refused, or is another game that could have been."""

import json
from collections import Counter

from fogbound.replay import replay
from scripts.event_files import RULES, events_of, terms_of, vectors
from scripts.make_mutant_vectors import FILE, as_text, code, mutants

NEEDED = {
    *("GameOpened", "SeatTaken", "BoardCommitted", "CountingStarted", "ResultSettled"),
    *("Resigned", "TimedOut", "GameVoided", "ProofAsked", "GameEnded"),
}


def test_the_file_is_what_the_script_writes():
    assert as_text() == FILE.read_text()


def test_nothing_comes_twice():
    for game in vectors("games"):
        for what, events in mutants(game["events"]):
            if what.endswith(" twice"):
                assert code(game, events) == "fogbound.events_unordered"


def test_nothing_that_is_needed_is_left_out():
    """Of games with rules: a last move may be missing, what leads to something may not."""
    for game in vectors("games"):
        if game["rules"] in ("bunkerwar", "battleship"):
            for what, events in mutants(game["events"]):
                if what.endswith(" left out") and what.split()[0] in NEEDED:
                    assert code(game, events) is not None, (game["name"], what)


def test_whatever_is_accepted_pays_the_pot_and_no_more():
    accepted = Counter()
    for game in vectors("games"):
        for what, events in mutants(game["events"]):
            if code(game, events) is None:
                mutant = {**game, "events": events}
                table = replay(events_of(mutant), RULES[game["rules"]], terms_of(game)).table
                if table.amounts:
                    assert sum(table.amounts) + table.rake == table.stake * table.seats
                accepted[what] += 1
    codes = [each for codes in json.loads(FILE.read_text()).values() for each in codes]
    assert len(codes) > 2_000
    assert sum(accepted.values()) < len(codes) / 3
