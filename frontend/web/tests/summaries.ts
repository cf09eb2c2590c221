/** Games as the API tells of them. */
import type { Address } from 'viem';
import type { Summary } from '../src/lib/api';

export const HOST: Address = '0x00000000000000000000000000000000000000A1';
export const GUEST: Address = '0x00000000000000000000000000000000000000b2';
export const OUTSIDER: Address = '0x00000000000000000000000000000000000000C3';

export function summary(id: number, changes: Partial<Summary> = {}): Summary {
  return {
    kind: 'bunkerwar',
    id,
    sequence: 0,
    phase: 'playing',
    outcome: 'none',
    players: [HOST, GUEST],
    stake: '0',
    invited: null,
    listed: true,
    onTurn: 0,
    winners: [],
    amounts: null,
    rake: null,
    parameters: { lanes: 4, depth: 4, stacked: false },
    consents: [],
    keepAlives: [0, 0],
    voidAnnounced: false,
    moveNumber: 1,
    control: 0,
    deadline: 300,
    mark: 0,
    openedBlock: 10,
    openedAt: 1_000,
    updatedBlock: 12,
    updatedAt: 1_100,
    endedAt: null,
    ...changes,
  } as Summary;
}
