import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findRoute, location, matchPath } from '../../src/lib/router.svelte';

describe('patterns', () => {
  test.each([
    ['/', '/', {}],
    ['/bunkerwar/:id', '/bunkerwar/12', { id: '12' }],
    ['/bunkerwar/:id', '/bunkerwar/12/', { id: '12' }],
    ['/:kind/:id/replay', '/battleship/7/replay', { kind: 'battleship', id: '7' }],
    ['/bunkerwar/:id', '/bunkerwar', null],
    ['/bunkerwar/:id', '/bunkerwar/12/replay', null],
    ['/bunkerwar/:id', '/battleship/12', null],
  ])('%s and %s', (pattern, path, params) => {
    expect(matchPath(pattern, path)).toEqual(params);
  });

  test('the first route that fits is taken', () => {
    const routes = [{ pattern: '/a/:b' }, { pattern: '/a/c' }];
    expect(findRoute(routes, '/a/c')?.route).toBe(routes[0]);
    expect(findRoute(routes, '/b')).toBeNull();
  });
});

describe('navigation', () => {
  let stop: () => void;
  beforeEach(() => {
    stop = location.start();
    location.go('/');
  });
  afterEach(() => stop());

  function link(html: string): HTMLAnchorElement {
    document.body.innerHTML = html;
    return document.querySelector('a') as HTMLAnchorElement;
  }
  /** Whether the router took the click; what it leaves, jsdom would follow. */
  function click(target: HTMLElement, options: MouseEventInit = {}): boolean {
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...options });
    let taken = false;
    const look = (seen: Event) => {
      taken = seen.defaultPrevented;
      seen.preventDefault();
    };
    window.addEventListener('click', look, { once: true });
    target.dispatchEvent(event);
    return taken;
  }

  test('go changes the address and the path, and the back button returns', async () => {
    location.go('/records?x=1');
    expect(window.location.pathname).toBe('/records');
    expect([location.path, location.query]).toEqual(['/records', '?x=1']);
    const back = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await back;
    expect(location.path).toBe('/');
  });

  test('replace leaves no step in the history', () => {
    const { length } = history;
    location.go('/about', { replace: true });
    expect([location.path, history.length]).toEqual(['/about', length]);
  });

  test('a plain click on an own link stays in the page', () => {
    expect(click(link('<a href="/settings"><b>s</b></a>').querySelector('b') as HTMLElement)).toBe(
      true,
    );
    expect(location.path).toBe('/settings');
  });

  test.each([
    ['another site', '<a href="https://example.org/">x</a>', {}],
    ['a new window', '<a href="/about" target="_blank">x</a>', {}],
    ['a download', '<a href="/api/records/battleship/1" download>x</a>', {}],
    ['a held key', '<a href="/about">x</a>', { ctrlKey: true }],
    ['the middle button', '<a href="/about">x</a>', { button: 1 }],
    ['a place on this page', '<a href="/#here">x</a>', {}],
  ])('%s is left to the browser', (_, html, options) => {
    expect(click(link(html), options)).toBe(false);
    expect(location.path).toBe('/');
  });
});
