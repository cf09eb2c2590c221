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
from fhevm.backends.concrete.parameters import DEFAULT_P_ERROR, optimize


class ConcreteBackend:
    """See `base.Backend`.

    `p_error` is the probability that one look-up, at the full noise budget, gives a wrong value; only key
    generation uses it. Down to 2^-80 (2^-64 is 40 % faster): see `parameters.optimize`.
    """

    name = "concrete"

    def __init__(self, p_error: float = DEFAULT_P_ERROR) -> None:
        self._p_error = p_error

    def generate_keys(self, seed: bytes | None = None) -> FheKeys:
        """See `base.Backend`. About four seconds, one of them to load Concrete's optimizer.

        Raises UnsupportedParameters.
        """
        return keys.generate(seed, optimize(self._p_error))

    def encryptor(self, public: bytes) -> ConcreteEncryptor:
        """See `base.Backend`. Raises MalformedKey."""
        return ConcreteEncryptor(public)

    def evaluator(self, evaluation: bytes) -> ConcreteEvaluator:
        """See `base.Backend`. Raises MalformedKey."""
        return ConcreteEvaluator(evaluation)

    def decryptor(self, secret: bytes) -> ConcreteDecryptor:
        """See `base.Backend`. Raises MalformedKey."""
        return ConcreteDecryptor(secret)
