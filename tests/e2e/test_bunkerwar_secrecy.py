"""Bunker War Z on real ciphertexts, in real browsers: played to its end, and searched for what it hides."""

import json
from collections import defaultdict

import pytest

from bunkerwar.rules import Build, Cell
from tests.e2e.play import sit_down_to_bunkerwar
from tests.e2e.secrets_search import browser_secrets, found
from tests.e2e.test_bunkerwar import expect_result

SIZE = (4, 4)
ENOUGH = 5  # buildings of a kind, to compare
FEW = 0.12  # missiles are what takes time on ciphertexts


@pytest.fixture
def stack(concrete_stack):
    return concrete_stack


@pytest.mark.slow
def test_a_whole_game_on_ciphertexts_tells_nothing(people, host, guest, seed):
    """The host loses their browser on the way: their buildings are decrypted for them in another one."""
    battle = sit_down_to_bunkerwar(host, guest, seed, SIZE, FEW)
    built = []
    for _ in range(8):
        note(built, battle)
    backup = host.settings.open().back_up()
    host.page.close()
    elsewhere = people("elsewhere")
    elsewhere.settings.open().restore(backup)
    elsewhere.bunkerwar.visit(battle.game_id)
    battle.players = (elsewhere, guest)
    battle.expect_shown()
    while not battle.state.finished:
        note(built, battle)
    expect_result(battle, battle.outcome)
    host.lobby.open()  # where their first browser still keeps what it kept
    everybody = (host, guest, elsewhere)
    expect_nothing_told(built)
    expect_no_secret(everybody)


def note(built, battle):
    """Make a move; of a building, keep its bit and all that left the browser for it."""
    mover, before = battle.mover, len(battle.mover.requests)
    move = battle.step()
    if isinstance(move, Build):
        sent = [each for each in mover.requests[before:] if each.method == "POST"]
        told = {"sent": [(each.url, body(each)) for each in sent], **on_chain(mover, battle)}
        built.append((move.cell is Cell.BUNKER, dict(leaves(told))))


def body(request):
    try:
        return json.loads(request.post_data)
    except (TypeError, ValueError):
        return request.post_data


def on_chain(person, battle):
    """What everybody can read of the last building: event, transaction, receipt."""
    events = person.stack.api(f"games/bunkerwar/{battle.game_id}")["events"]
    event = [each for each in events if each["name"] == "BuildingPlaced"][-1]
    chain = person.stack.web3.eth
    sent = chain.get_transaction(event["transaction"])
    receipt = chain.get_transaction_receipt(event["transaction"])
    logs = [
        [log["address"], [t.hex() for t in log["topics"]], log["data"].hex()]
        for log in receipt["logs"]
    ]
    return {
        "event": event["arguments"],
        "input": [sent["input"].hex(), *words(sent["input"].hex())],
        "gas": [sent["gas"], receipt["gasUsed"]],
        "logs": logs,
    }


def words(data):
    return [data[8 + at : 72 + at] for at in range(0, len(data) - 8, 64)]


def leaves(value, path=""):
    """Every value in a structure by its path, and every text's length."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        yield f"{path} count", len(value)
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{path}.{index}")
    else:
        yield path, value
        if isinstance(value, str):
            yield f"{path} length", len(value)


def telling(built):
    """Paths whose value is another one for every bunker than for any house.

    A value that hardly ever comes again, such as a ciphertext or a hash, tells only by being known
    already; a path that few buildings have tells nothing for sure.
    """
    values = defaultdict(lambda: ([], []))
    for is_bunker, fields in built:
        for path, value in fields.items():
            values[path][is_bunker].append(value)
    return [path for path, (houses, bunkers) in values.items() if tells(houses, bunkers)]


def tells(houses, bunkers):
    apart = not set(houses) & set(bunkers)
    enough = min(len(houses), len(bunkers)) >= ENOUGH
    return enough and apart and len(set(houses + bunkers)) <= len(houses + bunkers) // 2


def expect_nothing_told(built):
    bits = [is_bunker for is_bunker, _ in built]
    assert min(bits.count(True), bits.count(False)) >= ENOUGH, "too few to tell"
    marked = [(bit, fields | {"mark": f"{bit}"}) for bit, fields in built]
    assert telling(marked) == ["mark"]  # so the comparison finds what tells
    assert telling(built) == []


def expect_no_secret(everybody):
    recorded = b"".join(person.wire.bytes() for person in everybody) + everybody[0].stack.logs()
    secrets, known = {}, 0
    for person in everybody:
        secrets |= browser_secrets(person)
        for name, stored in person.stored().items():
            if not name.startswith("fogbound.bits."):
                continue
            for handle, bit in json.loads(stored):
                known += 1
                for written in (f'"{handle}",{bit}', f'"{handle}":{bit}', f'"{handle}", {bit}'):
                    assert written.lower().encode() not in recorded.lower()
    assert known > 10
    assert len(secrets) >= 3
    assert found(secrets, recorded) == []
