"""Permits: one signature of a reader that many reads can use, and the key that opens the answers."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from eth_account.signers.local import LocalAccount
from eth_utils.address import to_checksum_address

from fhevm import hpke
from fhevm.eip712 import Domains, sign
from fhevm.wire import HandleContractPair, UserDecryptRequest


@dataclass(frozen=True)
class Permit:
    """The right to read through `contracts` from `start` (seconds) for `days`, signed by `user`.

    With a `delegator`, the values are theirs. Keep the private key: without it no answer opens.
    """

    user: str
    delegator: str | None
    contracts: tuple[str, ...]
    start: int
    days: int
    public_key: bytes
    signature: bytes
    private_key: bytes = field(repr=False)

    @classmethod
    def sign(
        cls,
        account: LocalAccount,
        domains: Domains,
        contracts: Sequence[str],
        *,
        start: int,
        days: int,
        delegator: str | None = None,
    ) -> Self:
        """A new key pair, and `account`'s signature for its public half."""
        private_key = secrets.token_bytes(hpke.KEY_BYTES)
        public_key = hpke.public_key(private_key)
        named = tuple(to_checksum_address(contract) for contract in contracts)
        message = domains.user_decrypt_request(public_key, named, start, days, delegator)
        signature = sign(message, bytes(account.key))
        return cls(
            account.address, delegator, named, start, days, public_key, signature, private_key
        )

    def request(self, pairs: Sequence[HandleContractPair], chain_id: int) -> UserDecryptRequest:
        """The request for these handles. Raises TooLarge, MalformedRequest."""
        validity = {"start_timestamp": self.start, "duration_days": self.days}
        return UserDecryptRequest.parse(
            {
                "handle_contract_pairs": tuple(pairs),
                "request_validity": validity,
                "contracts_chain_id": chain_id,
                "contract_addresses": self.contracts,
                "user_address": self.user,
                "delegator_address": self.delegator,
                "public_key": self.public_key,
                "signature": self.signature,
            }
        )
