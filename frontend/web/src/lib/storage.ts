/** What this browser keeps for the page; a browser that keeps nothing is no error. */
const PREFIX = 'fogbound.';

export function load<T>(name: string): Partial<T> {
  try {
    return (JSON.parse(localStorage.getItem(PREFIX + name) ?? '{}') ?? {}) as Partial<T>;
  } catch {
    return {};
  }
}

export function save(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Full or forbidden: the setting lasts as long as the page.
  }
}
