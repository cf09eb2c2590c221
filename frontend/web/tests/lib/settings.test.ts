import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { language, t } from '../../src/lib/i18n';
import { preferredLanguage, reducedMotion, settings } from '../../src/lib/settings.svelte';

beforeEach(async () => {
  localStorage.clear();
  await settings.set('language', 'en');
  await settings.set('theme', 'system');
  await settings.set('motion', 'system');
});
afterEach(() => vi.restoreAllMocks());

test.each([
  [['ko-KR', 'en'], 'ko'],
  [['fr', 'ko'], 'ko'],
  [['en-GB', 'ko'], 'en'],
  [['fr'], 'en'],
  [[], 'en'],
])('of %j, %s is spoken', (languages, spoken) => {
  expect(preferredLanguage(languages)).toBe(spoken);
});

test('a choice is shown at once and kept', async () => {
  await settings.set('theme', 'dark');
  await settings.set('language', 'ko');
  expect(document.documentElement.dataset.theme).toBe('dark');
  expect([language(), t('theme.dark')]).toEqual(['ko', '어둡게']);
  const kept = JSON.parse(localStorage.getItem('fogbound.settings') ?? '{}');
  expect(kept).toMatchObject({ theme: 'dark', language: 'ko' });
});

test('what another tab chooses is followed', async () => {
  const stop = settings.follow();
  localStorage.setItem('fogbound.settings', JSON.stringify({ theme: 'light' }));
  dispatchEvent(new StorageEvent('storage', { key: 'fogbound.settings' }));
  expect([settings.theme, document.documentElement.dataset.theme]).toEqual(['light', 'light']);
  stop();
  localStorage.setItem('fogbound.settings', JSON.stringify({ theme: 'dark' }));
  dispatchEvent(new StorageEvent('storage', { key: 'fogbound.settings' }));
  expect(settings.theme).toBe('light');
});

test('a browser that keeps nothing loses no choice while the page is open', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await settings.set('sound', false);
  expect(settings.sound).toBe(false);
});

test('damaged settings are defaults', async () => {
  const stop = settings.follow();
  localStorage.setItem('fogbound.settings', '{"theme":');
  dispatchEvent(new StorageEvent('storage', { key: 'fogbound.settings' }));
  expect(settings.theme).toBe('system');
  stop();
});

test('motion is reduced by the player or by their system', async () => {
  expect(reducedMotion()).toBe(false);
  await settings.set('motion', 'reduced');
  expect(reducedMotion()).toBe(true);
  await settings.set('motion', 'system');
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  expect(reducedMotion()).toBe(true);
});
