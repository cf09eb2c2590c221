import { createSubscriber } from 'svelte/reactivity';
import { serverTime } from './time';

const ticking = createSubscriber((update) => {
  const timer = setInterval(update, 1_000);
  return () => clearInterval(timer);
});

/** The server's time in seconds since 1970; where it is read in a template, it goes on by the second. */
export function now(): number {
  ticking();
  return serverTime();
}
