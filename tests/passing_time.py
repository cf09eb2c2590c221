"""Time on chains that tests have for themselves."""

from fhevm.freshchain import travel
from fogbound.chain import Chain


def pass_time(chain: Chain, second: int) -> None:
    """Let time pass: the next transaction is in `second`, or later where that has gone by."""
    if chain.now() < second:
        travel(chain.web3, second)
