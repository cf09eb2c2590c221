import { describe, expect, test } from 'vitest';
import { type Key, language, speak, t } from '../../../src/lib/i18n';
import { en } from '../../../src/lib/i18n/en';
import { ko } from '../../../src/lib/i18n/ko';
import type { Message } from '../../../src/lib/i18n/messages.svelte';

const keys = Object.keys(en) as Key[];

function textOf(message: Message): string {
  return typeof message === 'string' ? message : message.other;
}

function names(message: Message): string[] {
  return [...textOf(message).matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string).sort();
}

test('texts are filled in, numbers as the language writes them', () => {
  expect(t('game.name', { kind: 'Battleship', id: '7' })).toBe('Battleship, game 7');
  expect(t('setup.actions', { count: 12_345 })).toBe('Each player acts 12,345 times.');
});

test('the count chooses the form', () => {
  expect(t('stats.running', { count: 1 })).toBe('1 game is running.');
  expect(t('stats.running', { count: 2 })).toBe('2 games are running.');
});

test('a missing value stays visible', () => {
  expect(t('notFound.title')).not.toContain('{');
  expect(t('game.name', { kind: 'X' })).toBe('X, game {id}');
});

test('another language is shown once it is loaded', async () => {
  await speak('ko');
  expect([language(), document.documentElement.lang]).toEqual(['ko', 'ko']);
  expect(t('nav.settings')).toBe('설정');
  expect(t('stats.running', { count: 1 })).toBe('지금 1판이 진행 중입니다.');
});

describe('the Korean texts', () => {
  test('are as many as the English ones', () => {
    expect(Object.keys(ko).sort()).toEqual([...keys].sort());
  });

  test('take the same values', () => {
    expect(keys.filter((key) => names(ko[key]).join() !== names(en[key]).join())).toEqual([]);
  });

  test('are Korean, but for names and signs', () => {
    const proper = /^([\s\d\p{P}\p{S}]|Fogbound|JSON|ETH|\{\w+\})*$/u;
    const foreign = keys.filter((key) => {
      const text = textOf(ko[key]);
      return !/\p{Script=Hangul}/u.test(text) && !proper.test(text);
    });
    expect(foreign).toEqual([]);
  });
});
