// What jsdom lacks and the page needs, and the English texts; nothing for tests that run in Node alone.
import { beforeEach, vi } from 'vitest';
import { speak } from '../src/lib/i18n';

if (globalThis.window) {
  window.scrollTo = () => {};
  window.matchMedia ??= ((query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  })) as unknown as typeof window.matchMedia;
}

beforeEach(async () => {
  vi.useRealTimers();
  if (globalThis.document) await speak('en');
});
