/** Whose seat is played, and who signs for them. */
import type { Address } from 'viem';
import type { Chain } from './chain';
import { Sessions } from './session';
import type { Shared, Signer } from './signer';
import { sharedByTabs } from './signer';

export interface Player {
  readonly address: Address;
  readonly kind: 'key' | 'wallet';
  /** Signs what only the player can: board keys, reading permits, stakes, sessions. */
  readonly owner: Signer;
  /** null where the owner's own key signs without asking. */
  readonly sessions: Sessions | null;
  /** Who sends the next transaction to `contract`; what costs more than gas, the owner pays. */
  sender(contract: Address, value?: bigint): Promise<Signer>;
}

/** A browser-made key signs everything itself. */
export function keyPlayer(owner: Signer): Player {
  return { address: owner.address, kind: 'key', owner, sessions: null, sender: async () => owner };
}

/** For a wallet, its session key signs while there is one. */
export function walletPlayer(owner: Signer, chain: Chain, shared: Shared = sharedByTabs()): Player {
  const sessions = new Sessions(chain, owner, shared);
  return {
    address: owner.address,
    kind: 'wallet',
    owner,
    sessions,
    async sender(contract, value = 0n) {
      return value === 0n ? ((await sessions.signer(contract)) ?? owner) : owner;
    },
  };
}
