/** Events of one game as the API gives them, and how their arguments are read. */

export type Kind = 'bunkerwar' | 'battleship';
export type Seat = 0 | 1;
export const SEATS: readonly Seat[] = [0, 1];

/** ITable.Outcome, by its number: how a game ended. */
export const ENDINGS = ['none', 'won', 'drawn', 'resigned', 'timed_out', 'null', 'voided'] as const;
export type Ending = (typeof ENDINGS)[number];

/** `arguments`: every integer a decimal string, bytes 0x-hex. `time`: of its block, seconds since 1970. */
export interface GameEvent {
  readonly seq: number;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly block: number;
  readonly index: number;
  readonly transaction: string;
  readonly time: number;
}

/** What a replay needs of an event. */
export type Told = Pick<GameEvent, 'name' | 'arguments'>;

/** No game could have emitted these events so. */
export class RecordInvalid extends Error {
  override readonly name = 'RecordInvalid';
}

export function integer(event: Told, name: string): number {
  const value = Number(text(event, name));
  if (!Number.isSafeInteger(value)) throw new RecordInvalid(`${event.name}: ${name} is no integer`);
  return value;
}

/** Addresses and bytes. */
export function text(event: Told, name: string): string {
  const value = event.arguments[name];
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new RecordInvalid(`${event.name}: no ${name}`);
  }
  return String(value);
}

export function flag(event: Told, name: string): boolean {
  const value = event.arguments[name];
  if (typeof value !== 'boolean') throw new RecordInvalid(`${event.name}: no ${name}`);
  return value;
}

export function seatIn(event: Told): Seat {
  return toSeat(integer(event, 'seat'));
}

/** Who an event is of; null where it is of nobody. */
export function seatOf(event: Told): Seat | null {
  if (event.name === 'GameOpened') return 0;
  return event.arguments.seat === undefined ? null : seatIn(event);
}

export function toSeat(value: number): Seat {
  if (value !== 0 && value !== 1) throw new RecordInvalid(`${value} is no seat`);
  return value;
}

export function other(seat: Seat): Seat {
  return seat === 0 ? 1 : 0;
}

/** `pair` with another value for one seat. */
export function withSeat<T>(pair: readonly [T, T], seat: Seat, value: T): readonly [T, T] {
  return seat === 0 ? [value, pair[1]] : [pair[0], value];
}

/** Run `work`; its errors, which only wrong events can cause, become RecordInvalid. */
export function checked<T>(event: Told, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RecordInvalid) throw error;
    throw new RecordInvalid(`${event.name}: ${(error as Error).message}`, { cause: error });
  }
}
