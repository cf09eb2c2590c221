"""The faucet: it gives to who has little, and cannot be drained by one."""

import pytest
from eth_account import Account
from fastapi.testclient import TestClient

from fogbound.errors import ChainUnreachable, TransactionLost
from frontend.app.faucet import PER_CLIENT
from frontend.app.index.reader import Reader
from frontend.app.limits import Rate


@pytest.fixture(autouse=True)
def unlimited(monkeypatch):
    """What is tested here is the faucet's own limits."""
    monkeypatch.setattr(Rate, "seconds", lambda *_: 0.0)


@pytest.fixture
def ask(client, catch_up):
    catch_up()

    def post(address, client_address="203.0.113.5"):
        caller = TestClient(client.app, base_url=client.base_url, client=(client_address, 7))
        return caller.post("/api/faucet", json={"address": address})

    return post


def fresh():
    return Account.create()


def code_of(answered):
    return answered.json()["error"]["code"]


def test_it_gives_to_who_has_nothing(ask, chain, settings):
    address = fresh().address
    answered = ask(address.lower())
    assert answered.status_code == 200
    assert answered.json()["wei"] == str(settings.faucet_wei) == str(chain.balance(address))
    receipt = chain.web3.eth.get_transaction_receipt(answered.json()["transaction"])
    assert receipt["to"] == address


def test_not_to_who_has_enough(ask, host):
    answered = ask(host.address)
    assert (answered.status_code, code_of(answered)) == (409, "not_needed")


def test_not_twice_in_a_while_whoever_asks(ask, chain, host):
    account = fresh()
    assert ask(account.address).status_code == 200
    chain.transfer(account, host.address, chain.balance(account.address) - 10**17)
    again = ask(account.address, "203.0.113.99")
    assert (again.status_code, code_of(again)) == (429, "too_many_requests")
    assert int(again.headers["retry-after"]) > 1


def test_not_to_a_contract(ask, connection):
    address = connection.registry.find("Sandbox", connection.chain.chain_id).address
    answered = ask(address)
    assert (answered.status_code, code_of(answered)) == (409, "not_offered")


def test_one_client_cannot_drain_it(ask, chain, settings):
    given = [ask(fresh().address).status_code for _ in range(PER_CLIENT[1] + 5)]
    assert given == [200] * PER_CLIENT[1] + [429] * 5
    assert ask(fresh().address, "203.0.113.6").status_code == 200


def test_what_did_not_arrive_is_not_counted(ask, chain, monkeypatch):
    address = fresh().address

    def lost(*_):
        raise TransactionLost("0x12", 1)

    with monkeypatch.context() as broken:
        broken.setattr(chain, "transfer", lost)
        assert ask(address).status_code == 502
    assert ask(address).status_code == 200


def test_a_chain_that_is_away(ask, chain, monkeypatch):
    def away(*_):
        raise ChainUnreachable("http://node.invalid/secret")

    monkeypatch.setattr(chain, "has_code", away)
    answered = ask(fresh().address)
    assert answered.status_code == 502
    assert "invalid" not in answered.text


def test_there_is_none_on_a_public_chain(ask, chain, monkeypatch):
    monkeypatch.setattr(Reader, "is_local", False)
    address = fresh().address
    answered = ask(address)
    assert (answered.status_code, code_of(answered)) == (409, "not_offered")
    assert chain.balance(address) == 0


@pytest.mark.parametrize("address", ["", "0x12", "0x" + "g" * 40, 7, None, ["0x" + "1" * 40]])
def test_what_is_no_address(ask, address):
    assert ask(address).status_code == 422
