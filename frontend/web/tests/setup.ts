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
  window.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false;
    queueMicrotask(() => this.dispatchEvent(new Event('close')));
  };
}

beforeEach(async () => {
  vi.useRealTimers();
  if (globalThis.document) await speak('en');
});
