import { UnknownBackend } from '../errors.ts';
import { InsecureClearEncryptor } from './clear.ts';
import { ConcreteEncryptor } from './concrete.ts';
import type { Encryptor } from './encryptor.ts';

/** The encryptor of the backend of that name. Throws UnknownBackend, MalformedKey. */
export function loadEncryptor(backend: string, key: Uint8Array): Encryptor {
  if (backend === 'concrete') return new ConcreteEncryptor(key);
  if (backend === 'clear') return new InsecureClearEncryptor(key);
  throw new UnknownBackend(`no backend ${backend}`);
}
