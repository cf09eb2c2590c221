"""The real backend: TFHE ciphertexts on Concrete's CPU library.

Layers, lowest first: `library` (binding) · `parameters`, `keys`, `ring` (key sets, inputs) · `blocks`,
`lookup` (digits, bootstraps) · `carries`, `circuits/` (operators) · `operators` (by name) · `evaluator`,
`decryptor`, `encryptor` (the roles).
"""

from fhevm.backends.base import FheKeys
from fhevm.backends.concrete import keys
from fhevm.backends.concrete.decryptor import ConcreteDecryptor
from fhevm.backends.concrete.encryptor import ConcreteEncryptor
from fhevm.backends.concrete.evaluator import ConcreteEvaluator


class ConcreteBackend:
    """See `base.Backend`."""

    name = "concrete"

    def generate_keys(self, seed: bytes | None = None) -> FheKeys:
        """See `base.Backend`. Takes about three seconds, one of them to load Concrete's optimizer."""
        return keys.generate(seed)

    def encryptor(self, public: bytes) -> ConcreteEncryptor:
        """See `base.Backend`. Raises MalformedKey."""
        return ConcreteEncryptor(public)

    def evaluator(self, evaluation: bytes) -> ConcreteEvaluator:
        """See `base.Backend`. Raises MalformedKey."""
        return ConcreteEvaluator(evaluation)

    def decryptor(self, secret: bytes) -> ConcreteDecryptor:
        """See `base.Backend`. Raises MalformedKey."""
        return ConcreteDecryptor(secret)
