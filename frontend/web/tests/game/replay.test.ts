import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { parseFleet, shipCells } from '../../src/lib/battleship/fleets';
import Replay from '../../src/pages/replay.svelte';
import { eventsOf, GAMES, type GameVector } from '../lib/battleship/games';
import { GUEST, HOST, summary } from '../summaries';
import { be, GameServer } from './server';

const vector = GAMES.find(
  ({ result, events }) =>
    result?.[0] === 'fair' && events.filter(([name]) => name === 'BoardRevealed').length === 2,
) as GameVector;
const START = vector.events.findIndex(([name]) => name === 'FirstSeatDrawn');

let page: ReturnType<typeof mount>;

async function show() {
  const events = eventsOf(vector.events).map((event) => ({
    ...event,
    transaction: '0x00' as const,
  }));
  const told = { kind: 'battleship', parameters: { size: vector.size }, phase: 'ended' } as const;
  const known = { players: [HOST, GUEST], outcome: 'won', winners: [0] } as const;
  await new GameServer(summary(3, { ...told, ...known } as never), events).install();
  page = mount(Replay, { target: document.body, props: { kind: 'battleship', id: '3' } });
  await vi.waitFor(() => {
    flushSync();
    if (!document.querySelector('.moves')) throw new Error('not there yet');
  });
}
afterEach(() => {
  void unmount(page);
  document.body.replaceChildren();
  be(null);
  vi.unstubAllGlobals();
});

const press = (key: string) => {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  flushSync();
};
const steps = () => document.querySelectorAll('.moves li').length;
const grids = () => [...document.querySelectorAll('[role=grid]')];
const named = (grid: Element | undefined, what: string) =>
  [...(grid?.querySelectorAll('[role=gridcell]') ?? [])].flatMap((cell, at) =>
    cell.ariaLabel?.endsWith(what) ? [at] : [],
  );
const ships = () => document.querySelectorAll('.ship').length;

function see(viewer: string) {
  const wanted = [...document.querySelectorAll('label')].find(
    (label) => label.textContent?.trim() === viewer,
  );
  wanted?.querySelector('input')?.click();
  flushSync();
}

/** How many fleets were public after each step. */
function revealed(): number[] {
  let count = 0;
  return vector.events.map(([name]) => {
    if (name === 'BoardRevealed') count += 1;
    return count;
  });
}

test('the public sees no ship before its reveal', async () => {
  await show();
  expect(steps()).toBe(vector.events.length - START);
  const fleet = parseFleet(vector.fleets[0]).length;
  const shown = revealed().slice(START);
  press('Home');
  for (const public_ of shown) {
    expect(ships()).toBe(public_ * fleet);
    press('ArrowRight');
  }
});

test('as a player who has shown their board knew it: their ships from the start, the other’s not', async () => {
  be(HOST);
  await show();
  see('You');
  press('Home');
  const fleet = parseFleet(vector.fleets[0]);
  expect(ships()).toBe(fleet.length);
  const [theirs, mine] = grids();
  const cells = fleet.flatMap((ship) => shipCells(ship, vector.size)).sort((a, b) => a - b);
  expect(named(mine, 'your ship')).toEqual(cells);
  expect(named(theirs, 'not fired at')).toHaveLength(vector.size ** 2);
});

test('a move that is picked is shown', async () => {
  await show();
  const moves = [...document.querySelectorAll<HTMLButtonElement>('.moves button')];
  moves[1]?.click();
  flushSync();
  expect(document.querySelector('.now')?.textContent).toContain(moves[1]?.textContent?.trim());
  expect(moves[1]?.getAttribute('aria-current')).toBe('step');
  press('End');
  expect(document.querySelector('[data-testid=result]')).not.toBeNull();
});
