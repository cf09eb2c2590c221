import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import App from '../src/App.svelte';
import { app } from '../src/lib/app.svelte';

let mounted: ReturnType<typeof mount>;

afterEach(async () => {
  await unmount(mounted);
  vi.unstubAllGlobals();
});

test('while the server is away, the page says so and tries again on request', async () => {
  const fetch = vi.fn().mockRejectedValue(new TypeError('failed'));
  vi.stubGlobal('fetch', fetch);
  await app.load();
  mounted = mount(App, { target: document.body });
  flushSync();
  expect(document.querySelector('main h1')?.textContent).toBe('No connection');
  expect(document.querySelector('main [role=alert]')?.textContent).toContain('server');

  const retry = [...document.querySelectorAll('main button')].find(
    (b) => b.textContent === 'Try again',
  );
  (retry as HTMLButtonElement).click();
  expect(fetch).toHaveBeenCalledTimes(2);
});
