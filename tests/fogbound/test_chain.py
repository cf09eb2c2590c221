"""Reading, sending, waiting, and reverts by name, on the chain in process."""

import pytest
from web3 import Web3
from web3.exceptions import BlockNotFound, Web3RPCError

from fogbound.chain import Chain
from fogbound.errors import (
    ChainUnreachable,
    ContractError,
    NotOnTurn,
    TransactionFailed,
    WaitTimeout,
)
from fogbound.ports import free_port
from fogbound.transactions import account_from_key
from tests.passing_time import pass_time


def test_a_call_is_sent_and_read_back(chain, sample, host):
    receipt = chain.transact(host, sample.functions.note(5), value=3)
    assert chain.read(sample.functions.total()) == 5
    assert chain.balance(sample.address) == 3
    assert receipt["from"] == host.address


def test_a_revert_has_the_name_and_the_arguments_of_its_error(chain, sample, host):
    with pytest.raises(ContractError, match="Sample_TooLarge") as caught:
        chain.transact(host, sample.functions.note(100))
    assert caught.value.arguments == {"given": 100, "limit": 100}
    assert chain.read(sample.functions.total()) == 0


def test_an_error_that_clients_tell_apart_has_its_own_class(chain, sample, host):
    with pytest.raises(NotOnTurn) as caught:
        chain.transact(host, sample.functions.outOfTurn())
    assert caught.value.arguments["onTurn"] == 1


def test_a_view_that_reverts_with_words(chain, sample):
    with pytest.raises(ContractError, match="in plain words"):
        chain.read(sample.functions.words())


def test_a_revert_that_only_shows_when_mined_is_explained(chain, sample, host):
    with pytest.raises(NotOnTurn):
        chain.transact(host, sample.functions.outOfTurn(), gas=100_000)


def test_a_transaction_without_enough_gas_fails_without_reason(chain, sample, host):
    with pytest.raises((TransactionFailed, ContractError)):
        chain.transact(host, sample.functions.note(1), gas=25_000)
    assert chain.read(sample.functions.total()) == 0


def test_an_error_of_no_known_abi_shows_its_selector(chain, sample, host, sample_artifact):
    stranger = Chain(chain.web3)
    unnamed = [entry for entry in sample_artifact.abi if entry["type"] != "error"]
    contract = stranger.contract(sample.address, unnamed)
    with pytest.raises(ContractError, match="Unknown") as caught:
        stranger.transact(host, contract.functions.note(100))
    assert str(caught.value.arguments["data"]).startswith("0x")


def test_waiting_for_a_block_idles_until_it_comes(chain):
    wanted = chain.block_number + 3
    chain.idle = chain.mine
    assert chain.wait_for_block(wanted) == wanted


def test_waiting_in_vain_names_what_was_waited_for(chain):
    with pytest.raises(WaitTimeout, match="block 99"):
        chain.wait_for_block(99, seconds=0.1)


def test_logs_come_in_order_from_every_range(chain, sample, host, monkeypatch):
    monkeypatch.setattr("fogbound.chain.LOG_RANGE", 2)
    for number in range(7):
        chain.transact(host, sample.functions.note(number))
    logs = list(chain.logs(sample.address, 0, chain.block_number))
    assert [int.from_bytes(log["data"]) for log in logs] == list(range(7))


def test_nothing_at_the_address_is_a_typed_error():
    port = free_port()
    with pytest.raises(ChainUnreachable, match=str(port)):
        Chain.connect(f"http://127.0.0.1:{port}")


def test_an_account_without_ether_is_refused_and_changes_nothing(chain, sample):
    poor = account_from_key("0x" + "11" * 32)
    before = chain.block_number
    with pytest.raises(Exception, match=r"(?i)fund|balance|gas"):
        chain.transact(poor, sample.functions.note(1), value=1)
    assert chain.block_number == before


def test_an_error_of_the_host_contracts_is_known_by_name(chain):
    raised = Web3.keccak(text="KMSInvalidSigner(address)")[:4] + bytes(12) + b"\x11" * 20
    assert chain.errors.decode(raised).name == "KMSInvalidSigner"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://127.0.0.1:8545", "http://127.0.0.1:8545"),
        ("https://node.example/v3/SECRET?key=SECRET", "https://node.example"),
        ("https://me:SECRET@node.example:8545/", "https://node.example:8545"),
        ("this process", "this process"),
    ],
)
def test_a_chain_that_is_away_is_told_without_its_access_key(url, told):
    assert str(ChainUnreachable(url)) == f"no chain answers at {told}"


def test_now_is_the_time_of_the_block_to_come(chain):
    newest = chain.newest().timestamp
    assert chain.now() == newest + 1
    pass_time(chain, newest + 500)
    assert chain.now() == newest + 500


def test_where_a_node_knows_no_block_to_come_now_is_the_newest_block(chain, monkeypatch):
    answer = chain.web3.eth.get_block

    def get_block(name):
        if name == "pending":
            raise BlockNotFound("no pending block")
        return answer(name)

    monkeypatch.setattr(chain.web3.eth, "get_block", get_block)
    assert chain.now() == answer("latest")["timestamp"]


def test_what_finds_no_room_is_sent_again(chain, host, outsider, monkeypatch):
    """A local chain that is flooded says so; the transaction comes through once there is room."""
    send, refusals = chain.web3.eth.send_raw_transaction, [_refusal(), _refusal()]

    def flooded(raw):
        if refusals:
            raise refusals.pop()
        return send(raw)

    monkeypatch.setattr(chain.web3.eth, "send_raw_transaction", flooded)
    before = chain.balance(outsider.address)
    chain.transfer(host, outsider.address, 5)
    assert (chain.balance(outsider.address) - before, refusals) == (5, [])


def _refusal():
    error = {"code": -32005, "message": "too many transactions wait; try again"}
    return Web3RPCError(str(error), rpc_response={"error": error})
