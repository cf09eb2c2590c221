/** What this browser keeps for the page; a browser that keeps nothing is no error. */
import * as v from 'valibot';

const PREFIX = 'fogbound.';

/** What is kept by that name as far as it has the shape: anything else is as if it were not there. */
export function load<E extends v.ObjectEntries>(
  name: string,
  entries: E,
): Partial<v.InferOutput<v.ObjectSchema<E, undefined>>> {
  const kept = read(name);
  if (typeof kept !== 'object' || kept === null) return {};
  const found = Object.entries(entries).flatMap(([key, schema]) => {
    const value = v.safeParse(schema as v.GenericSchema, (kept as Record<string, unknown>)[key]);
    return value.success ? [[key, value.output]] : [];
  });
  return Object.fromEntries(found);
}

export function save(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Full or forbidden: the setting lasts as long as the page.
  }
}

function read(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}
