/** The event vectors, and the rules that each is replayed by. */
import { RULES as BATTLESHIP } from '../../../src/lib/battleship/table';
import { RULES as BUNKERWAR } from '../../../src/lib/bunkerwar/table';
import type { Terms } from '../../../src/lib/table/fold';
import { Refused } from '../../../src/lib/table/refused';
import { type Placed, type Rules, replay } from '../../../src/lib/table/replay';
import { type Vector, vectors } from '../../vectors';
import { RACE, SANDBOX } from './rules';

const RULES = { sandbox: SANDBOX, race: RACE, bunkerwar: BUNKERWAR, battleship: BATTLESHIP };
export const FILES = ['table', 'bunkerwar', 'battleship'].map((name) => vectors(`events-${name}`));

export function rulesOf(vector: Vector): Rules<unknown> {
  return RULES[vector.rules as keyof typeof RULES] as Rules<unknown>;
}

/** Why a sequence is refused; null where it is not. */
export function code(events: readonly Placed[], vector: Vector, terms: Terms): string | null {
  try {
    replay(events, rulesOf(vector), terms);
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
}
