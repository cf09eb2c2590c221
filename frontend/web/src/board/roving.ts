/** Which cell the keyboard goes to next: the grid pattern of the ARIA practices. */

export interface Shape {
  readonly rows: number;
  readonly columns: number;
}

type Step = (index: number, shape: Shape) => number;

const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: (index, { columns }) => (index % columns === 0 ? index : index - 1),
  ArrowRight: (index, { columns }) => (index % columns === columns - 1 ? index : index + 1),
  ArrowUp: (index, { columns }) => (index < columns ? index : index - columns),
  ArrowDown: (index, { rows, columns }) =>
    index >= (rows - 1) * columns ? index : index + columns,
  Home: (index, { columns }) => index - (index % columns),
  End: (index, { columns }) => index - (index % columns) + columns - 1,
  PageUp: (index, { columns }) => index % columns,
  PageDown: (index, { rows, columns }) => (rows - 1) * columns + (index % columns),
};

/** The cell that a key leads to from `index`, or null where the key moves nothing on a board. */
export function stepped(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>,
  index: number,
  shape: Shape,
): number | null {
  if (event.altKey || event.metaKey) return null;
  if (event.ctrlKey) return corner(event.key, shape);
  return STEPS[event.key]?.(index, shape) ?? null;
}

function corner(key: string, { rows, columns }: Shape): number | null {
  if (key === 'Home') return 0;
  return key === 'End' ? rows * columns - 1 : null;
}
