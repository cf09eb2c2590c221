import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import FleetPlacer from '../../src/board/FleetPlacer.svelte';
import { checkFleet, type Fleet, kindLength } from '../../src/lib/battleship/fleets';
import { speak } from '../../src/lib/i18n';

const SIZE = 10;
const CELL = 30;
let placer: ReturnType<typeof mount>;
const onReady = vi.fn<(fleet: Fleet) => void>();

beforeAll(() => speak('en'));
beforeEach(() => {
  onReady.mockReset();
  placer = mount(FleetPlacer, { target: document.body, props: { size: SIZE, onReady } });
  flushSync();
  const box = { left: 0, top: 0, width: SIZE * CELL, height: SIZE * CELL } as DOMRect;
  waters().getBoundingClientRect = () => box;
});
afterEach(() => {
  void unmount(placer);
  document.body.replaceChildren();
});

const waters = () => document.querySelector<HTMLElement>('.waters') as HTMLElement;
const ships = () => [...waters().querySelectorAll('button')];
const ship = (index: number) => ships()[index] as HTMLButtonElement;
const fleet = () => onReady.mock.lastCall?.[0] as Fleet;
const at = (index: number) => fleet()[index] as Fleet[number];

function press(key: string, index: number) {
  ship(index).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  flushSync();
}

function point(kind: string, index: number, x: number, y: number) {
  const given = { clientX: (x + 0.5) * CELL, clientY: (y + 0.5) * CELL, bubbles: true, button: 0 };
  ship(index).dispatchEvent(new MouseEvent(kind, given));
  flushSync();
}

/** Columns and rows that ship `index` could be carried to on this board, if it were alone. */
function freeSpot(index: number): { x: number; y: number } {
  const others = fleet().filter((_, other) => other !== index);
  for (let cell = 0; cell < SIZE * SIZE; cell++) {
    const there = { ...at(index), x: cell % SIZE, y: Math.floor(cell / SIZE) };
    if (there.x === at(index).x && there.y === at(index).y) continue;
    try {
      checkFleet(SIZE, [...others, there]);
      return there;
    } catch {
      // taken, or over the edge
    }
  }
  throw new Error('no room');
}

test('a whole fleet stands at once, each ship named', () => {
  expect(checkFleet(SIZE, fleet())).toEqual(fleet());
  expect(ships()).toHaveLength(5);
  const { x, y, kind } = at(0);
  const name = ship(0).ariaLabel ?? '';
  expect(name).toContain('Carrier');
  expect(name).toContain(`${kindLength(kind)} cells`);
  expect(name).toContain(`${String.fromCharCode(97 + x)}${y + 1}`);
});

test('arrows move the ship with the focus, R turns it', () => {
  const before = at(4);
  press('ArrowLeft', 4);
  press('ArrowRight', 4);
  press('r', 4);
  expect(at(4).vertical).toBe(!before.vertical);
  expect(checkFleet(SIZE, fleet())).toEqual(fleet());
  expect(document.querySelector('[role=status]')?.textContent).toBe(ship(4).ariaLabel);
});

test('a ship is carried by the pointer, also by its end', () => {
  const { x, y, vertical } = at(0);
  const there = freeSpot(0);
  const [dx, dy] = vertical ? [0, 2] : [2, 0];
  point('pointerdown', 0, x + dx, y + dy);
  point('pointermove', 0, there.x + dx, there.y + dy);
  point('pointerup', 0, there.x + dx, there.y + dy);
  expect(at(0)).toMatchObject({ x: there.x, y: there.y, vertical });
});

test('where there is no room it goes back', () => {
  const before = fleet();
  const { x, y } = at(0);
  point('pointerdown', 0, x, y);
  point('pointermove', 0, x + SIZE, y);
  expect(document.querySelector('.preview.illegal')).not.toBeNull();
  point('pointerup', 0, x + SIZE, y);
  expect(fleet()).toEqual(before);
});

test('a tap turns it, a broken-off drag does nothing', () => {
  const { x, y, vertical } = at(4);
  point('pointerdown', 4, x, y);
  point('pointercancel', 4, x, y);
  expect(at(4)).toMatchObject({ x, y, vertical });
  point('pointerdown', 4, x, y);
  point('pointerup', 4, x, y);
  expect(at(4).vertical).toBe(!vertical);
});

test('shuffle places all anew', () => {
  const before = onReady.mock.calls.length;
  document.querySelector<HTMLButtonElement>('.button')?.click();
  flushSync();
  expect(onReady.mock.calls.length).toBe(before + 1);
  expect(checkFleet(SIZE, fleet())).toEqual(fleet());
});
