/** What tabs and the hub that holds their one connection say to each other. */
import type { Block, GameEvent, Kind, Summary } from '../api';

export type Topic = 'lobby' | `game:${Kind}:${number}` | `player:${string}`;
export type State = 'idle' | 'connecting' | 'open' | 'lost';

export interface GameEvents {
  kind: Kind;
  id: number;
  events: GameEvent[];
}

/** `lease`: the tab wants these topics for a while. `bye`: it wants nothing more. `retry`: connect now. */
export type ToHub =
  | { readonly to: 'hub'; readonly say: 'lease'; readonly tab: string; readonly topics: Topic[] }
  | { readonly to: 'hub'; readonly say: 'bye'; readonly tab: string }
  | { readonly to: 'hub'; readonly say: 'retry' };

/** The answer to a lease, and whenever it changes. `stream`: changes where something may have been missed. */
export interface Status {
  readonly to: 'tabs';
  readonly say: 'status';
  readonly hub: string;
  readonly stream: number;
  readonly state: State;
  /** Whose changes are told from now on. */
  readonly topics: readonly Topic[];
}

/** What the server tells; a `block` ends each batch and has the numbers after which, and up to which, it told. */
export type Told = { readonly to: 'tabs'; readonly hub: string } & (
  | { readonly say: 'game'; readonly data: Summary }
  | { readonly say: 'events'; readonly data: GameEvents }
  | { readonly say: 'reset' }
  | {
      readonly say: 'block';
      readonly data: Block;
      readonly since: number | null;
      readonly sequence: number | null;
    }
);
export type FromHub = Status | Told;

export const CHANNEL = 'fogbound stream 1';
/** The server's bound on the topics of one connection. */
export const MOST_TOPICS = 50;
/** A tab that says nothing for so long has gone, in milliseconds; hidden ones may speak once a minute only. */
export const LEASE = 180_000;
/** How often a tab says what it wants, in milliseconds. */
export const RENEWAL = 20_000;
/** How long the hub may take to answer, in milliseconds. */
export const HUB_PATIENCE = 5_000;
