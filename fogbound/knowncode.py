"""Which contracts of a local chain run code that is known to be quick and to do its node no harm."""

from dataclasses import astuple

import rlp
from eth_utils.crypto import keccak
from eth_utils.hexadecimal import decode_hex, encode_hex

from fhevm.addresses import LOCAL
from fogbound.accounts import DEPLOYER


class KnownCode:
    """What the stack's deployer deployed, and the fhEVM's host contracts."""

    def __init__(self) -> None:
        self._addresses = {address.lower() for address in astuple(LOCAL)}
        self._following = 0

    def learn(self, following: int) -> None:
        """`following`: the deployer's next nonce; whatever came of those before is known."""
        self._addresses.update(map(_created, range(self._following, following)))
        self._following = max(self._following, following)

    def __contains__(self, address: object) -> bool:
        return isinstance(address, str) and address.lower() in self._addresses


def _created(nonce: int) -> str:
    """The address of a contract that the deployer creates with that nonce."""
    return encode_hex(keccak(rlp.encode([decode_hex(DEPLOYER.address), nonce]))[12:])
