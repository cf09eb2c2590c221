"""Every error that this package raises.

FhevmError
├── ToolMissing            a pinned tool is not installed
├── CompilationFailed      the Solidity compiler refused
├── MalformedHandle        not a handle of the protocol
├── MalformedCiphertext    bytes that no backend wrote
"""


class FhevmError(Exception):
    """Root of this package's errors."""


class ToolMissing(FhevmError):
    """A tool that the lock files pin is not installed."""

    def __init__(self, tool: str) -> None:
        super().__init__(f"not installed: {tool}")


class CompilationFailed(FhevmError):
    """The Solidity compiler refused; the message holds its words."""


class MalformedHandle(FhevmError):
    """Bytes that are no handle of the protocol."""

    def __init__(self, raw: bytes) -> None:
        super().__init__(f"not a handle: {raw.hex()[:80] or 'empty'}")


class MalformedCiphertext(FhevmError):
    """Bytes that are no ciphertext of this backend, or have the wrong length."""
