/**
 * Every error of this folder. Names and meanings are those of the Python package `fhevm`; `InsecurePage`
 * and `BrowserTooOld` are the page's own.
 *
 * FhevmError
 * ├── InsecurePage           the page is neither https nor localhost: browsers give it no cryptography
 * ├── BrowserTooOld          the browser does not know X25519
 * ├── MalformedHandle        not a handle of the protocol
 * ├── MalformedKey           a damaged FHE key, or one of another role or version
 * ├── PlaintextOutOfRange    a value that its type cannot hold
 * ├── UnknownBackend         no backend of that name
 * ├── HostError              the host contracts on a chain
 * │   ├── WrongChain             no deployment of the protocol is known for this chain id
 * │   ├── HostMissing            the chain has no host contracts
 * │   └── HostForeign            the host contracts take other signers or gateways
 * ├── MalformedProof         not a signature of this protocol
 * ├── SealingBroken          an HPKE message for another key or purpose, or changed
 * ├── KeysDamaged            the gateway's key material is unreadable
 * ├── KeyChanged             the gateway shows another public key than before
 * ├── ProofInvalid           an answer that the KMS or the gateway did not sign
 * └── ServiceError           what the gateway and the KMS answer instead of a result
 *     ├── MalformedRequest   a field is missing or wrong
 *     ├── InputRefused       an encrypted input that is malformed, dishonest or not the sender's
 *     ├── TooLarge           more bytes, bits, values or contracts than the limits
 *     ├── SignatureRefused   signed by another account than the request names
 *     ├── NotAllowed         the ACL does not let this account read this handle
 *     ├── RequestExpired     signed for a time that is over
 *     ├── RequestTooEarly    signed for a time to come
 *     ├── UnknownHandle      no operation made this handle
 *     ├── UnknownJob         no such job, or answered long ago
 *     ├── TooManyRequests    as many as may wait do so already
 *     ├── NotComputedYet     the ciphertext did not come in time
 *     ├── ComputationFailed  the operation behind the handle failed
 *     └── Unavailable        the chain, the KMS or the gateway cannot be reached
 *
 * No message repeats a secret.
 */
import { nameErrors } from '../errors';

export class FhevmError extends Error {}

export class InsecurePage extends FhevmError {
  constructor() {
    super('browsers encrypt only on pages at https:// or localhost');
  }
}
export class BrowserTooOld extends FhevmError {
  constructor() {
    super('this browser does not know X25519; a newer one does');
  }
}
export class MalformedHandle extends FhevmError {
  constructor(text: string) {
    super(`not a handle: ${text.slice(0, 80) || 'empty'}`);
  }
}
export class MalformedKey extends FhevmError {}
export class PlaintextOutOfRange extends FhevmError {
  constructor() {
    super('a value that its type cannot hold');
  }
}
export class UnknownBackend extends FhevmError {}

export class HostError extends FhevmError {}
export class WrongChain extends HostError {}
export class HostMissing extends HostError {}
export class HostForeign extends HostError {}

export class MalformedProof extends FhevmError {}
export class SealingBroken extends FhevmError {}
export class KeysDamaged extends FhevmError {}
export class KeyChanged extends FhevmError {}
export class ProofInvalid extends FhevmError {}

export class ServiceError extends FhevmError {}
export class MalformedRequest extends ServiceError {}
export class InputRefused extends ServiceError {}
export class TooLarge extends ServiceError {}
export class SignatureRefused extends ServiceError {}
export class NotAllowed extends ServiceError {}
export class RequestExpired extends ServiceError {}
export class RequestTooEarly extends ServiceError {}
export class UnknownHandle extends ServiceError {}
export class UnknownJob extends ServiceError {}
export class TooManyRequests extends ServiceError {}
export class NotComputedYet extends ServiceError {}
export class ComputationFailed extends ServiceError {}
export class Unavailable extends ServiceError {}

/** What the gateway may refuse a request with, by the label that it answers. */
export const SERVICE_ERRORS = {
  MalformedRequest,
  InputRefused,
  TooLarge,
  SignatureRefused,
  NotAllowed,
  RequestExpired,
  RequestTooEarly,
  UnknownHandle,
  UnknownJob,
  TooManyRequests,
  NotComputedYet,
  ComputationFailed,
  Unavailable,
};

nameErrors({
  ...SERVICE_ERRORS,
  FhevmError,
  InsecurePage,
  BrowserTooOld,
  MalformedHandle,
  MalformedKey,
  PlaintextOutOfRange,
  UnknownBackend,
  HostError,
  WrongChain,
  HostMissing,
  HostForeign,
  MalformedProof,
  SealingBroken,
  KeysDamaged,
  KeyChanged,
  ProofInvalid,
  ServiceError,
});
