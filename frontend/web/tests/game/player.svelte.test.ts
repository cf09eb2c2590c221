import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Player } from '../../src/game/player.svelte';

let player: Player;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  player = new Player(() => 5);
  stop = $effect.root(() => player.watch());
  flushSync();
});
afterEach(() => stop());

function wait(milliseconds: number) {
  vi.advanceTimersByTime(milliseconds);
  flushSync();
}

test('steps stay within the game', () => {
  player.step(-1);
  expect(player.at).toBe(0);
  player.go(99);
  expect(player.at).toBe(4);
  player.step(-1);
  expect(player.at).toBe(3);
});

test('it plays to the end and stops there', () => {
  player.toggle();
  flushSync();
  wait(1_199);
  expect(player.at).toBe(0);
  wait(1);
  expect(player.at).toBe(1);
  wait(1_200);
  wait(1_200);
  wait(1_200);
  expect([player.at, player.playing]).toEqual([4, false]);
  player.toggle(); // and begins anew
  expect([player.at, player.playing]).toEqual([0, true]);
});

test('faster at a higher speed', () => {
  player.faster(1);
  expect(player.speed).toBe(2);
  player.toggle();
  flushSync();
  wait(600);
  expect(player.at).toBe(1);
});

test('only a step forward is seen happening', () => {
  player.step(1);
  expect(player.forward).toBe(true);
  player.step(-1);
  expect(player.forward).toBe(false);
  player.go(3);
  expect(player.forward).toBe(false);
});

test.each([
  ['ArrowRight', 3],
  ['ArrowLeft', 1],
  ['Home', 0],
  ['End', 4],
])('%s leads from 2 to %d', (key, at) => {
  player.go(2);
  expect(player.press(key)).toBe(true);
  expect(player.at).toBe(at);
});

test('space plays and pauses, plus and minus change the speed, other keys do nothing', () => {
  player.press(' ');
  expect(player.playing).toBe(true);
  player.press(' ');
  expect(player.playing).toBe(false);
  player.press('+');
  player.press('+');
  player.press('+');
  expect(player.speed).toBe(4);
  player.press('-');
  expect(player.speed).toBe(2);
  expect(player.press('x')).toBe(false);
});
