import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import Board from '../../src/board/Board.svelte';
import type { Cell } from '../../src/board/types';

const CELLS: Cell[] = Array.from({ length: 6 }, (_, index) => ({
  name: `cell ${index}`,
  mark: index === 1 ? 'hit' : undefined,
  playable: index !== 1,
}));

let board: ReturnType<typeof mount> | undefined;

function show(props: Partial<Parameters<typeof Board>[1]> = {}) {
  const given = { name: 'Waters', rows: 2, columns: 3, cells: CELLS, ...props };
  board = mount(Board, { target: document.body, props: given });
  flushSync();
}

afterEach(() => {
  if (board) void unmount(board);
  document.body.replaceChildren();
});

const cells = () => [...document.querySelectorAll<HTMLElement>('[role=gridcell]')];
const cell = (index: number) => cells()[index] as HTMLElement;

function press(key: string, held: KeyboardEventInit = {}) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held });
  (document.activeElement as HTMLElement).dispatchEvent(event);
  flushSync();
  return event;
}

test('a grid of rows and named cells', () => {
  show();
  expect(document.querySelector('[role=grid]')?.getAttribute('aria-label')).toBe('Waters');
  expect(document.querySelectorAll('[role=row]')).toHaveLength(2);
  expect(cells().map((each) => each.ariaLabel)).toEqual(CELLS.map(({ name }) => name));
  expect(cell(1).querySelector('[data-mark=hit]')).not.toBeNull();
});

test('one cell is in the tab order, and arrows carry it along', () => {
  show();
  const inOrder = () => cells().flatMap((each, at) => (each.tabIndex === 0 ? [at] : []));
  expect(inOrder()).toEqual([0]);
  cell(0).focus();
  const event = press('ArrowDown');
  expect(event.defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(cell(3));
  press('End');
  expect(document.activeElement).toBe(cell(5));
  expect(inOrder()).toEqual([5]);
});

test('only playable cells are chosen', () => {
  const onchoose = vi.fn();
  show({ onchoose });
  cell(1).click();
  expect(cell(1).ariaDisabled).toBe('true');
  cell(4).click();
  expect(onchoose.mock.calls).toEqual([[4]]);
});

test('keys that move nothing go to the host, with their cell', () => {
  const onkey = vi.fn();
  show({ onkey });
  cell(2).focus();
  press('b');
  press('ArrowLeft');
  expect(onkey.mock.calls.map(([event, index]) => [event.key, index])).toEqual([['b', 2]]);
});

test('the button of a line tells its number; disabled ones do not', () => {
  const onedge = vi.fn();
  const buttons = [
    { name: 'at row a', text: '▶', disabled: false },
    { name: 'at row b', text: '▶', disabled: true },
  ];
  show({ edge: { side: 'left', name: 'Missiles', buttons }, onedge });
  const [first, second] = document.querySelectorAll<HTMLButtonElement>('.launcher');
  first?.click();
  second?.click();
  expect(onedge.mock.calls).toEqual([[0]]);
  expect(first?.ariaLabel).toBe('at row a');
});

test('a missile passes over what stood there', () => {
  const flight = {
    key: '7',
    from: 'right',
    line: 1,
    passed: ['hidden', undefined, 'house'],
    stopped: false,
    waiting: false,
  } as const;
  show({ flight });
  const ghosts = document.querySelectorAll<HTMLElement>('.ghost');
  expect([...ghosts].map((ghost) => ghost.querySelector('svg')?.dataset.mark)).toEqual([
    'hidden',
    'house',
  ]);
  expect([...ghosts].map((ghost) => ghost.style.gridArea)).toEqual(['2 / 3', '2 / 1']);
  expect(document.querySelector('.missile')).not.toBeNull();
});
