/** What goes on in a game, as one line: what it is, and nothing that it is not. Pure. */
import type { Phase } from '../lib/api';
import type { Key, Params } from '../lib/i18n';

export interface Told {
  readonly key: Key;
  readonly params?: Params;
  /** Something is waited for. */
  readonly busy: boolean;
  /** It is the viewer's turn. */
  readonly mine?: boolean;
}

export interface Situation {
  readonly phase: Phase;
  readonly step: 'encrypting' | 'sending' | 'resolving' | null;
  readonly seat: number | null;
  readonly onTurn: number | null;
  /** Blocks until the first seat can be drawn. */
  readonly blocksToDraw: number;
  /** Who is on turn, by name. */
  readonly name: string;
}

/** What can be said of any game. */
export function tell(now: Situation): Told {
  if (now.step) return { key: `game.step.${now.step}`, busy: true };
  return TOLD[now.phase](now);
}

const TOLD: Readonly<Record<Phase, (now: Situation) => Told>> = {
  open: () => ({ key: 'game.phase.open', busy: true }),
  drawing: ({ blocksToDraw }) => ({
    key: 'game.phase.drawing',
    params: { count: blocksToDraw },
    busy: true,
  }),
  playing: ({ seat, onTurn, name }) =>
    seat !== null && seat === onTurn
      ? { key: 'game.phase.yourTurn', busy: false, mine: true }
      : { key: 'game.phase.theirTurn', params: { name }, busy: seat !== null },
  waiting: () => ({ key: 'game.phase.waiting', busy: true }),
  proving: () => ({ key: 'game.phase.proving', busy: true }),
  ended: () => ({ key: 'game.phase.ended', busy: false }),
  cancelled: () => ({ key: 'game.phase.cancelled', busy: false }),
};
