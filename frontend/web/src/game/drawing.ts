/** The draw of the first seat, which anybody may settle. */
import type { Summary } from '../lib/api';
import type { Owed } from './duty.svelte';
import type { GameStore } from './store.svelte';

const DRAW_GRACE = 5_000;

/** Null until the hash of the target block is known. */
export function drawOwed(store: GameStore, { id, mark }: Summary): Owed | null {
  if (store.block.number <= mark) return null;
  const work = async () => {
    const client = await store.client();
    await client.settleDrawIfDue(await client.game(id));
  };
  return { name: `draw ${mark}`, grace: DRAW_GRACE, work };
}
