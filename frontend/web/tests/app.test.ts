import { mount, unmount } from 'svelte';
import { expect, test } from 'vitest';
import App from '../src/App.svelte';

test('the page mounts', () => {
  const app = mount(App, { target: document.body });
  expect(document.querySelector('h1')?.textContent).toBe('Fogbound');
  unmount(app);
});
