// What jsdom lacks and the page needs, and the English texts.
import { beforeEach, vi } from 'vitest';
import { speak } from '../src/lib/i18n';

window.scrollTo = () => {};
window.matchMedia ??= ((query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => {},
  removeEventListener: () => {},
})) as unknown as typeof window.matchMedia;

beforeEach(async () => {
  vi.useRealTimers();
  await speak('en');
});
