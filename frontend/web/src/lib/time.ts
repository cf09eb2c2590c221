/** The server's time, in seconds since 1970: this machine's clock, corrected where that is known to be wrong. */

/** By how much the server's clock is ahead of this one, in seconds: somewhere between. */
let least = Number.NEGATIVE_INFINITY;
let most = Number.POSITIVE_INFINITY;

/** Learn from an answer's Date, which counts whole seconds; `asked` and `came` in milliseconds since 1970. */
export function learnTime(date: string | null, asked: number, came: number): void {
  const dated = Date.parse(date ?? '') / 1_000;
  if (Number.isNaN(dated)) return;
  const [low, high] = [dated - came / 1_000, dated + 1 - asked / 1_000];
  const agrees = low <= most && high >= least;
  least = agrees ? Math.max(least, low) : low; // a clock that was set tells anew
  most = agrees ? Math.min(most, high) : high;
}

/** Now, in whole seconds since 1970. */
export function serverTime(): number {
  const ahead = Math.min(Math.max(0, least), most);
  return Math.floor(Date.now() / 1_000 + ahead);
}
