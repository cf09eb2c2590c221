// @vitest-environment node
import { type Hex, hashTypedData, hexToBytes, keccak256 } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { BoardKeys, typedData, WARNING } from '../../../src/lib/battleship/boardKeys';
import {
  Commitment,
  covered,
  depthOf,
  type GameKey,
  gameKeyDigest,
  leaf,
  openingRoot,
  packFleet,
  unpackFleet,
} from '../../../src/lib/battleship/commitment';
import * as errors from '../../../src/lib/battleship/errors';
import { fleetText, parseFleet, randomFleet, SIZES } from '../../../src/lib/battleship/fleets';
import { type Vector, vectors } from '../../vectors';

const VECTORS = vectors('battleship-commitment');
const { contract, player, deployment, chain_id: chainId } = VECTORS;
const PLACEMENTS = vectors('battleship-fleets').placements;
const ACCOUNT = privateKeyToAccount(VECTORS.private_key);
const FLEET = parseFleet('CR 0 0 h, DE 2 2 v');
const SEED: Hex = `0x${'07'.repeat(32)}`;
const KEYS = new BoardKeys({ secret: SEED, recoverable: true });
const GAME_KEY: GameKey = { chainId: 1, contract, player, nonce: 0, size: 6 };

test('the secret comes from the wallet as in Python', async () => {
  const keys = await BoardKeys.fromWallet(ACCOUNT, chainId, contract, deployment);
  expect(keys.stored()).toEqual({ secret: VECTORS.secret, recoverable: true });
});

describe.each<Vector>(VECTORS.boards)('board of $size', (board) => {
  const keys = new BoardKeys({ secret: VECTORS.secret, recoverable: true });
  const gameKey = { chainId, contract, player, nonce: board.nonce, size: board.size };
  const made = keys.commit(gameKey, parseFleet(board.fleet), () => hexToBytes(board.fresh));
  const { commitment, sealed } = made;

  test('is committed and sealed as in Python', () => {
    expect(gameKeyDigest(gameKey)).toBe(board.game_key);
    expect(commitment.placement).toBe(board.placement);
    expect(commitment.seed).toBe(board.seed);
    expect(commitment.boardKey).toBe(board.board_key);
    expect(commitment.root).toBe(board.root);
    expect(sealed).toBe(board.sealed);
  });

  test('is recovered from what was published', () => {
    const again = keys.recover(gameKey, board.root, board.sealed);
    expect([again.seed, again.placement]).toEqual([board.seed, board.placement]);
    expect(fleetText(again.fleet)).toBe(board.fleet);
  });

  test.each<Vector>(board.openings)('opens cell $cell', (given) => {
    const opening = commitment.open(given.cell);
    const { cell, is_ship: isShip, salt, proof } = given;
    expect(opening).toEqual({ cell, isShip, salt, proof });
    expect(leaf(board.game_key, cell, opening.isShip, opening.salt)).toBe(given.leaf);
    expect(openingRoot(opening, board.game_key)).toBe(board.root);
    expect(opening.proof).toHaveLength(depthOf(board.size));
  });
});

test.each<Vector>(PLACEMENTS)('any 16 bytes: $placement on $size', (each) => {
  expect([...covered(each.placement, each.size)].sort((a, b) => a - b)).toEqual(each.covered);
  if (each.error) expect(() => unpackFleet(each.placement)).toThrow(errors.MalformedPlacement);
  else expect(fleetText(unpackFleet(each.placement))).toBe(each.fleet);
});

test.each(SIZES)('packing round-trips on %i', (size) => {
  const fleet = randomFleet(size);
  expect(unpackFleet(packFleet(fleet))).toEqual(fleet);
});

test('what has no packed form is refused', () => {
  const ship = { kind: 2, x: 0, y: 0, vertical: false } as const;
  const wrong = [
    [{ ...ship, x: 32 }],
    [{ ...ship, y: -1 }],
    [{ ...ship, x: 0.5 }],
    Array(9).fill(ship),
  ];
  for (const fleet of wrong) expect(() => packFleet(fleet)).toThrow(errors.MalformedPlacement);
  for (const text of ['0x', `0x${'00'.repeat(15)}`, `0x${'0g'.repeat(16)}`, `0x${'00'.repeat(17)}`])
    expect(() => unpackFleet(text as Hex)).toThrow(errors.MalformedPlacement);
});

test('a false opening leads to another root', () => {
  const commitment = new Commitment(GAME_KEY, packFleet(FLEET), SEED);
  const digest = gameKeyDigest(GAME_KEY);
  for (let cell = 0; cell < 36; cell++) {
    const true_ = commitment.open(cell);
    expect(openingRoot(true_, digest)).toBe(commitment.root);
    const lies = [
      { ...true_, isShip: !true_.isShip },
      { ...true_, cell: (cell + 1) % 36 },
      { ...true_, salt: commitment.salt((cell + 1) % 36) },
      { ...true_, proof: true_.proof.slice(1) },
      { ...true_, proof: [...true_.proof].reverse() },
    ];
    for (const lie of lies) expect(openingRoot(lie, digest)).not.toBe(commitment.root);
  }
});

test.each<Partial<GameKey>>([
  { chainId: 2 },
  { contract: player },
  { player: contract },
  { nonce: 1 },
  { size: 8 },
])('a commitment is bound to its game: %o', (changed) => {
  const roots = [GAME_KEY, { ...GAME_KEY, ...changed }].map(
    (key) => new Commitment(key, packFleet(FLEET), SEED).root,
  );
  expect(roots[0]).not.toBe(roots[1]);
});

test('two layouts with equal cells have different roots', () => {
  const placements = ['DE 0 0 h, CR 2 0 h', 'CR 0 0 h, DE 3 0 h'].map((text) =>
    packFleet(parseFleet(text)),
  );
  const [one, two] = placements.map((placement) => new Commitment(GAME_KEY, placement, SEED));
  expect(one?.shipCells).toEqual(two?.shipCells);
  expect(one?.root).not.toBe(two?.root);
});

test('an illegal fleet is not committed', () => {
  expect(() => KEYS.commit(GAME_KEY, parseFleet('CR 0 0 h, DE 0 0 v'))).toThrow(
    errors.ShipsOverlap,
  );
});

test('the same fleet is never published alike', () => {
  const [one, two] = [KEYS.commit(GAME_KEY, FLEET), KEYS.commit(GAME_KEY, FLEET)];
  expect(one.sealed).not.toBe(two.sealed);
  expect(one.commitment.root).not.toBe(two.commitment.root);
});

test('other keys open nothing', () => {
  const { commitment, sealed } = KEYS.commit(GAME_KEY, FLEET);
  const other = new BoardKeys({ secret: keccak256(SEED), recoverable: true });
  const { root } = commitment;
  for (const [keys, key, text] of [
    [other, GAME_KEY, sealed],
    [KEYS, { ...GAME_KEY, nonce: 1 }, sealed],
    [KEYS, GAME_KEY, SEED],
    [KEYS, GAME_KEY, `${sealed}00`],
    [KEYS, GAME_KEY, '0x'],
  ] as const)
    expect(() => keys.recover(key, root, text)).toThrow(errors.PlacementLost);
});

describe('a wallet', () => {
  async function keysOf(signTypedData: () => Promise<Hex>) {
    const signer = { address: ACCOUNT.address, signTypedData };
    return BoardKeys.fromWallet(signer, chainId, contract, deployment);
  }
  const message = typedData(chainId, contract, deployment);

  test('that is used again gives the boards back in another browser', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const [one, two] = await Promise.all(
      [1, 2].map(() => BoardKeys.fromWallet(account, chainId, contract, deployment)),
    );
    const made = one?.commit(GAME_KEY, FLEET);
    const again = two?.recover(GAME_KEY, made?.commitment.root as Hex, made?.sealed as Hex);
    expect(again?.fleet).toEqual(FLEET);
  });

  test('that signs anew each time gets a secret to keep', async () => {
    const signatures = [await ACCOUNT.signTypedData(message), `0x${'02'.repeat(65)}`] as Hex[];
    const keys = await keysOf(async () => signatures.shift() as Hex);
    expect(keys.recoverable).toBe(false);
    const { commitment, sealed } = keys.commit(GAME_KEY, FLEET);
    const kept = new BoardKeys(keys.stored());
    expect(kept.recover(GAME_KEY, commitment.root, sealed).seed).toBe(commitment.seed);
  });

  /** What a contract wallet gives as a signature may be the same for everybody. */
  test.each<Hex>([
    `0x${'00'.repeat(12)}${ACCOUNT.address.slice(2)}${'00'.repeat(32)}01`,
    `0x${'00'.repeat(31)}20${'01'.repeat(320)}`,
    '0x1234',
  ])('whose signature is not its own key’s gets a random secret: %s', async (signature) => {
    const made = [await keysOf(async () => signature), await keysOf(async () => signature)];
    expect(made.map((keys) => keys.recoverable)).toEqual([false, false]);
    expect(made[0]?.stored().secret).not.toBe(made[1]?.stored().secret);
  });

  test('is shown a warning, and the deployment', () => {
    expect(message.message).toEqual({ warning: WARNING, deployment });
    const elsewhere = typedData(chainId, contract, SEED);
    expect(hashTypedData(elsewhere)).not.toBe(hashTypedData(message));
  });
});

test('secrets are not shown', () => {
  const { commitment } = KEYS.commit(GAME_KEY, FLEET);
  const shown = [KEYS, commitment].map((each) => JSON.stringify(each) + String(each)).join();
  for (const secret of [SEED, commitment.seed, commitment.boardKey])
    expect(shown).not.toContain(secret.slice(2));
});
