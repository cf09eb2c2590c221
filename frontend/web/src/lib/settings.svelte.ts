import * as v from 'valibot';
import { LANGUAGES, type Language, speak } from './i18n';
import { load, save } from './storage';

export interface Preferences {
  language: Language;
  theme: 'system' | 'dark' | 'light';
  motion: 'system' | 'reduced';
  sound: boolean;
  notifications: boolean;
}

const NAME = 'settings';
const KEPT = {
  language: v.picklist(Object.keys(LANGUAGES) as Language[]),
  theme: v.picklist(['system', 'dark', 'light']),
  motion: v.picklist(['system', 'reduced']),
  sound: v.boolean(),
  notifications: v.boolean(),
};

/** The first of the browser's languages that the page speaks, else English. */
export function preferredLanguage(languages: readonly string[]): Language {
  const known = languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return (known.find((tag) => tag in LANGUAGES) as Language | undefined) ?? 'en';
}

function defaults(): Preferences {
  return {
    language: preferredLanguage(navigator.languages),
    theme: 'system',
    motion: 'system',
    sound: true,
    notifications: false,
  };
}

/** What the player prefers; kept in this browser, shared with its other tabs. */
class Settings {
  #values = $state<Preferences>({ ...defaults(), ...load(NAME, KEPT) });

  get language(): Language {
    return this.#values.language;
  }
  get theme(): Preferences['theme'] {
    return this.#values.theme;
  }
  get motion(): Preferences['motion'] {
    return this.#values.motion;
  }
  get sound(): boolean {
    return this.#values.sound;
  }
  get notifications(): boolean {
    return this.#values.notifications;
  }

  async set<K extends keyof Preferences>(name: K, value: Preferences[K]): Promise<void> {
    this.#values[name] = value;
    save(NAME, this.#values);
    await this.apply();
  }

  /** Show the page as preferred; resolves once its texts are there. */
  async apply(): Promise<void> {
    const root = document.documentElement.dataset;
    root.theme = this.theme;
    root.motion = this.motion;
    await speak(this.language);
  }

  /** Follow what other tabs choose. Returns what ends it. */
  follow(): () => void {
    const changed = (event: StorageEvent) => {
      if (event.key !== `fogbound.${NAME}`) return;
      this.#values = { ...defaults(), ...load(NAME, KEPT) };
      void this.apply();
    };
    addEventListener('storage', changed);
    return () => removeEventListener('storage', changed);
  }
}

export const settings = new Settings();

/** Whether things shall not move, by the player's setting or their system's. */
export function reducedMotion(): boolean {
  return settings.motion === 'reduced' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}
