"""Every error that this package raises.

FhevmError
├── ToolMissing            a pinned tool is not installed
├── LibraryMismatch        a library whose interface is bound by version is another version
├── CompilationFailed      the Solidity compiler refused
├── MalformedHandle        not a handle of the protocol
├── MalformedCiphertext    bytes that no backend wrote
├── MalformedKey           a damaged key file, or one of another role, version or key set
├── UnsupportedParameters  no keys of our form for the wanted failure probability
├── PlaintextOutOfRange    a value that its type cannot hold
├── UnknownBackend         no backend of that name
├── UnsupportedOperation   not an operator of the protocol, or not on these types
├── MalformedVectors       not a file of operator vectors
├── NoiseBudgetExceeded    a circuit that would decrypt wrongly: a bug here, never a user's mistake
├── ChainError             a local chain
│   └── ChainWasReset          it is not the chain that was followed before
├── HostError              the host contracts on a chain
│   ├── WrongChain             no deployment of the protocol is known for this chain id
│   ├── HostMissing            the chain has no host contracts
│   ├── HostForeign            the host contracts belong to somebody else's keys
│   ├── HostUnfunded           nobody on this chain can pay for the deployment
│   ├── DeploymentFailed       a step of the deployment reverted
│   └── ContractNotConfigured  a contract does not use this chain's host contracts
├── MalformedProof         not a signature, or not a proof of this protocol
├── SealingBroken          an HPKE message for another key or purpose, or changed
├── KeysDamaged            a key file is missing, changed or unreadable
│   └── KeysMismatched     key files that do not belong together, or to this backend
├── KeyChanged             a gateway shows another public key than before
├── ProofInvalid           an answer that the KMS or the gateway did not sign
├── RevertedWith           a contract's custom error, decoded
├── ServiceError           what the gateway and the KMS answer instead of a result
│   ├── MalformedRequest   a field is missing or wrong
│   ├── InputRefused       an encrypted input that is malformed, dishonest or not the sender's
│   ├── TooLarge           more bytes, bits, values or contracts than the limits
│   ├── SignatureRefused   signed by another account than the request names
│   ├── NotAllowed         the ACL does not let this account read this handle
│   ├── RequestExpired     signed for a time that is over
│   ├── RequestTooEarly    signed for a time to come
│   ├── UnknownHandle      no operation made this handle
│   ├── UnknownJob         no such job, or answered long ago
│   ├── TooManyRequests    as many as may wait do so already
│   ├── NotComputedYet     the ciphertext did not come in time
│   ├── ComputationFailed  the operation behind the handle failed
│   └── Unavailable        the chain, the KMS or the gateway cannot be reached
"""


class FhevmError(Exception):
    """Root of this package's errors."""


class ToolMissing(FhevmError):
    """A tool that the lock files pin is not installed."""

    def __init__(self, tool: str) -> None:
        super().__init__(f"not installed: {tool}")


class LibraryMismatch(FhevmError):
    """A library whose binary interface is bound has another version than the one bound."""

    def __init__(self, package: str, found: str, wanted: str) -> None:
        super().__init__(f"{package} {found} is installed, but {wanted} is needed")


class CompilationFailed(FhevmError):
    """The Solidity compiler refused; the message holds its words."""


class MalformedHandle(FhevmError):
    """Something that is no handle of the protocol."""

    def __init__(self, found: object) -> None:
        super().__init__(f"not a handle: {_shown(found)}")


def _shown(found: object) -> str:
    """A little of bytes or text; of anything else its type alone, whatever its size."""
    if isinstance(found, bytes):
        return found[:40].hex() or "empty"
    if isinstance(found, str):
        return found[:80].encode("ascii", "backslashreplace").decode() or "empty"
    return type(found).__name__


class MalformedCiphertext(FhevmError):
    """Bytes that are no ciphertext of this backend, or have the wrong length."""


class HostError(FhevmError):
    """Something about the host contracts on a chain."""


class WrongChain(HostError):
    """The protocol has no deployment on a chain with this id, or not the one asked for."""

    def __init__(self, found: int, wanted: str) -> None:
        super().__init__(f"the chain's id is {found}, not {wanted}")


class HostMissing(HostError):
    """The chain has no host contracts at the protocol's addresses."""

    def __init__(self, chain_id: int, address: str) -> None:
        super().__init__(f"no host contracts on chain {chain_id}: nothing at {address}")


class HostForeign(HostError):
    """The host contracts are owned or signed for by keys other than the given ones."""

    def __init__(self, what: str, found: str, wanted: str) -> None:
        super().__init__(f"this chain's host contracts have {what} {found}, not {wanted}")


class HostUnfunded(HostError):
    """No unlocked account of the chain can pay for the deployment."""

    def __init__(self, account: str, wei: int) -> None:
        super().__init__(f"send {wei} wei to {account}: no unlocked account can")


class DeploymentFailed(HostError):
    """One transaction of the deployment reverted."""

    def __init__(self, step: str) -> None:
        super().__init__(f"the host deployment stopped at: {step}")


class ContractNotConfigured(HostError):
    """A contract's coprocessor is not this chain's: `ZamaEthereumConfig` was not inherited."""

    def __init__(self, contract: str, found: str) -> None:
        super().__init__(f"contract {contract} is not configured: its ACL is {found}")


class UnknownBackend(FhevmError):
    """No backend of that name."""


class MalformedProof(FhevmError):
    """Bytes that are no signature, or no proof of this protocol."""


class SealingBroken(FhevmError):
    """An HPKE message that was made for another key or purpose, or was changed."""


class KeysDamaged(FhevmError):
    """A key file is missing, changed or unreadable. Nothing replaces it silently."""


class KeysMismatched(KeysDamaged):
    """Key files that do not belong together, or were made by another backend."""


class KeyChanged(FhevmError):
    """A gateway shows another public key than the one that was seen or pinned."""


class ProofInvalid(FhevmError):
    """A decryption result that the KMS did not sign."""


class RevertedWith(FhevmError):
    """A contract's custom error: `name` and `arguments`."""

    def __init__(self, name: str, arguments: tuple[object, ...] = ()) -> None:
        super().__init__(f"{name}({', '.join(map(str, arguments))})")
        self.name = name
        self.arguments = arguments


class ServiceError(FhevmError):
    """What the gateway and the KMS answer instead of a result; one line that is safe to show."""


class MalformedRequest(ServiceError):
    """A field of the request is missing or wrong."""


class InputRefused(ServiceError):
    """An encrypted input that is malformed, dishonest, or made for another contract or user."""


class TooLarge(ServiceError):
    """More bytes, bits, values or contracts than the limits."""


class SignatureRefused(ServiceError):
    """The request was signed by another account than it names, or for other contents."""


class NotAllowed(ServiceError):
    """The ACL does not let this account read this handle; the message says which `allow` is missing."""


class RequestExpired(ServiceError):
    """The time that the request was signed for is over."""


class RequestTooEarly(ServiceError):
    """The time that the request was signed for has not begun."""


class UnknownHandle(ServiceError):
    """No operation made this handle, and no input."""


class UnknownJob(ServiceError):
    """No such job, or its result was kept long enough."""


class TooManyRequests(ServiceError):
    """As many requests as may wait, for a value or in all, do so already; ask again later."""


class NotComputedYet(ServiceError):
    """The ciphertext did not come in time; ask again."""


class ComputationFailed(ServiceError):
    """The operation behind the handle failed."""


class Unavailable(ServiceError):
    """The chain, the KMS or the gateway cannot be reached."""


class ChainError(FhevmError):
    """Something about a local chain."""


class MalformedKey(FhevmError):
    """A damaged key file, or one of another role, version or key set."""


class UnsupportedParameters(FhevmError):
    """No keys of our form reach the wanted failure probability."""


class PlaintextOutOfRange(FhevmError):
    """A value that its type cannot hold. The message does not repeat the value: it may be secret."""

    def __init__(self, fhe_type: object) -> None:
        super().__init__(f"value out of range for {fhe_type}")


class UnsupportedOperation(FhevmError):
    """Not an operator of the protocol, or not on these types."""

    def __init__(self, what: str) -> None:
        super().__init__(f"unsupported operation: {what}")


class MalformedVectors(FhevmError):
    """Not a file of operator vectors."""


class NoiseBudgetExceeded(FhevmError):
    """A circuit that would decrypt wrongly: a bug in this package, never a user's mistake."""


class ChainWasReset(ChainError):
    """The chain is another than the one that the stored ciphertexts belong to."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"the chain was reset: {what}; start with an empty coprocessor store to follow the new one"
        )
