import type { Summary } from './api';
import { t } from './i18n';
import { location } from './router.svelte';
import { settings } from './settings.svelte';
import { play } from './sound';

/** Calls the player to a game: by sound, and by a notification where they look elsewhere and want one. */
export function signal(news: 'turn' | 'invited', { kind, id }: Summary): void {
  play('turn');
  const wanted = settings.notifications && document.hidden && 'Notification' in globalThis;
  if (!wanted || Notification.permission !== 'granted') return;
  const body = t(`tell.${news}`, { game: t(`kind.${kind}`), id: String(id) });
  const path = `/${kind}/${id}`;
  const shown = new Notification('Fogbound', { body, icon: '/icon.svg', tag: path });
  shown.onclick = () => {
    window.focus();
    location.go(path);
    shown.close();
  };
}
