import { UnknownBackend } from '../errors';
import { InsecureClearEncryptor } from './clear';
import { ConcreteEncryptor } from './concrete';
import type { Encryptor } from './encryptor';

/** The encryptor of the backend of that name. Throws UnknownBackend, MalformedKey. */
export function loadEncryptor(backend: string, key: Uint8Array): Encryptor {
  if (backend === 'concrete') return new ConcreteEncryptor(key);
  if (backend === 'clear') return new InsecureClearEncryptor(key);
  throw new UnknownBackend(`no backend ${backend}`);
}
