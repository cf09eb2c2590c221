import { describe, expect, test } from 'vitest';
import * as battleship from '../../src/lib/battleship/errors';
import * as bunkerwar from '../../src/lib/bunkerwar/errors';
import * as chain from '../../src/lib/chain/errors';
import { nameErrors } from '../../src/lib/errors';
import * as fhevm from '../../src/lib/fhevm/errors';

/** The classes of errors that a module exports, by name. */
function classesOf(module: object): [string, { prototype: Error }][] {
  return Object.entries(module).filter(([, value]) => value.prototype instanceof Error);
}

test('an error is called by the key of its class, whatever the class is called', () => {
  const Short = class a extends Error {};
  nameErrors({ LongName: Short });
  expect(new Short('why').name).toBe('LongName');
  expect(String(new Short('why'))).toBe('LongName: why');
});

describe.each(Object.entries({ battleship, bunkerwar, chain, fhevm }))(
  'the tree of %s',
  (_, module) => {
    test('names every class', () => {
      const classes = classesOf(module);
      expect(classes.length).toBeGreaterThan(10);
      expect(classes.filter(([name, { prototype }]) => prototype.name !== name)).toEqual([]);
    });
  },
);
