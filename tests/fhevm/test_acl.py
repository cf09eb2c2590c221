"""What the ACL is asked, and what is remembered of its answers."""

import pytest

from fhevm.acl import Acl, is_public, may_read
from fhevm.freshchain import snapshot
from fhevm.handles import Handle
from tests.fhevm.calls import Deployed


@pytest.fixture
def box(stack, alice):
    made = Deployed(stack.w3, "EncryptedBox", alice)
    _add(stack, made, alice, 1)
    return made


def _add(stack, box, account, value):
    address = box.contract.address
    own = stack.client.encrypt(address, account.address).add_uint8(value).add_bool(True).encrypt()
    box.send("add", *own.handles, own.proof)


@pytest.fixture
def counted(stack, monkeypatch):
    """An ACL of its own, and the calls to the chain that it makes."""
    acl, calls = Acl(stack.w3, stack.host.acl), []
    request = stack.w3.manager.request_blocking

    def counting(method, params, *more):
        calls.append(str(method))
        return request(method, params, *more)

    monkeypatch.setattr(stack.w3.manager, "request_blocking", counting)
    return acl, calls


def test_all_questions_are_one_call(counted, box, alice, bob):
    acl, calls = counted
    total, flag = Handle(box.call("total")), Handle(box.call("flag"))
    own = [may_read(handle, alice.address) for handle in (total, flag)]
    others = [is_public(total), is_public(flag), may_read(total, bob.address)]
    now = acl.now()
    calls.clear()
    assert acl.granted(own + others, now) == set(own)
    assert calls.count("eth_call") == 1


def test_what_was_granted_is_not_asked_again(counted, stack, box, alice):
    acl, calls = counted
    own = may_read(Handle(box.call("total")), alice.address)
    assert acl.granted([own], acl.now()) == {own}
    _add(stack, box, alice, 2)
    _add(stack, box, alice, 3)
    now = acl.now()
    calls.clear()
    assert acl.granted([own], now) == {own}
    assert "eth_call" not in calls


def test_what_was_refused_is_asked_again(counted, box):
    acl, _ = counted
    public = is_public(Handle(box.call("total")))
    assert acl.granted([public], acl.now()) == set()
    box.send("publish")
    assert acl.granted([public], acl.now()) == {public}


@pytest.mark.parametrize("later", [0, 1, 2, 4])
def test_a_grant_goes_with_its_block(counted, stack, box, alice, later):
    """Whether the chain is shorter than before, as long or longer."""
    acl, _ = counted
    public = is_public(Handle(box.call("total")))
    go_back = snapshot(stack.w3)
    box.send("publish")
    _add(stack, box, alice, 2)
    assert acl.granted([public], acl.now()) == {public}
    go_back()
    for value in range(later):
        _add(stack, box, alice, 50 + value)
    assert acl.granted([public], acl.now()) == set()


def test_what_is_remembered_is_bounded(stack, box, alice):
    acl = Acl(stack.w3, stack.host.acl, remembered=1)
    questions = [may_read(Handle(box.call(name)), alice.address) for name in ("total", "flag")]
    for _ in range(2):
        assert acl.granted(questions, acl.now()) == set(questions)
    assert len(acl._granted) == 1


def test_nothing_is_asked_for_nothing(counted):
    acl, calls = counted
    now = acl.now()
    calls.clear()
    assert (acl.granted([], now), calls) == (set(), [])
