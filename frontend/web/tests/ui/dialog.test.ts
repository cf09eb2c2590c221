import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dialogs } from '../../src/lib/dialogs.svelte';
import { notices } from '../../src/lib/notices.svelte';
import Dialog from '../../src/ui/Dialog.svelte';

const mounted: ReturnType<typeof mount>[] = [];
const children = createRawSnippet(() => ({ render: () => '<p>content</p>' }));

function open(title: string, onclose = () => {}) {
  const props = { open: true, title, onclose, children };
  mounted.push(mount(Dialog, { target: document.body, props }));
  flushSync();
  return document.querySelectorAll('dialog')[mounted.length - 1] as HTMLDialogElement;
}

beforeEach(() => {
  for (const notice of notices.all) notices.close(notice.id);
});
afterEach(async () => {
  for (const each of mounted.splice(0)) await unmount(each);
});

test('it is open, and called what its heading says', () => {
  const dialog = open('New game');
  expect(dialog.open).toBe(true);
  const name = dialog.getAttribute('aria-labelledby') as string;
  expect(document.getElementById(name)?.textContent).toBe('New game');
});

test('its button closes it', async () => {
  const onclose = vi.fn();
  const dialog = open('New game', onclose);
  dialog.querySelector<HTMLButtonElement>('button[aria-label=Close]')?.click();
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledTimes(1));
  expect(dialog.open).toBe(false);
});

test('what is said while dialogs are open is said in the topmost', async () => {
  const lower = open('New game');
  const upper = open('Who is playing?');
  notices.say('Not enough ether', { tone: 'error' });
  flushSync();
  expect(upper.querySelector('[role=alert]')?.textContent).toContain('Not enough ether');
  expect(lower.querySelector('[role=alert]')).toBeNull();

  await unmount(mounted.pop() as ReturnType<typeof mount>);
  flushSync();
  expect(lower.querySelector('[role=alert]')?.textContent).toContain('Not enough ether');
});

test('none is on top once all are closed', async () => {
  open('New game');
  expect(dialogs.top).not.toBeNull();
  await unmount(mounted.pop() as ReturnType<typeof mount>);
  expect(dialogs.top).toBeNull();
});
