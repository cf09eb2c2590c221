export {
  type ConnectOptions,
  type EncryptedInput,
  FhevmClient,
  type PermitOptions,
  type PublicDecryption,
} from './client';
export type { Domains } from './eip712';
export * from './errors';
export { type Clock, Gateway } from './gateway';
export type { HostChain } from './host';
export { fingerprint, type PublicKeys } from './keys';
export { Permit, type StoredPermit } from './permits';
export { forgetKnown, type Memory } from './pins';
export type { Value } from './reading';
export { FheType, type Plaintext } from './types';
