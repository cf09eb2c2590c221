"""Which contracts hold ether, asked seldom and for few at a time."""

from collections import OrderedDict

from web3 import Web3

from fhevm.acl import chain_answers

VALUE_WEI = 10**15
"""What counts as value: a thousandth of an ether."""
_REMEMBERED = 1024
_AT_A_TIME = 4


class Values:
    """Knows of a contract once `refresh` has asked for it."""

    def __init__(self, w3: Web3) -> None:
        self._w3 = w3
        self._known: OrderedDict[str, bool | None] = OrderedDict()  # whose turn is next first

    def holds_value(self, contract: str) -> bool:
        """Whether a contract had value when it was asked last; whoever is new has none."""
        if contract not in self._known:
            self._known[contract] = None
            self._known.move_to_end(contract, last=False)
            while len(self._known) > _REMEMBERED:
                self._known.popitem()
        return bool(self._known[contract])

    def refresh(self) -> None:
        """Ask for a few contracts: the new ones, then those that were asked the longest ago.

        Raises Unavailable.
        """
        for contract in list(self._known)[:_AT_A_TIME]:
            with chain_answers():
                balance = self._w3.eth.get_balance(Web3.to_checksum_address(contract))
            self._known[contract] = balance >= VALUE_WEI
            self._known.move_to_end(contract)
