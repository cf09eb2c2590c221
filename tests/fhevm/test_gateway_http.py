"""The gateway and the KMS over HTTP: jobs, statuses, limits, tokens."""

import json
import logging
import stat
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from fhevm.client import FhevmClient
from fhevm.devchain import dev_accounts
from fhevm.errors import (
    ComputationFailed,
    InputRefused,
    KeyChanged,
    KeysDamaged,
    MalformedRequest,
    NotAllowed,
    NotComputedYet,
    ServiceError,
    SignatureRefused,
    TooLarge,
    TooManyRequests,
    Unavailable,
    UnknownHandle,
    UnknownJob,
)
from fhevm.freshchain import fresh_chain
from fhevm.gateway import Gateway
from fhevm.gateway_http import MAX_BODY_BYTES, answer_errors, gateway_app, gateway_router
from fhevm.handles import Handle
from fhevm.heads import Heads
from fhevm.jobs import PER_CLIENT, Jobs
from fhevm.kms_http import RemoteKms, kms_app
from fhevm.local import LocalFhevm
from fhevm.prepared import Prepared
from fhevm.statuses import STATUS, raise_failure
from fhevm.tokens import make_token, read_token
from fhevm.transports import Http
from fhevm.waiting import WaitingRoom
from tests.fhevm.box import Box

SEED = bytes(range(32))
HOST, GUEST, *REST = dev_accounts()
TOKEN = "ab" * 32


@pytest.fixture(scope="module")
def fhevm():
    with LocalFhevm.create(fresh_chain(), "clear", SEED) as local:
        yield local


@pytest.fixture(scope="module")
def working(fhevm):
    """The coprocessor in a thread, as in a process of its own."""
    stop = Event()
    thread = Thread(target=fhevm.coprocessor.run, args=(stop, Heads(None, pause=0.02)))
    thread.start()
    yield fhevm
    stop.set()
    thread.join()


@pytest.fixture(scope="module")
def box(working):
    return Box(working.w3, HOST)


def remote_kms(fhevm, token=TOKEN):
    """The KMS behind its HTTP service."""
    kms = RemoteKms("http://kms", token)
    kms._client = TestClient(
        kms_app(fhevm.kms, TOKEN), headers={"authorization": f"Bearer {token}"}
    )
    return kms


@pytest.fixture(scope="module")
def web(working):
    """The gateway's application, with its KMS behind HTTP as well."""
    local = working.gateway
    gateway = Gateway(
        local._keys, remote_kms(working), working.coprocessor, local._acl, local._domains
    )
    with TestClient(gateway_app(gateway)) as client:
        yield client


@pytest.fixture(scope="module")
def client(web):
    return FhevmClient(Http("http://gateway", client=web))


def finished(web, kind, job_id, seconds=20):
    give_up = time.monotonic() + seconds
    while time.monotonic() < give_up:
        response = web.get(f"/v2/{kind}/{job_id}")
        if response.status_code != 202:
            return response
        assert response.json() == {"status": "queued"}
        time.sleep(0.01)
    raise AssertionError("never finished")


def input_payload(box, blob=b"\0" * 100):
    return {
        "contractAddress": box.address,
        "userAddress": HOST.address,
        "contractChainId": "0x7a69",
        "ciphertextWithInputVerification": blob.hex(),
        "extraData": "0x00",
    }


# -- the whole way ---------------------------------------------------------------------------------------


def test_whole_way(client, box):
    box.add(client, HOST, 7, True)
    box.send(HOST, "publish")
    assert client.user_decrypt([box.total(), box.flag()], box.address, HOST) == [7, True]
    decryption = client.public_decrypt([box.total(), box.flag()])
    box.send(GUEST, "open", 7, True, decryption.proof)
    assert box.opened() == (7, True)
    until = client._gateway.clock()["timestamp"] + 7200
    client.delegate(box.w3, HOST, GUEST.address, box.address, until)
    delegated = client.user_decrypt([box.flag()], box.address, GUEST, delegator=HOST.address)
    assert delegated == [True]


def test_ten_clients_at_once(web, working):
    """Each with a contract, an account and values of their own; nobody gets another's."""

    def play(number):
        account = dev_accounts()[number]
        own = FhevmClient(Http("http://gateway", client=web))
        box = Box(working.w3, account)
        total = 0
        for value in (number, 20 * number):
            total += value
            box.add(own, account, value, bool(number % 2))
        return own.user_decrypt([box.total(), box.flag()], box.address, account), total

    with ThreadPoolExecutor(10) as pool:
        results = list(pool.map(play, range(10)))
    for number, (values, total) in enumerate(results):
        assert values == [total, bool(number % 2)]


# -- paths -----------------------------------------------------------------------------------------------


def test_a_job_is_queued_then_answered(web, box):
    queued = web.post("/v2/input-proof", json=input_payload(box))
    assert queued.status_code == 202
    assert queued.json()["status"] == "queued"
    answer = finished(web, "input-proof", queued.json()["result"]["jobId"])
    assert answer.status_code == 422
    assert answer.json()["error"]["label"] == "InputRefused"


def test_keyurl(web, working):
    answer = web.get("/v2/keyurl").json()
    assert answer["fingerprint"] == working.keys.public.fingerprint
    assert answer["publicKeys"] == working.keys.public.to_json()
    assert answer["chainId"] == 31337
    secrets = [working.keys.kms.secret, working.keys.kms.signer, working.keys.kms.hpke]
    assert not any(secret.hex() in json.dumps(answer) for secret in secrets)


def test_clock(web, working):
    block = working.w3.eth.get_block("latest")
    answer = web.get("/v2/clock").json()
    assert answer["block"] >= block["number"]
    assert answer["timestamp"] >= block["timestamp"]


@pytest.mark.parametrize("kind", ["input-proof", "user-decrypt", "public-decrypt"])
def test_unknown_jobs(web, kind):
    answer = web.get(f"/v2/{kind}/0123")
    assert (answer.status_code, answer.json()["error"]["label"]) == (404, "UnknownJob")


def test_a_job_is_found_under_its_own_kind_only(web, box):
    job_id = web.post("/v2/input-proof", json=input_payload(box)).json()["result"]["jobId"]
    assert web.get(f"/v2/public-decrypt/{job_id}").status_code == 404


def test_the_router_can_be_mounted(working):
    app = FastAPI()
    app.mount("/elsewhere", FastAPI())
    app.include_router(gateway_router(working.gateway, Jobs()), prefix="/games")
    answer_errors(app)
    assert TestClient(app).get("/games/v2/keyurl").status_code == 200


# -- statuses and limits ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"contractAddress": "0x12"},
        {"contractAddress": None},
        {"userAddress": 7},
        {"ciphertextWithInputVerification": "xyz"},
        {"ciphertextWithInputVerification": 5},
        {"contractChainId": "many"},
        {"contractChainId": -1},
        {"extraData": "0x01"},
    ],
)
def test_malformed_fields(web, box, change):
    answer = web.post("/v2/input-proof", json=input_payload(box) | change)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["label"] == "MalformedRequest"
    assert error["message"].startswith(next(iter(change)))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b'"text"', b"{}", b"\xff\xfe"])
@pytest.mark.parametrize(
    "kind", ["input-proof", "user-decrypt", "delegated-user-decrypt", "public-decrypt"]
)
def test_malformed_bodies(web, kind, body):
    headers = {"content-type": "application/json"}
    answer = web.post(f"/v2/{kind}", content=body, headers=headers)
    assert (answer.status_code, answer.json()["error"]["label"]) == (422, "MalformedRequest")


@pytest.mark.parametrize(
    "handles", [[], ["0x12"], [None], ["zz" * 32], ["0x" + "00" * 31 + "01"], "0x"]
)
def test_malformed_handles(web, handles):
    answer = web.post("/v2/public-decrypt", json={"ciphertextHandles": handles})
    assert (answer.status_code, answer.json()["error"]["label"]) == (422, "MalformedRequest")


def test_oversized_bodies(web):
    answer = web.post("/v2/input-proof", content=b" " * (MAX_BODY_BYTES + 1))
    assert (answer.status_code, answer.json()["error"]["label"]) == (413, "TooLarge")


def test_oversized_bodies_that_do_not_say_so(web):
    chunks = (b" " * 65536 for _ in range(MAX_BODY_BYTES // 65536 + 1))
    answer = web.post("/v2/input-proof", content=chunks)
    assert (answer.status_code, answer.json()["error"]["label"]) == (413, "TooLarge")


def test_oversized_inputs(client, box):
    with pytest.raises(TooLarge):
        client._gateway.answer("input-proof", input_payload(box, bytes(300_000)))


@pytest.mark.parametrize("error", list(STATUS))
def test_every_error_crosses_as_itself(error):
    app = FastAPI()
    answer_errors(app)

    @app.get("/")
    def fail():
        raise error("the reason")

    answer = TestClient(app).get("/")
    assert answer.status_code == STATUS[error]
    with pytest.raises(error, match="the reason") as caught:
        raise_failure(answer.json())
    assert type(caught.value) is error


def test_every_service_error_has_a_status():
    assert set(STATUS) == set(ServiceError.__subclasses__())
    assert all(400 <= status < 600 for status in STATUS.values())


@pytest.mark.parametrize("answer", [None, {}, {"error": "x"}, {"error": {"label": "Exception"}}])
def test_what_is_no_gateways_answer(answer):
    with pytest.raises(Unavailable):
        raise_failure(answer)


def test_errors_reach_the_client(client, box):
    with pytest.raises(InputRefused):
        client._gateway.answer("input-proof", input_payload(box))
    made_up = bytes(range(21)) + b"\xff" + (31337).to_bytes(8) + b"\x02\0"
    with pytest.raises(UnknownHandle):
        client.public_decrypt([made_up])
    box.add(client, HOST, 1, False)
    with pytest.raises(NotAllowed, match="user"):
        client.user_decrypt([box.total()], box.address, GUEST)


def test_a_changed_key_is_noticed(web, client, tmp_path):
    from fhevm.pins import check_known

    known = tmp_path / "known" / "keys.json"
    check_known(client.public, "http://gateway", known)
    check_known(client.public, "http://gateway", known)
    known.write_text(json.dumps({"http://gateway": "00" * 32}))
    with pytest.raises(KeyChanged):
        check_known(client.public, "http://gateway", known)


def test_nobody_there():
    with pytest.raises(Unavailable):
        FhevmClient.connect("http://127.0.0.1:9")


def test_a_client_gives_up(web, fhevm):
    blocked = Event()

    class Slow:
        def __init__(self):
            self.key_material, self.clock = fhevm.gateway.key_material, fhevm.gateway.clock

        def prepare(self, kind, body, client):
            return Prepared(check=lambda: None, answer=lambda: blocked.wait(20))

    with TestClient(gateway_app(Slow())) as slow, pytest.raises(NotComputedYet):
        Http("http://gateway", timeout=0.2, client=slow).answer("public-decrypt", {})
    blocked.set()


# -- waiting ---------------------------------------------------------------------------------------------


def test_a_value_that_is_not_computed_yet_is_waited_for(fhevm, box, working):
    """Asked for before the coprocessor has heard of it: the answer comes when it has."""
    late = Event()

    class Late:
        """A coprocessor that hears of operations when it is told to."""

        add_input = working.coprocessor.add_input

        def knows(self, handle):
            return late.is_set() and working.coprocessor.knows(handle)

        def wait_for(self, handles, timeout):
            if not late.is_set():
                raise UnknownHandle("not heard of")
            return working.coprocessor.wait_for(handles, timeout)

    local = working.gateway
    gateway = Gateway(local._keys, working.kms, Late(), local._acl, local._domains)
    client = FhevmClient(gateway)
    box.add(client, HOST, 1, True)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(client.user_decrypt, [box.flag()], box.address, HOST)
        time.sleep(0.2)
        assert not answer.done()
        late.set()
        assert answer.result(10) == [True]


def test_waiting_ends(working, box):
    class Never:
        add_input = working.coprocessor.add_input

        def knows(self, handle):
            return True

        def wait_for(self, handles, timeout):
            raise NotComputedYet("not computed yet")

    local = working.gateway
    gateway = Gateway(
        local._keys, working.kms, Never(), local._acl, local._domains, wait_seconds=0.2
    )
    client = FhevmClient(gateway)
    box.add(client, HOST, 1, True)
    with pytest.raises(NotComputedYet):
        client.user_decrypt([box.flag()], box.address, HOST)


# -- jobs ------------------------------------------------------------------------------------------------


def work(answer, check=lambda: None, cost=1):
    return Prepared(check=check, answer=answer, cost=cost)


def result_of(jobs, kind, job_id, seconds=20):
    give_up = time.monotonic() + seconds
    while (answer := jobs.result(kind, job_id)) is None:
        assert time.monotonic() < give_up
        time.sleep(0.01)
    return answer


def test_jobs_are_limited_and_forgotten():
    """Room is for what is under way: a job that is done frees its place, and its result stays a while."""
    jobs = Jobs(threads=1, capacity=2, keep_bytes=30)
    release = Event()
    first = jobs.submit("kind", work(lambda: {"done": release.wait(10)}))
    second = jobs.submit("kind", work(lambda: {"number": 2}))
    with pytest.raises(TooManyRequests):
        jobs.submit("kind", work(lambda: {}))
    release.set()
    assert result_of(jobs, "kind", second) == {"number": 2}
    for _ in range(2):
        third = jobs.submit("kind", work(lambda: {"number": 3}))
        assert result_of(jobs, "kind", third) == {"number": 3}
    with pytest.raises(UnknownJob):
        jobs.result("kind", first)
    jobs.close()


def test_input_proofs_have_room_of_their_own():
    jobs = Jobs(threads=1, capacity=1)
    release = Event()
    jobs.submit("public-decrypt", work(lambda: {"done": release.wait(10)}))
    proof = jobs.submit("input-proof", work(lambda: {"handles": []}))
    assert result_of(jobs, "input-proof", proof) == {"handles": []}
    release.set()
    jobs.close()


def test_attack_many_ask_for_the_time_of_a_slow_chain(working):
    """They share one thread: whoever asks for something else is answered."""
    asked, answers = Event(), Event()

    class Slow:
        def now(self):
            asked.set()
            answers.wait(60)
            return working.gateway._acl.now()

    local = working.gateway
    gateway = Gateway(local._keys, working.kms, working.coprocessor, Slow(), local._domains)
    with TestClient(gateway_app(gateway)) as web, ThreadPoolExecutor(61) as pool:
        waiting = [pool.submit(web.get, "/v2/clock") for _ in range(60)]
        assert asked.wait(20)
        time.sleep(0.5)  # all have come
        refused = pool.submit(web.post, "/v2/public-decrypt", json={})
        try:
            assert refused.result(20).status_code == 422
            assert web.get("/v2/keyurl").is_success
        finally:
            answers.set()
        assert all(each.result(20).is_success for each in waiting)


# -- floods ----------------------------------------------------------------------------------------------


class SlowValues:
    """A coprocessor for which `slow` values come only when they are told to."""

    def __init__(self, real, slow):
        self.add_input, self._real = real.add_input, real
        self._slow, self.told = set(slow), Event()

    def knows(self, handle):
        return self._real.knows(handle)

    def wait_for(self, handles, timeout):
        if not self.told.is_set() and self._slow.intersection(handles):
            time.sleep(timeout)
            raise NotComputedYet("not computed yet")
        return self._real.wait_for(handles, max(timeout, 5.0))


@pytest.fixture
def flooded(working, box, client):
    """A gateway with one public value that is slow and one that is there."""
    box.add(client, HOST, 7, True)
    box.send(HOST, "publish")
    slow, quick = Handle(box.total()), Handle(box.flag())
    working.coprocessor.wait_for([quick], 10)
    values = SlowValues(working.coprocessor, [slow])
    local = working.gateway
    gateway = Gateway(local._keys, working.kms, values, local._acl, local._domains)
    with TestClient(gateway_app(gateway, TOKEN)) as web:
        yield web, values, slow, quick
    values.told.set()


def decrypt(web, *handles, headers=None):
    payload = {"ciphertextHandles": list(map(str, handles))}
    return web.post("/v2/public-decrypt", json=payload, headers=headers)


def test_attack_many_requests_for_a_slow_value(flooded, box):
    """They occupy no thread, and their client's room alone; all that are let in get it when it is there."""
    web, values, slow, quick = flooded
    flood = {"x-fhevm-client": "198.51.100.7", "x-fhevm-proxy-token": TOKEN}
    answers = [decrypt(web, slow, headers=flood) for _ in range(300)]
    waiting = [each.json()["result"]["jobId"] for each in answers if each.status_code == 202]
    assert len(waiting) == PER_CLIENT
    refused = answers[-1]
    assert (refused.status_code, refused.json()["error"]["label"]) == (429, "TooManyRequests")
    assert refused.headers["retry-after"] == "1"
    own = FhevmClient(Http("http://gateway", client=web))
    own.encrypt(box.address, GUEST.address).add_uint8(1).encrypt()
    assert own.public_decrypt([quick]).cleartexts == [True]
    while not all(is_waiting(web, each) for each in waiting):
        time.sleep(0.01)
    assert sum(thread.name == "waiting-room" for thread in threading.enumerate()) == 1
    values.told.set()
    assert all(finished(web, "public-decrypt", each).status_code == 200 for each in waiting)
    assert finished(web, "public-decrypt", decrypt(web, slow).json()["result"]["jobId"]).is_success


def is_waiting(web, job_id):
    return web.get(f"/v2/public-decrypt/{job_id}").status_code == 202


def test_a_refused_client_asks_again(flooded, working):
    web, values, slow, _ = flooded
    for _ in range(PER_CLIENT):
        decrypt(web, slow)
    assert decrypt(web, slow).status_code == 429
    own = FhevmClient(Http("http://gateway", client=web))
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(own.public_decrypt, [slow])
        time.sleep(0.2)
        assert not answer.done()
        values.told.set()
        assert answer.result(20).cleartexts == [working.debug_decrypt(slow)]


def test_attack_many_requests_for_what_nothing_made(working, box, client):
    """Whoever asks for made-up handles waits himself; what is allowed is answered meanwhile."""
    box.add(client, HOST, 7, True)
    box.send(HOST, "publish")
    asked = Event()

    class Lagging(SlowValues):
        def knows(self, handle):
            return asked.wait(60)

    local = working.gateway
    values = Lagging(working.coprocessor, [])
    gateway = Gateway(local._keys, working.kms, values, local._acl, local._domains)
    with TestClient(gateway_app(gateway)) as web:
        for number in range(PER_CLIENT - 8):
            made_up = bytes([number] * 21) + b"\xff" + (31337).to_bytes(8) + b"\x02\0"
            decrypt(web, Handle(made_up))
        own = FhevmClient(Http("http://gateway", timeout=20, client=web))
        assert own.public_decrypt([box.flag()]).cleartexts == [True]
        asked.set()


def test_waiting_has_an_end_for_each():
    """What failed is told to all who wait for it; others wait on, until their time is over."""
    broken, slow, there = (Handle(bytes([n] * 21) + b"\xff" + bytes(8) + b"\2\0") for n in range(3))

    def look(handles):
        if broken in handles:
            raise ComputationFailed("division by zero")
        if slow in handles:
            raise NotComputedYet("not yet")

    room = WaitingRoom(look, seconds=0.2)
    failing, both, late = room.park([broken]), room.park([there, slow]), room.park([slow])
    with pytest.raises(ComputationFailed):
        failing.result(10)
    for each in (late, both):
        with pytest.raises(NotComputedYet):
            each.result(10)
    assert room.park([there, there]).result(10) is None


# -- the KMS's own service -------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "ab", "cd" * 32])
@pytest.mark.parametrize("path", ["/input", "/public", "/user"])
def test_attack_kms_without_the_token(fhevm, token, path):
    app = TestClient(kms_app(fhevm.kms, TOKEN))
    answer = app.post(path, json={}, headers={"authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["error"]["label"]) == (401, "SignatureRefused")


def test_attack_kms_reads_no_body_without_the_token(fhevm):
    """A body that takes gigabytes to parse is not even received; with the token it is."""
    read = []
    app = TestClient(_Unread(kms_app(fhevm.kms, TOKEN), read))
    body = b"[]," * (1 << 18)
    assert app.post("/public", content=body).status_code == 401
    assert not read
    known = {"authorization": f"Bearer {TOKEN}"}
    assert app.post("/public", content=body, headers=known).status_code == 413
    assert read


class _Unread:
    """Notes whether the application behind it reads a request's body."""

    def __init__(self, app, read):
        self._app, self._read = app, read

    async def __call__(self, scope, receive, send):
        async def noted():
            message = await receive()
            if message["type"] == "http.request":
                self._read.append(message)
            return message

        await self._app(scope, noted, send)


def test_attack_kms_with_another_token(fhevm):
    with pytest.raises(SignatureRefused):
        remote_kms(fhevm, "cd" * 32).authorize_public([])


def test_attack_gateway_that_skips_the_check(working, client, box):
    """The KMS checks by itself: a gateway that hands it a ciphertext at once gets nothing."""
    box.add(client, HOST, 9, True)
    handle = Handle(box.flag())
    ciphertext = working.coprocessor.ciphertext(handle, 10)
    with pytest.raises(NotAllowed):
        remote_kms(working).public_decrypt([handle], [ciphertext])


@pytest.mark.parametrize("ciphertexts", [[], [b""], [b"nonsense"], [b"x", b"y"]])
def test_kms_with_wrong_ciphertexts(working, client, box, ciphertexts):
    box.add(client, HOST, 9, True)
    box.send(HOST, "publish")
    with pytest.raises(MalformedRequest, match="ciphertexts"):
        remote_kms(working).public_decrypt([Handle(box.flag())], ciphertexts)


def test_kms_unreachable():
    with pytest.raises(Unavailable):
        RemoteKms("http://127.0.0.1:9", TOKEN).authorize_public([])
    assert not RemoteKms("http://127.0.0.1:9", TOKEN).is_ready()


def test_token_file(tmp_path):
    file = tmp_path / "coprocessor" / "kms.token"
    with ThreadPoolExecutor(8) as pool:
        tokens = set(pool.map(lambda _: make_token(file), range(8)))
    assert tokens == {read_token(file)}
    assert [each.name for each in file.parent.iterdir()] == ["kms.token"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    with pytest.raises(KeysDamaged):
        read_token(file)


# -- secrets ---------------------------------------------------------------------------------------------


def test_no_secret_in_logs_and_errors(client, box, caplog):
    """Neither a plaintext nor a seed is logged or shown, whatever fails."""
    caplog.set_level(logging.DEBUG)
    secret = 0xDEADBEEFCAFE1234
    shown = []
    for wrong in (HOST.address, box.address):
        try:
            client.encrypt(wrong, wrong).add_uint64(secret).add_uint8(9_876_543_210).encrypt()
        except ServiceError as error:
            shown.append(str(error))
    client.encrypt(box.address, HOST.address).add_uint64(secret).encrypt()
    with pytest.raises(ServiceError) as refused:
        client._gateway.answer("input-proof", input_payload(box, secret.to_bytes(8) * 20))
    everything = caplog.text + "".join(shown) + str(refused.value)
    assert len(shown) == 2
    for form in (str(secret), f"{secret:x}", "9876543210"):
        assert form not in everything.lower()


def test_http_client_closes():
    with Http("http://127.0.0.1:9") as transport:
        assert isinstance(transport._client, httpx.Client)
    assert transport._client.is_closed
