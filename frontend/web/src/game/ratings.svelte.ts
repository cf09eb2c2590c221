/** Ratings of the players at the table, each fetched once. */

import { SvelteMap } from 'svelte/reactivity';
import type { Address } from 'viem';
import { api, type Kind } from '../lib/api';

const ratings = new SvelteMap<string, number | null>();

/** The player's rating, null while there is none. */
export function rating(kind: Kind, address: Address): number | null {
  return ratings.get(`${kind} ${address}`) ?? null;
}

/** Fetch the rating of `address` unless it is known. */
export async function learnRating(kind: Kind, address: Address): Promise<void> {
  const key = `${kind} ${address}`;
  if (ratings.has(key)) return;
  ratings.set(key, null);
  try {
    const { kinds } = await api.player(address);
    ratings.set(key, kinds[kind]?.rating?.value ?? null);
  } catch {
    ratings.delete(key); // a game can be played without it
  }
}
