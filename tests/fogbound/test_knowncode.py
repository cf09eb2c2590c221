from web3.utils import get_create_address

from fhevm.addresses import LOCAL
from fogbound.accounts import DEPLOYER
from fogbound.knowncode import KnownCode


def created(nonce):
    return get_create_address(DEPLOYER.address, nonce)


def test_what_the_deployer_deployed_is_known():
    known = KnownCode()
    assert created(0) not in known
    known.learn(3)
    assert [created(nonce) in known for nonce in range(4)] == [True] * 3 + [False]
    known.learn(2)
    known.learn(300)
    assert created(299) in known
    assert created(299).lower() in known


def test_the_hosts_contracts_are_known():
    assert LOCAL.acl in KnownCode()


def test_what_is_no_address_is_not_known():
    known = KnownCode()
    for odd in (None, "", 7, [], {}, "0x", LOCAL.acl[2:], b""):
        assert odd not in known
