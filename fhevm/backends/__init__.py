"""Backends: `clear` computes in the clear at once (insecure, for tests), `concrete` on TFHE ciphertexts."""

from fhevm.backends.base import Backend
from fhevm.errors import UnknownBackend

NAMES = ("clear", "concrete")


def get_backend(name: str) -> Backend:
    """The backend of that name. Raises UnknownBackend."""
    if name == "clear":
        from fhevm.backends.clear import InsecureClearBackend

        return InsecureClearBackend()
    if name == "concrete":
        from fhevm.backends.concrete import ConcreteBackend  # numpy and the library: slow to load

        return ConcreteBackend()
    raise UnknownBackend(f"no backend {name!r}: {' or '.join(NAMES)}")
