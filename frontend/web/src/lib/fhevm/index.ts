export {
  type ConnectOptions,
  type EncryptedInput,
  FhevmClient,
  type PermitOptions,
  type PublicDecryption,
} from './client.ts';
export type { Domains } from './eip712.ts';
export * from './errors.ts';
export { type Clock, Gateway } from './gateway.ts';
export { fingerprint, type PublicKeys } from './keys.ts';
export { Permit, type StoredPermit } from './permits.ts';
export { forgetKnown, type Memory } from './pins.ts';
export type { Value } from './reading.ts';
export { FheType, type Plaintext } from './types.ts';
