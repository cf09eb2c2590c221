import { explain } from './chain/errors';
import { t } from './i18n';

export interface Notice {
  id: number;
  tone: 'info' | 'success' | 'error';
  text: string;
  action?: { label: string; act: () => void } | undefined;
}

const SHOWN_FOR = 6_000;

/** Short messages above the page, read out by screen readers. Errors stay until they are closed. */
class Notices {
  all = $state.raw<Notice[]>([]);
  #last = 0;

  say(text: string, options: Partial<Pick<Notice, 'tone' | 'action'>> = {}): number {
    const notice = { id: ++this.#last, tone: 'info' as const, text, ...options };
    this.all = [...this.all.filter((shown) => shown.text !== text), notice];
    if (notice.tone !== 'error') setTimeout(() => this.close(notice.id), SHOWN_FOR);
    return notice.id;
  }

  /** Say what went wrong and what to do about it, whatever was thrown. */
  error(error: unknown): void {
    const { key, params } = explain(error);
    if (key === 'error.unknown') console.error(error); // a fault of the page
    this.say(t(key, params), { tone: 'error' });
  }

  close(id: number): void {
    this.all = this.all.filter((notice) => notice.id !== id);
  }
}

export const notices = new Notices();
