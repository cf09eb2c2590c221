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
 * `name` is spelled out in each, since a bundler renames classes. No message repeats a secret.
 */
export class FhevmError extends Error {
  override readonly name: string = 'FhevmError';
}

export class InsecurePage extends FhevmError {
  override readonly name = 'InsecurePage';
  constructor() {
    super('browsers encrypt only on pages at https:// or localhost');
  }
}
export class BrowserTooOld extends FhevmError {
  override readonly name = 'BrowserTooOld';
  constructor() {
    super('this browser does not know X25519; a newer one does');
  }
}
export class MalformedHandle extends FhevmError {
  override readonly name = 'MalformedHandle';
  constructor(text: string) {
    super(`not a handle: ${text.slice(0, 80) || 'empty'}`);
  }
}
export class MalformedKey extends FhevmError {
  override readonly name = 'MalformedKey';
}
export class PlaintextOutOfRange extends FhevmError {
  override readonly name = 'PlaintextOutOfRange';
  constructor() {
    super('a value that its type cannot hold');
  }
}
export class UnknownBackend extends FhevmError {
  override readonly name = 'UnknownBackend';
}

export class HostError extends FhevmError {
  override readonly name: string = 'HostError';
}
export class WrongChain extends HostError {
  override readonly name = 'WrongChain';
}
export class HostMissing extends HostError {
  override readonly name = 'HostMissing';
}
export class HostForeign extends HostError {
  override readonly name = 'HostForeign';
}

export class MalformedProof extends FhevmError {
  override readonly name = 'MalformedProof';
}
export class SealingBroken extends FhevmError {
  override readonly name = 'SealingBroken';
}
export class KeysDamaged extends FhevmError {
  override readonly name = 'KeysDamaged';
}
export class KeyChanged extends FhevmError {
  override readonly name = 'KeyChanged';
}
export class ProofInvalid extends FhevmError {
  override readonly name = 'ProofInvalid';
}

export class ServiceError extends FhevmError {
  override readonly name: string = 'ServiceError';
}
export class MalformedRequest extends ServiceError {
  override readonly name = 'MalformedRequest';
}
export class InputRefused extends ServiceError {
  override readonly name = 'InputRefused';
}
export class TooLarge extends ServiceError {
  override readonly name = 'TooLarge';
}
export class SignatureRefused extends ServiceError {
  override readonly name = 'SignatureRefused';
}
export class NotAllowed extends ServiceError {
  override readonly name = 'NotAllowed';
}
export class RequestExpired extends ServiceError {
  override readonly name = 'RequestExpired';
}
export class RequestTooEarly extends ServiceError {
  override readonly name = 'RequestTooEarly';
}
export class UnknownHandle extends ServiceError {
  override readonly name = 'UnknownHandle';
}
export class UnknownJob extends ServiceError {
  override readonly name = 'UnknownJob';
}
export class TooManyRequests extends ServiceError {
  override readonly name = 'TooManyRequests';
}
export class NotComputedYet extends ServiceError {
  override readonly name = 'NotComputedYet';
}
export class ComputationFailed extends ServiceError {
  override readonly name = 'ComputationFailed';
}
export class Unavailable extends ServiceError {
  override readonly name = 'Unavailable';
}
