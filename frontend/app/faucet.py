"""Play money for whoever comes without a wallet, on a local chain only.

It gives to an account that has little, once a while; to one client not endlessly; to a contract never.
"""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field
from web3 import Web3

from fogbound.accounts import DEPLOYER
from fogbound.chain import Chain
from fogbound.errors import ChainError, ChainUnreachable
from frontend.app.api.models import ApiModel, RequestModel, Wei
from frontend.app.api.parameters import ADDRESS, Checksummed, failures
from frontend.app.errors import NotNeeded, NotOffered, TooManyRequests, UpstreamFailed
from frontend.app.limits import Buckets, client_of
from frontend.app.services import Needed

PER_CLIENT = (1 / 600, 40)  # gifts a second, and at once
PER_ADDRESS = (1 / 600, 1)
TOGETHER = (1 / 30, 400)
ALL = "all"


class Wish(RequestModel):
    """Who wants money."""

    address: Annotated[str, Field(pattern=ADDRESS), Checksummed]


class Gift(ApiModel):
    """What was given, in wei, and the transaction that brings it."""

    transaction: Annotated[str, Field(pattern=r"^0x[0-9a-f]{64}$")]
    wei: Wei


class Faucet:
    """Gives `wei` at a time, out of the development account that deploys."""

    def __init__(self, wei: int) -> None:
        self._wei = wei
        self._limits = [Buckets(*each) for each in (PER_CLIENT, PER_ADDRESS, TOGETHER)]

    def give(self, chain: Chain, address: str, client: str) -> Gift:
        """Send it, and wait until it is there.

        Raises NotNeeded, NotOffered, TooManyRequests, UpstreamFailed.
        """
        try:
            self._check(chain, address)
            taken = self._take(client, address)
            try:
                receipt = chain.transfer(DEPLOYER, address, self._wei)
            except ChainError:
                self._give_back(taken)
                raise
        except ChainUnreachable as error:
            raise UpstreamFailed("the chain does not answer") from error
        except ChainError as error:
            raise UpstreamFailed("the chain did not take the transaction") from error
        return Gift(transaction=Web3.to_hex(receipt["transactionHash"]), wei=str(self._wei))

    def _check(self, chain: Chain, address: str) -> None:
        if chain.has_code(address):
            raise NotOffered("the faucet gives nothing to contracts")
        if chain.balance(address) >= self._wei // 2:
            raise NotNeeded("that account has enough")

    def _take(self, client: str, address: str) -> list[tuple[Buckets, str]]:
        """A gift out of each limit, or of none."""
        taken: list[tuple[Buckets, str]] = []
        for buckets, key in zip(self._limits, (client, address, ALL), strict=True):
            if wait := buckets.take(key):
                self._give_back(taken)
                raise TooManyRequests("the faucet gives no more for now", int(wait) + 1)
            taken.append((buckets, key))
        return taken

    def _give_back(self, taken: list[tuple[Buckets, str]]) -> None:
        for buckets, key in taken:
            buckets.give_back(key)


def faucet_router(faucet: Faucet) -> APIRouter:
    """The one path."""
    router = APIRouter(tags=["faucet"])

    @router.post("/api/faucet", responses=failures(409, 413, 422, 502))
    def ask_faucet(wish: Wish, request: Request, services: Needed) -> Gift:
        """Get money to play with, on a local chain."""
        reader = services.indexing.reader
        if not reader.is_local:
            raise NotOffered("there is a faucet on a local chain only")
        return faucet.give(reader.chain, wish.address, client_of(request.scope))

    return router
