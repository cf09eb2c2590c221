"""Whole games of both kinds, followed live: the index, their records, and what of them is nowhere."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from fastapi.testclient import TestClient

from battleship.bots import BOTS as GUNNERS
from battleship.bots import random_fleet
from bunkerwar.bots import RandomBot
from fhevm.devchain import dev_accounts
from fogbound.game import Phase
from fogbound.games import find_game
from fogbound.history import Event
from fogbound.records import Record, format_record
from fogbound.stack import LocalStack
from frontend.app.index.database import Database
from frontend.app.index.follower import Follower
from frontend.app.index.reader import Reader
from frontend.app.limits import Rate
from frontend.app.main import create_app
from frontend.app.settings import WebSettings
from scripts.make_reason_vectors import REASONS
from tests.frontend.fixed import FixedConnector
from tests.frontend.index.contents import contents

PLAYERS = dev_accounts()[1:3]
KINDS = ("battleship", "bunkerwar")
CODES = {reason.code for reason in REASONS}
SEED = 5


@dataclass
class Played:
    """An app that has followed one game of each kind from its opening to its end."""

    stack: LocalStack
    client: TestClient
    database: Database
    ids: dict[str, int]
    secrets: set[str]  # of the loser, who did not show their board: hexadecimal, no prefix


def play_bunkerwar(stack: LocalStack, look) -> int:
    clients = [stack.client("bunkerwar", account) for account in PLAYERS]
    bots = [RandomBot(SEED + seat) for seat in range(2)]
    game_id = clients[0].open(2, 2, False, stake=10**9)
    clients[1].join(game_id)
    pending = (Phase.DRAWING, Phase.WAITING)
    while True:
        game = clients[0].wait_for(game_id, lambda each: each.phase not in pending)
        look()
        if game.phase.final:
            return game_id
        seat = game.on_turn
        clients[seat].act(game_id, bots[seat].choose(clients[seat].view(game_id)))


def play_battleship(stack: LocalStack, look) -> tuple[int, set[str]]:
    clients = [stack.client("battleship", account) for account in PLAYERS]
    rng = random.Random(SEED)
    game_id = clients[0].open(6, random_fleet(6, rng), stake=10**9)
    clients[1].join(game_id, random_fleet(6, rng))
    clients[0].wait_for(game_id, lambda game: game.phase is Phase.PLAYING)
    gunners = [GUNNERS["density"](SEED) for _ in range(2)]
    while (game := clients[0].game(game_id)).phase is Phase.PLAYING:
        client, gunner = clients[game.on_turn], gunners[game.on_turn]
        if not client.serve(game_id, at_once=False):
            client.fire(game_id, gunner.choose(client.view(game_id)))
        look()
    for client in clients:
        if client.owes_proof(game_id, client.seat(game_id)):
            client.reveal(game_id)
    look()
    loser = clients[1 - min(clients[0].game(game_id).winners)]
    mine = loser.commitment(game_id)
    return game_id, {mine.seed.hex(), mine.placement.hex()}


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Iterator[Played]:
    print(f"seed {SEED}")
    specs = [find_game(kind) for kind in KINDS]
    settings = WebSettings(data=tmp_path_factory.mktemp("data"), bots=False, names=("testserver",))
    with (
        LocalStack(seed=bytes([SEED] * 32), games=specs) as stack,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(Rate, "seconds", lambda *_: 0.0)
        app = create_app(settings, connector=FixedConnector(stack), specs=specs)
        look = app.state.services.indexing.catch_up
        battleship, secrets = play_battleship(stack, look)
        ids = {"bunkerwar": play_bunkerwar(stack, look), "battleship": battleship}
        yield Played(stack, TestClient(app), app.state.services.database, ids, secrets)
        app.state.services.database.close()


def read(played: Played, path: str):
    answer = played.client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("kind", KINDS)
def test_the_index_tells_how_it_ended(played, kind):
    told = read(played, f"/api/games/{kind}/{played.ids[kind]}")
    game = played.stack.client(kind, PLAYERS[0]).game(played.ids[kind])
    assert (told["phase"], told["outcome"]) == ("ended", game.outcome.name.lower())
    assert told["winners"] == sorted(game.winners)
    parameters = {
        "battleship": {"size": 6},
        "bunkerwar": {"lanes": 2, "depth": 2, "stacked": False},
    }
    assert told["parameters"] == parameters[kind]


def test_what_grew_live_is_what_is_read_anew(played, tmp_path):
    fresh = Database.open(None, tmp_path)
    specs = [find_game(kind) for kind in KINDS]
    Follower(Reader(played.stack, specs), fresh).catch_up()
    assert contents(fresh) == contents(played.database)
    fresh.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_is_exported_and_found_valid(played, kind, tmp_path):
    answer = played.client.get(f"/api/records/{kind}/{played.ids[kind]}")
    assert answer.status_code == 200
    checked = played.client.post("/api/records/verify", content=answer.content)
    assert checked.json() == {"valid": True, "reason": None, "onChain": True}
    again = played.client.get(f"/api/records/{kind}/{played.ids[kind]}")
    assert again.json()["exporter"] == answer.json()["exporter"]


def verdict(played: Played, record: dict):
    answer = played.client.post("/api/records/verify", content=json.dumps(record))
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_that_was_changed_is_not(played, kind):
    record = read(played, f"/api/records/{kind}/{played.ids[kind]}")
    winner = record["events"][-1]
    for changed in (
        {**record, "events": record["events"][:-1]},
        {**record, "game": "chess"},
        {**record, "game": ["battleship"]},
        {**record, "chain_id": 1},
        {**record, "exporter": PLAYERS[0].address},
        {**record, "events": [*record["events"][:-1], {**winner, "block": "x"}]},
        {**record, "events": [{**record["events"][0], "arguments": {}}]},
        {},
    ):
        found = verdict(played, changed)
        assert found["valid"] is False
        assert found["reason"]["code"] in CODES
        assert found["reason"]["message"]


@pytest.mark.parametrize("value", [10**12, "9" * 4_000, "1e9", -1, None, True, {"hex": ""}, [[]]])
def test_values_without_end_or_of_another_type_are_refused_at_once(played, value):
    """Not one of them is made a number, a length or bytes of."""
    for kind, name in (("battleship", "seats"), ("bunkerwar", "stop"), ("bunkerwar", "parameters")):
        record = read(played, f"/api/records/{kind}/{played.ids[kind]}")
        for event in record["events"]:
            if name in event["arguments"]:
                event["arguments"][name] = value
        assert verdict(played, record)["reason"]["code"] == "fogbound.malformed"


@pytest.mark.parametrize("game", ["x" * 10_000, "\ud800", "", None, ["battleship"]])
def test_a_reason_is_short_and_fit_to_be_sent_whatever_the_record_says(played, game):
    record = read(played, f"/api/records/battleship/{played.ids['battleship']}")
    reason = verdict(played, {**record, "game": game})["reason"]
    assert reason["code"] == "fogbound.malformed"
    assert len(reason["message"]) <= 300


def test_a_record_of_this_contract_is_compared_however_it_is_spelled(played):
    """Who writes its address in lower case has not made it another chain's."""
    for kind in KINDS:
        record = read(played, f"/api/records/{kind}/{played.ids[kind]}")
        lower = {**record, "contract": record["contract"].lower()}
        assert verdict(played, lower) == {"valid": True, "reason": None, "onChain": True}


def test_a_record_of_the_chain_that_was_here_before_is_another_chains(played):
    record = invented(played)
    found = verdict(played, json.loads(format_record(record)))
    assert found["reason"]["code"] == "fogbound.events_not_on_chain"
    reset = replace(record, genesis="0x" + "12" * 32).signed(PLAYERS[0])
    assert verdict(played, json.loads(format_record(reset))) == {
        "valid": True,
        "reason": None,
        "onChain": None,
    }


def invented(played: Played) -> Record:
    """A game that nobody played, opened and cancelled, signed by whoever made it up."""
    client = played.stack.client("battleship", PLAYERS[0])
    arguments = {
        "id": 77,
        "creator": PLAYERS[0].address,
        "opponent": "0x" + "0" * 40,
        "seats": 2,
        "control": 0,
        "stake": 0,
        "parameters": (6).to_bytes(32),
    }
    word = bytes(32)
    committed = {"id": 77, "seat": 0, "nonce": 0, "root": word, "sealedPlacement": word}
    here, later = ("0x" + "12" * 32, 5), ("0x" + "13" * 32, 5)
    return Record(
        game="battleship",
        chain_id=31337,
        genesis=client.chain.block_hash(0),
        contract=client.contract.address,
        game_id=77,
        terms=client.terms,
        events=(
            Event("GameOpened", arguments, 9, 0, *here),
            Event("BoardCommitted", committed, 9, 1, *here),
            Event("GameCancelled", {"id": 77}, 10, 0, *later),
        ),
    ).signed(PLAYERS[0])


def test_a_signed_record_of_what_never_was_is_not_on_this_chain(played):
    """Whoever signs can tell anything of their own; this chain knows better."""
    record = invented(played)
    answer = played.client.post("/api/records/verify", content=format_record(record))
    assert answer.json()["reason"] == {
        "code": "fogbound.events_not_on_chain",
        "parameters": {},
        "message": "the chain holds other events for this game",
    }
    elsewhere = replace(record, chain_id=5).signed(PLAYERS[0])
    answer = played.client.post("/api/records/verify", content=format_record(elsewhere))
    assert answer.json() == {"valid": True, "reason": None, "onChain": None}


DEEP = 20_000  # brackets


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[]", b"{", b'{"a": NaN', b"\xff\xfe"),
        pytest.param(b"{" * DEEP, id="deep"),
        pytest.param(b'{"a":' * DEEP, id="deep, with names"),
    ],
)
def test_what_is_no_record_at_all(played, body):
    answer = played.client.post("/api/records/verify", content=body)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "malformed"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'{"a":"' + b"x" * (3 << 20), id="long"),
        pytest.param(b"{" * 3 * DEEP, id="many values"),
    ],
)
def test_a_record_without_end(played, body):
    answer = played.client.post("/api/records/verify", content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_no_record_of_a_game_that_is_not_there(played):
    assert played.client.get("/api/records/battleship/99").status_code == 404
    assert played.client.get("/api/records/chess/1").status_code == 404


def test_no_secret_is_in_the_index_or_in_an_answer(played):
    """The loser has not shown their board: neither its seed nor its placement is anywhere."""
    content = b"".join(
        file.read_bytes()
        for file in sorted(played.client.app.state.services.settings.folder.iterdir())  # type: ignore[attr-defined]
        if file.name.startswith("index.sqlite")
    )
    assert b"ShotAnswered" in content
    answers = "".join(
        json.dumps(read(played, path))
        for kind in KINDS
        for path in (
            f"/api/games/{kind}/{played.ids[kind]}",
            f"/api/records/{kind}/{played.ids[kind]}",
            f"/api/games?kind={kind}",
        )
    ).lower()
    for secret in played.secrets:
        assert len(secret) > 20
        assert secret not in answers
        assert secret.encode() not in content.lower()
