import { formatUnits } from 'viem/utils';
import { language } from './messages.svelte';

const ETHER_DIGITS = 6;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(language(), options).format(value);
}

/** An amount of wei (bigint, or a decimal string as the API gives it) as ether, cut off after so many digits: `1.98 ETH`. */
export function ether(wei: bigint | string, digits = ETHER_DIGITS): string {
  const amount = BigInt(wei);
  const least = 10n ** BigInt(18 - digits);
  if (amount > 0n && amount < least) return `< ${decimal(least, digits)} ETH`;
  return `${decimal(amount, digits)} ETH`;
}

function decimal(wei: bigint, digits: number): string {
  const format = new Intl.NumberFormat(language(), {
    maximumFractionDigits: digits,
    roundingMode: 'trunc',
  } as Intl.NumberFormatOptions);
  return format.format(formatUnits(wei, 18) as Intl.StringNumericLiteral);
}

/** How long before or after `now` a time is; both in seconds since 1970. */
export function relativeTime(time: number, now: number): string {
  const [unit, size] = coarsest(Math.abs(time - now));
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  return format.format(Math.trunc((time - now) / size), unit);
}

/** A length of time in its coarsest unit: `12 minutes`. */
export function duration(seconds: number): string {
  const [unit, size] = coarsest(seconds);
  return number(Math.floor(seconds / size), { style: 'unit', unit, unitDisplay: 'long' });
}

function coarsest(seconds: number): [Intl.RelativeTimeFormatUnit, number] {
  return UNITS.find(([, size]) => seconds >= size) ?? ['second', 1];
}

/** A day and time, `time` in seconds since 1970. */
export function dateTime(time: number): string {
  const format = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' });
  return format.format(time * 1000);
}

/** A list in words: `a, b and c`. */
export function list(parts: string[]): string {
  return new Intl.ListFormat(language()).format(parts);
}
