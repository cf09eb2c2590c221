import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import App from '../src/App.svelte';
import { app } from '../src/lib/app.svelte';
import { location } from '../src/lib/router.svelte';
import { FakeEventSource } from './eventSource';

const CONFIG = {
  chainId: 31337,
  local: true,
  block: { number: 5, timestamp: 1_000 },
  games: {},
  bots: [],
  faucet: null,
  leastRatedStake: '1000000000000000',
};

let mounted: ReturnType<typeof mount>;
const fetch = vi.fn();

beforeEach(() => {
  vi.stubGlobal('fetch', fetch.mockReset());
  vi.stubGlobal('EventSource', FakeEventSource);
  location.go('/');
});
afterEach(async () => {
  await unmount(mounted);
  vi.unstubAllGlobals();
});

function show() {
  mounted = mount(App, { target: document.body });
  flushSync();
}

function button(name: string): HTMLButtonElement {
  const all = [...document.querySelectorAll<HTMLButtonElement>('main button')];
  return all.find((each) => each.textContent?.trim() === name) as HTMLButtonElement;
}

const heading = () => document.querySelector('main h1');

test('while the server is away, the page says so and tries again on request', async () => {
  fetch.mockRejectedValue(new TypeError('failed'));
  await app.load();
  show();
  expect(heading()?.textContent).toBe('No connection');
  expect(document.querySelector('main [role=alert]')?.textContent).toContain('server');
  button('Try again').click();
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('a new page is named in the title and read from its heading on', async () => {
  fetch.mockImplementation(async () => new Response(JSON.stringify(CONFIG)));
  await app.load();
  location.go('/nowhere');
  show();
  await vi.waitFor(() => expect(heading()?.textContent).toBe('Off the chart'));
  expect(document.title).toBe('Not found · Fogbound');
  expect(document.activeElement).toBe(document.body); // the first page starts at its top

  document.querySelector<HTMLAnchorElement>('header a[href="/about"]')?.click();
  await vi.waitFor(() => expect(document.activeElement).toBe(heading()));
  expect(heading()?.textContent).toBe('How it is played');
  expect(document.title).toBe('Rules · Fogbound');
  expect(document.querySelector('header nav a[aria-current]')?.textContent).toBe('Rules');
});
