/** The vector files that every implementation must agree with. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// biome-ignore lint/suspicious/noExplicitAny: each test knows the form of its own file
export type Vector = Record<string, any>;

export function vectors(name: string): Vector {
  return JSON.parse(readFileSync(join('../../tests/vectors', `${name}.json`), 'utf8'));
}
