import type { en } from './en';

export const LANGUAGES = { en: 'English', ko: '한국어' } as const;
export type Language = keyof typeof LANGUAGES;
export type Key = keyof typeof en;
export type Params = Readonly<Record<string, string | number>>;

/** A text, or one for each plural category of `{count}`. */
export type Message = string | { readonly one?: string; readonly other: string };
/** Another language's texts of one owner: a missing or unknown key does not compile. */
export type Translation<Source> = { readonly [K in keyof Source]: Message };

const catalogs: Record<Language, () => Promise<Translation<typeof en>>> = {
  en: async () => (await import('./en')).en,
  ko: async () => (await import('./ko')).ko,
};

let current = $state.raw<{ language: Language; messages: Translation<typeof en> | null }>({
  language: 'en',
  messages: null,
});

/** The language that is shown now. */
export function language(): Language {
  return current.language;
}

/** Show `next` from now on; its texts are loaded first. */
export async function speak(next: Language): Promise<void> {
  const messages = await catalogs[next]();
  current = { language: next, messages };
  document.documentElement.lang = next;
}

/** Whether there is a text of that name. */
export function isKey(name: string): name is Key {
  return Object.hasOwn(current.messages ?? {}, name);
}

/** The text of `key`, with `{name}` filled in from `params`; `count` chooses the plural form. */
export function t(key: Key, params: Params = {}): string {
  const message = current.messages?.[key];
  if (message === undefined) return key;
  const numbers = new Intl.NumberFormat(current.language);
  return form(message, params).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return typeof value === 'number' ? numbers.format(value) : (value ?? whole);
  });
}

function form(message: Message, params: Params): string {
  if (typeof message === 'string') return message;
  const category = new Intl.PluralRules(current.language).select(Number(params.count));
  return category === 'one' ? (message.one ?? message.other) : message.other;
}
