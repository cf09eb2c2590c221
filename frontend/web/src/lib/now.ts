import { createSubscriber } from 'svelte/reactivity';

const ticking = createSubscriber((update) => {
  const timer = setInterval(update, 1_000);
  return () => clearInterval(timer);
});

/** Seconds since 1970; where it is read in a template, it goes on by the second. */
export function now(): number {
  ticking();
  return Math.floor(Date.now() / 1_000);
}
