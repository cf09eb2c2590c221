import { beforeAll, describe, expect, test } from 'vitest';
import { PlacementLost } from '../../src/lib/battleship/errors';
import { parseFleet } from '../../src/lib/battleship/fleets';
import { asKnown, type Frame, frames, revealedFleet } from '../../src/lib/battleship/frames';
import { BattleshipClient } from '../../src/lib/chain/battleship';
import { ContractError, InsufficientFunds, NotSeated } from '../../src/lib/chain/errors';
import { PendingList } from '../../src/lib/chain/pending';
import type { Player } from '../../src/lib/chain/player';
import type { Sessions } from '../../src/lib/chain/session';
import type { Shared } from '../../src/lib/chain/signer';
import { other, SEATS } from '../../src/lib/events';
import {
  chain,
  contractOf,
  eventsOf,
  eventsUpTo,
  GUEST_KEY,
  HOST_KEY,
  newBrowser,
  stack,
  until,
  withKey,
  withWallet,
} from './stack';

const contract = contractOf('battleship');
const FLEETS = [parseFleet('CR 0 0 h, DE 0 1 h'), parseFleet('CR 3 5 h, DE 5 3 v')] as const;
/** Of the other's board: where each fires first. */
const WATER = [0, 35] as const;
const STAKE = 10n ** 18n;

function client(player: Player, shared: Shared): BattleshipClient {
  const events = (id: number) => eventsOf('battleship', id);
  return new BattleshipClient({ chain, contract, player, events, shared });
}

const hostBrowser = newBrowser();
const guestBrowser = newBrowser();
const host = client(withKey(HOST_KEY, hostBrowser), hostBrowser);
const wallet = withWallet(GUEST_KEY, guestBrowser);
const guest = client(wallet.player, guestBrowser);
const clients = [host, guest] as const;

async function begin(): Promise<number> {
  const opponent = guest.player.address;
  const terms = { control: 1, opponent, stake: STAKE };
  const id = await host.open({ size: 6, fleet: FLEETS[0] }, terms);
  await guest.join(id, FLEETS[1], STAKE);
  await until('the draw', async () => (await host.game(id)).phase === 'playing');
  return id;
}

describe('a whole game, key against wallet with a session key', () => {
  let id = 0;

  beforeAll(async () => {
    const sessions = guest.player.sessions as Sessions;
    await sessions.authorize(contract, { seconds: 5_000, gasMoney: 10n ** 17n });
    id = await begin();
  });

  test('the seats are taken and paid', async () => {
    const game = await host.game(id);
    expect(game.players).toEqual([host.player.address, guest.player.address]);
    expect(game.stake).toBe(STAKE);
    expect(await guest.seat(id)).toBe(1);
  });

  test('a shot out of turn is refused by name before anything is sent', async () => {
    const { onTurn } = await host.game(id);
    const late = clients[other(onTurn)];
    const sender = await late.player.sender(contract);
    const before = await chain.nonce(sender.address, 'latest');
    const refused = await late.fire(id, 0).catch((error) => error);
    expect(refused).toBeInstanceOf(ContractError);
    expect(refused).toMatchObject({
      error: 'Table_NotOnTurn',
      args: { id: BigInt(id), account: late.player.address, onTurn },
      key: 'error.notOnTurn',
    });
    expect(await chain.nonce(sender.address, 'latest')).toBe(before);
  });

  test('the wallet is not asked for a move', async () => {
    const first = (await host.game(id)).onTurn;
    const asked = wallet.asked.length;
    await clients[first].fire(id, WATER[first]);
    expect(await clients[first].serve(id)).toBe(false);
    expect(await clients[other(first)].serve(id)).toBe(true);
    await clients[other(first)].fire(id, WATER[other(first)]);
    expect(wallet.asked.slice(asked)).not.toContain('eth_sendTransaction');
  });

  test('another browser with the same key goes on; a stranger opens nothing', async () => {
    const fresh = newBrowser();
    const again = client(withKey(HOST_KEY, fresh), fresh);
    expect(await again.ownFleet(id)).toEqual(FLEETS[0]);
    const stranger = client(withKey(`0x${'77'.repeat(32)}`, fresh), fresh);
    await expect(stranger.commitment(id)).rejects.toBeInstanceOf(NotSeated);
    const keys = await stranger.boardKeys();
    const made = (await frames(await eventsOf('battleship', id))).at(-1)?.game.committed[0];
    const key = (await host.commitment(id)).gameKey;
    const open = () => keys.recover(key, made?.root as never, made?.sealed as never);
    expect(open).toThrow(PlacementLost);
    const opening = stranger.open({ size: 6, fleet: FLEETS[0] }, { control: 0 });
    await expect(opening).rejects.toBeInstanceOf(InsufficientFunds);
  });

  test('who hits every ship proves their board and is paid', async () => {
    const before = await chain.balance(guest.player.address);
    const targets = [...(await host.commitment(id)).shipCells];
    const waters = [30, 31, 32, 24, 25, 26, 27, 18, 19].values();
    for (;;) {
      const game = await host.game(id);
      if (game.phase !== 'playing') break;
      if (await clients[game.onTurn].serve(id, { atOnce: false })) continue;
      const cell = game.onTurn === 1 ? targets.shift() : waters.next().value;
      await clients[game.onTurn].fire(id, cell as number);
    }
    expect(await guest.serve(id)).toBe(true);
    const ended = await host.game(id);
    expect(ended).toMatchObject({ phase: 'ended', outcome: 'won', winners: [1] });
    expect(await chain.balance(guest.player.address)).toBeGreaterThan(before + (19n * STAKE) / 10n);
    expect(await host.serve(id)).toBe(true); // the loser shows that they were honest
    expect(await host.serve(id)).toBe(false);
  });

  test('the events replay to what was played, and show no more than was known', async () => {
    const seen = frames(await eventsUpTo('BoardRevealed', 'battleship', id));
    const last = seen.at(-1) as Frame;
    expect(last.event.name).toBe('BoardRevealed');
    expect(last.game.result).toEqual(['fair', 1]);
    expect(last.game.state?.boards[0].sunk.length).toBe(2);
    expect(SEATS.map((seat) => revealedFleet(last.game, seat))).toEqual(FLEETS);
    const shown = seen.findIndex((each) => each.event.name === 'BoardRevealed');
    const early = seen.slice(0, shown).map((each) => each.game.state);
    expect(early.every((state) => !state?.boards.some((board) => board.fleet))).toBe(true);
    const own = asKnown(seen, 0, FLEETS[0]).slice(0, shown);
    expect(own.some((each) => each.game.state?.boards[0].fleet)).toBe(true);
    expect(own.some((each) => each.game.state?.boards[1].fleet)).toBe(false);
  });

  test('nothing is left on its way', () => {
    for (const [each, { store }] of [
      [host, hostBrowser],
      [guest, guestBrowser],
    ] as const) {
      expect(new PendingList(stack.chainId, each.player.address, store).all()).toEqual([]);
    }
  });

  test('the session is revoked, and its money goes back', async () => {
    const sessions = guest.player.sessions as Sessions;
    expect((await sessions.status(contract))?.active).toBe(true);
    await sessions.revoke(contract);
    expect(await sessions.status(contract)).toMatchObject({ until: 0, active: false });
    expect(await sessions.signer(contract)).toBeNull();
    const before = await chain.balance(guest.player.address);
    const sent = await sessions.sendBack(contract);
    expect(sent).toBeGreaterThan(10n ** 16n);
    expect(await chain.balance(guest.player.address)).toBe(before + sent);
    await expect(sessions.revoke(contract)).rejects.toMatchObject({ error: 'Table_SessionEnded' });
    await sessions.authorize(contract, { seconds: 100, gasMoney: 10n ** 17n });
    expect((await sessions.status(contract))?.active).toBe(true);
  });
});

test('many calls of one account at once get nonces of their own', async () => {
  const ids = await Promise.all(
    [1n, 2n, 3n].map((stake) =>
      host.quickMatch({ size: 8, fleet: FLEETS[0] }, { control: 0, stake }),
    ),
  );
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(await host.ownFleet(id)).toEqual(FLEETS[0]);
  await Promise.all(ids.map((id) => host.cancel(id)));
  expect((await host.game(ids[0] as number)).phase).toBe('cancelled');
});

test('of two tabs one answers', async () => {
  const id = await begin();
  const first = (await host.game(id)).onTurn;
  await clients[first].fire(id, WATER[first]);
  const shared = [hostBrowser, guestBrowser][other(first)] as Shared;
  const tab = client(clients[other(first)].player, shared);
  const served = await Promise.all([tab, clients[other(first)]].map((each) => each.serve(id)));
  expect(served.sort()).toEqual([false, true]);
});

test('who resigns shows nothing; the other proves', async () => {
  const id = await begin();
  await host.resign(id);
  expect(await host.serve(id)).toBe(false);
  expect(await guest.serve(id)).toBe(true);
  expect(await guest.game(id)).toMatchObject({ outcome: 'resigned', winners: [1] });
});

test('an offer that both make ends the game', async () => {
  const id = await begin();
  await host.offerDraw(id);
  expect((await host.game(id)).consents).toEqual([0]);
  await expect(host.offerDraw(id)).rejects.toMatchObject({ key: 'error.alreadyOffered' });
  await guest.offerDraw(id);
  expect(await guest.game(id)).toMatchObject({ phase: 'ended', outcome: 'drawn' });
});
