import { expect, test } from 'vitest';
import { asKnown, frames } from '../../src/lib/bunkerwar/frames';
import { Board, type Move, parseMove } from '../../src/lib/bunkerwar/rules';
import { BunkerWarClient, type Step } from '../../src/lib/chain/bunkerwar';
import type { Player } from '../../src/lib/chain/player';
import type { Sessions } from '../../src/lib/chain/session';
import type { Shared } from '../../src/lib/chain/signer';
import { other, type Seat } from '../../src/lib/events';
import { FhevmClient, Gateway, NotAllowed } from '../../src/lib/fhevm';
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

const contract = contractOf('bunkerwar');
const fhevm = () => FhevmClient.connect(new Gateway(stack.web));

function optionsOf(player: Player, shared: Shared) {
  const events = (id: number) => eventsOf('bunkerwar', id);
  return { chain, contract, player, events, fhevm, shared };
}

function client(player: Player, shared: Shared): BunkerWarClient {
  return new BunkerWarClient(optionsOf(player, shared));
}

const hostBrowser = newBrowser();
const guestBrowser = newBrowser();
const host = client(withKey(HOST_KEY, hostBrowser), hostBrowser);
const wallet = withWallet(GUEST_KEY, guestBrowser);
const guest = client(wallet.player, guestBrowser);
const clients = [host, guest] as const;
const steps: Step[] = [];

async function act(id: number, text: string): Promise<Seat> {
  const game = await until('the turn', async () => {
    const now = await host.game(id);
    return now.phase === 'playing' && now;
  });
  const move: Move = parseMove(text);
  const actor = clients[game.onTurn];
  if (move.kind === 'missile') await actor.sendMissile(id, move.lane);
  else await actor.build(id, move.lane, move.depth, move.cell === 'b', (step) => steps.push(step));
  return game.onTurn;
}

test('a whole game: builds, a missile, own boards read elsewhere, the result', async () => {
  const sessions = guest.player.sessions as Sessions;
  await sessions.authorize(contract, { seconds: 5_000, gasMoney: 10n ** 18n });
  const size = { lanes: 2, depth: 2, stacked: false };
  const id = await host.quickMatch(size, { control: 0, stake: 10n });
  await guest.join(id, 10n);

  const first = await act(id, 'H a1');
  await act(id, 'B a1');
  await act(id, 'H b1');
  await act(id, 'H a2');
  await act(id, 'M a'); // destroys a2, stops at a1
  await act(id, 'M a'); // destroys the house at a1
  await act(id, 'B b2');
  await act(id, 'H b1');
  expect(steps.slice(0, 2)).toEqual(['encrypting', 'sending']);

  await until('the result', async () => (await host.game(id)).phase === 'ended');
  expect((await host.game(id)).outcome).toBe('drawn'); // one house each

  const events = await eventsUpTo('GameEnded', 'bunkerwar', id);
  const boards = { [first]: '../hb', [other(first)]: 'B./h.' };
  for (const seat of [0, 1] as const) {
    expect(String(await clients[seat].ownBoard(id))).toBe(boards[seat]);
  }
  const offline = async () => Promise.reject(new Error('no gateway is needed'));
  const remembering = new BunkerWarClient({
    ...optionsOf(host.player, hostBrowser),
    fhevm: offline,
  });
  expect(String(await remembering.ownBoard(id))).toBe(boards[0]);
  const fresh = newBrowser();
  const elsewhere = client(withKey(HOST_KEY, fresh), fresh);
  expect(String(await elsewhere.ownBoard(id))).toBe(boards[0]);

  const seen = frames(events);
  expect(seen.at(-1)?.game.result).toBe('tie');
  expect(seen.every((each) => each.move?.kind !== 'build' || each.move.cell === '?')).toBe(true);
  const own = asKnown(seen, first, Board.parse(boards[first] as string));
  const built = own.flatMap(({ seat, move }) =>
    seat === first && move?.kind === 'build' ? [move.cell] : [],
  );
  expect(built).toEqual(['h', 'h', 'b']);
});

test('what the other has built can not be read', async () => {
  const id = await host.open({ lanes: 1, depth: 2, stacked: true }, { control: 0 });
  await guest.join(id, 0n);
  const first = await act(id, 'B a1');
  const { bunkerWarAbi } = await import('../../src/lib/chain/abi/bunkerWar');
  const handles = await chain.read(bunkerWarAbi, contract, 'boardOf', [BigInt(id), first]);
  const thief = clients[other(first)];
  const gateway = await fhevm();
  const permit = await gateway.permit(thief.player.owner, [contract]);
  const read = gateway.userDecrypt(permit, [handles[0]?.[0] as `0x${string}`], contract);
  await expect(read).rejects.toBeInstanceOf(NotAllowed);
  const far = clients[other(first)].build(id, 0, 1, false);
  await expect(far).rejects.toMatchObject({ error: 'BunkerWar_CellUnsupported' });
});
