"""How this project talks JSON-RPC over HTTP."""

from web3 import HTTPProvider, Web3
from web3.types import RPCEndpoint

SECONDS = 30.0


def connect_rpc(url: str, seconds: float = SECONDS) -> Web3:
    """A Web3 for a node's URL; a request may take `seconds`.

    web3.py asks for the chain id before each call and transaction, more than half of all requests of a
    game: one answer is kept.
    """
    provider = HTTPProvider(
        url,
        request_kwargs={"timeout": seconds},
        exception_retry_configuration=None,  # a transaction must not be sent twice unasked
        cache_allowed_requests=True,
        cacheable_requests={RPCEndpoint("eth_chainId")},
    )
    return Web3(provider)
