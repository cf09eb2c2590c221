"""ABI-encoded values as web3.py gives them, without what it checks of a contract each time."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from eth_abi.codec import ABIDecoder
from eth_abi.decoding import AddressDecoder
from eth_abi.registry import BaseEquals, registry
from eth_utils.abi import collapse_if_tuple
from eth_utils.address import to_checksum_address
from web3.types import LogReceipt


class _Checksummed(AddressDecoder):
    """The same few addresses come again and again, and a checksum is a hash."""

    decoder_fn = staticmethod(lru_cache(4_096)(to_checksum_address))


def _decoder() -> ABIDecoder:
    types = registry.copy()  # type: ignore[no-untyped-call]
    types.unregister_decoder("address")
    address = BaseEquals("address")  # type: ignore[no-untyped-call]
    types.register_decoder(address, _Checksummed, label="address")
    return ABIDecoder(types)


DECODER = _decoder()


class EventType:
    """An event of an ABI, whose logs it decodes."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.name = str(entry["name"])
        self._names = [each["name"] for each in entry["inputs"]]
        self._indexed = _types(entry["inputs"], indexed=True)
        self._others = _types(entry["inputs"], indexed=False)

    def arguments(self, log: LogReceipt) -> dict[str, Any]:
        """By name, in the event's order. Raises DecodingError where the log is no such event's."""
        topics = zip(self._indexed.items(), log["topics"][1:], strict=True)
        found = {name: DECODER.decode([kind], bytes(topic))[0] for (name, kind), topic in topics}
        values = DECODER.decode(list(self._others.values()), bytes(log["data"]))
        found |= zip(self._others, values, strict=True)
        return {name: _listed(found[name]) for name in self._names}


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _types(inputs: Sequence[Mapping[str, Any]], *, indexed: bool) -> dict[str, str]:
    """Types by name. (Of an indexed array or text a log holds a hash; no event of ours has one.)"""
    return {
        each["name"]: collapse_if_tuple(each)  # type: ignore[arg-type]
        for each in inputs
        if each["indexed"] is indexed
    }
