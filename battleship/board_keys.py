"""From a wallet alone to every board that it committed: seeds, and placements under seal.

One EIP-712 signature of the player for each deployment (its id is random, so a chain that was reset asks
for another) gives a secret, by HKDF-SHA-256 (RFC 5869):

    secret = HKDF(r ‖ s of the signature, salt = deployment id, info = "fogbound battleship")
    seed   = HKDF(secret, salt = fresh, info = "seed" ‖ nonce, 8 bytes)
    pad    = HKDF(secret, salt = root, info = "seal" ‖ nonce, 8 bytes)
    sealed = pad ⊕ (placement ‖ fresh)                                     16 + 16 bytes

`fresh` is 16 random bytes for each commitment. So no two commitments share a seed, not even where a nonce
is used again (two tabs at once, a chain set back); and no pad serves two texts, since the root differs.
Only `sealed` is published. That it opens rightly, the root shows.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from Crypto.Hash import SHA256
from Crypto.Protocol.KDF import HKDF
from eth_account.signers.local import LocalAccount

from battleship.commitment import PLACEMENT_BYTES, Commitment, GameKey, pack_fleet
from battleship.errors import BattleshipError, PlacementLost
from battleship.fleets import Ship, check_fleet

WARNING = (
    "Whoever has this signature sees all my boards at this contract. I sign it only in a Battleship "
    "client that I trust."
)
FRESH_BYTES = 16
SIGNATURE_BYTES = 65  # r, s, v
Signer = Callable[[dict[str, Any]], bytes]
Entropy = Callable[[int], bytes]


@dataclass(frozen=True, repr=False)
class BoardKeys:
    """One player's secret (32 bytes) at one deployment.

    `recoverable`: the wallet gives it again; if not, it is random and its owner must keep it.
    """

    secret: bytes
    recoverable: bool

    @classmethod
    def from_wallet(
        cls, sign: Signer, chain_id: int, contract: str, deployment: bytes
    ) -> "BoardKeys":
        """Sign twice and compare: not every wallet (passkeys, many parties) signs the same way again.

        `sign` takes EIP-712 data (as a wallet's eth_signTypedData_v4) and gives 65 bytes. A smart account
        gives more: its signature begins with words that everybody can guess.
        """
        message = typed_data(chain_id, contract, deployment)
        first, second = (bytes(sign(message)) for _ in range(2))
        if first != second or len(first) != SIGNATURE_BYTES:
            return cls(secrets.token_bytes(32), recoverable=False)
        return cls(_derive(first[:64], deployment, b"fogbound battleship"), recoverable=True)

    def commit(
        self, game_key: GameKey, fleet: tuple[Ship, ...], entropy: Entropy = secrets.token_bytes
    ) -> tuple[Commitment, bytes]:
        """A new commitment to a fleet, and the sealed placement that is published beside its root.

        Raises IllegalFleet. `entropy` must never give the same bytes twice where boards matter.
        """
        fresh = entropy(FRESH_BYTES)
        placement = pack_fleet(check_fleet(game_key.size, fleet))
        commitment = Commitment(game_key, placement, self._seed(game_key.nonce, fresh))
        pad = self._pad(game_key.nonce, commitment.root)
        return commitment, _xor(pad, placement + fresh)

    def recover(self, game_key: GameKey, root: bytes, sealed: bytes) -> Commitment:
        """The commitment with this root, from what was published. Raises PlacementLost."""
        opened = _xor(self._pad(game_key.nonce, root), sealed)
        placement, fresh = opened[:PLACEMENT_BYTES], opened[PLACEMENT_BYTES:]
        commitment = Commitment(game_key, placement, self._seed(game_key.nonce, fresh))
        try:
            if commitment.root == root:
                return commitment
        except BattleshipError:
            pass
        raise PlacementLost(f"commitment {game_key.nonce} was not made with these board keys")

    def _seed(self, nonce: int, fresh: bytes) -> bytes:
        return _derive(self.secret, fresh, b"seed" + nonce.to_bytes(8))

    def _pad(self, nonce: int, root: bytes) -> bytes:
        return _derive(self.secret, root, b"seal" + nonce.to_bytes(8))


def typed_data(chain_id: int, contract: str, deployment: bytes) -> dict[str, Any]:
    """What the player signs, as EIP-712 data."""
    return {
        "domain": {
            "name": "Fogbound Battleship",
            "version": "1",
            "chainId": chain_id,
            "verifyingContract": contract,
        },
        "primaryType": "BoardKeys",
        "types": {
            "EIP712Domain": [
                {"name": "name", "type": "string"},
                {"name": "version", "type": "string"},
                {"name": "chainId", "type": "uint256"},
                {"name": "verifyingContract", "type": "address"},
            ],
            "BoardKeys": [
                {"name": "warning", "type": "string"},
                {"name": "deployment", "type": "bytes32"},
            ],
        },
        "message": {"warning": WARNING, "deployment": deployment},
    }


def account_signer(account: LocalAccount) -> Signer:
    """A signer for `from_wallet` that is a key of this process (it signs deterministically)."""
    return lambda message: bytes(account.sign_typed_data(full_message=message).signature)


def _derive(secret: bytes, salt: bytes, info: bytes) -> bytes:
    derived: Any = HKDF(secret, 32, salt, SHA256, context=info)
    return bytes(derived)


def _xor(one: bytes, two: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, two, strict=True))
