/** Tells a player who may look elsewhere that it is his turn: sound, and a notification. */

import { settings } from '../lib/settings.svelte';
import { play } from '../lib/sound';

/** Call while a component is set up. Speaks up each time `mine` becomes true. */
export function callWhen(mine: () => boolean, text: () => string): void {
  let was: boolean | null = null;
  $effect(() => {
    const is = mine();
    if (is && was === false) call(text());
    was = is;
  });
}

function call(text: string): void {
  play('turn');
  if (!settings.notifications || !document.hidden || typeof Notification === 'undefined') return;
  if (Notification.permission !== 'granted') return;
  const shown = new Notification('Fogbound', { body: text, icon: '/icon.svg', tag: text });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}
