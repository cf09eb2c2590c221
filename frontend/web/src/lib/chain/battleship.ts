/** The client of contracts/battleship/IBattleship.sol: one player's boards, shots, answers and proofs. */
import * as v from 'valibot';
import {
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type Hex,
  zeroAddress,
} from 'viem';
import { BoardKeys } from '../battleship/boardKeys';
import type { Commitment, GameKey } from '../battleship/commitment';
import { checkFleet, type Fleet, fleetCells, type Kind, shipCells } from '../battleship/fleets';
import { replay } from '../battleship/replay';
import { SEATS, type Seat } from '../events';
import { battleshipAbi } from './abi/battleship';
import { ContractError, NothingToAnswer } from './errors';
import { type Game, seatOf } from './game';
import { bytes32, shaped } from './shapes';
import { type Opening, TableClient } from './table';

/** What a player sits down with. */
export interface Side {
  readonly size: number;
  readonly fleet: Fleet;
}

/** The shooting as the contract has it. `firedAt`: cells of the own board; `due`: to be answered. */
interface Shooting {
  readonly size: number;
  readonly shots: number;
  readonly due: number | null;
  readonly firedAt: ReadonlySet<number>;
}

const StoredKeys = v.object({ secret: bytes32, recoverable: v.boolean() });
const NONCE_ATTEMPTS = 3;
const FAIR = 1; // IBattleship.Verdict
const UNKNOWN = 0; // IBattleship.Honesty

/**
 * One player at the contract. All secrets come from their own signature (see boardKeys.ts): another
 * browser with the same key or wallet goes on where this one has stopped.
 */
export class BattleshipClient extends TableClient {
  protected override readonly abi = battleshipAbi;
  /** By root: an id may come to be another game's, and who opens falsely loses. */
  readonly #commitments = new Map<Hex, Commitment>();
  /** By deployment: a chain that was reset asks for other keys. */
  readonly #keys = new Map<Hex, Promise<BoardKeys>>();

  // ── before the game ──

  /** Open a game, paying the stake; its id. Throws IllegalFleet. */
  open({ size, fleet }: Side, { control, opponent, stake = 0n }: Opening): Promise<number> {
    return this.#committing(size, fleet, (made) =>
      this.newGame('open', [BigInt(size), made, control, opponent ?? zeroAddress], stake),
    );
  }

  /**
   * Join the longest-waiting game of this size, time control and stake, or open one; its id. Throws
   * IllegalFleet.
   */
  quickMatch({ size, fleet }: Side, { control, stake = 0n }: Opening): Promise<number> {
    return this.#committing(size, fleet, (made) =>
      this.newGame('quickMatch', [BigInt(size), made, control], stake),
    );
  }

  /** Take the free seat with a fleet, and pay the stake that was shown. Throws IllegalFleet. */
  async join(id: number, fleet: Fleet, stake: bigint): Promise<void> {
    await this.#committing(await this.size(id), fleet, async (made) => {
      await this.transact('join', [BigInt(id), made], stake);
      return id;
    });
  }

  // ── during the game ──

  /** Fire, and in the same transaction answer the shot that is due. */
  async fire(id: number, cell: number): Promise<void> {
    const answer = await this.#answerDue(id);
    if (answer) await this.transact('answerAndFire', [...answer.args, BigInt(cell)]);
    else await this.transact('fire', [BigInt(id), BigInt(cell)]);
  }

  /** Answer the shot at the own board. Throws NothingToAnswer. */
  async answer(id: number): Promise<void> {
    const answer = await this.#answerDue(id);
    if (!answer) throw new NothingToAnswer(`no shot at the own board waits in game ${id}`);
    await this.transact('answer', answer.args);
  }

  /** Prove the own board. */
  async reveal(id: number): Promise<void> {
    const { placement, seed } = await this.commitment(id);
    await this.transact('reveal', [BigInt(id), placement, seed]);
  }

  /**
   * Do what this player owes without a choice of theirs: draw, answer, prove; whether they did.
   *
   * `atOnce`: answer now; else only where that ends the shooting, and leave it to `fire`. One tab at a
   * time does it for a game; another one does nothing meanwhile.
   */
  async serve(id: number, { atOnce = true } = {}): Promise<boolean> {
    const lock = `serve ${this.storedAs('game')} ${id}`;
    const served = await this.shared.locks.ifFree(lock, () => this.#serve(id, atOnce));
    return served ?? false;
  }

  async #serve(id: number, atOnce: boolean): Promise<boolean> {
    const game = await this.game(id);
    const seat = seatOf(game, this.player.address);
    if (seat === null) return false;
    if (game.phase === 'drawing') return this.settleDrawIfDue(game);
    if (game.phase === 'playing') return game.onTurn === seat && this.#serveAnswer(id, atOnce);
    if (await this.owesProof(game, seat)) {
      await this.reveal(id);
      return true;
    }
    if (await this.mayReveal(game, seat)) return inTime(this.reveal(id));
    return this.tend(game);
  }

  async #serveAnswer(id: number, atOnce: boolean): Promise<boolean> {
    const answer = await this.#answerDue(id);
    if (!answer || !(atOnce || answer.last)) return false;
    await this.transact('answer', answer.args);
    return true;
  }

  /** Close a proof clock that has run out, as anybody may; whether this player did. */
  async tend(game: Game): Promise<boolean> {
    if (game.phase !== 'proving') return false;
    for (const seat of SEATS) {
      const [, owed] = await this.#proofClock(game.id, seat);
      if (owed && (await inTime(this.closeProof(game.id, seat)))) return true;
    }
    return false;
  }

  // ── views ──

  /** Columns, and rows, of the boards (0: no such game). */
  async size(id: number): Promise<number> {
    return Number((await this.#view('shootingOf', [BigInt(id)])).size);
  }

  /** What this player committed, opened from what they published. Throws NotSeated, PlacementLost. */
  async commitment(id: number): Promise<Commitment> {
    return this.#committed(id, await this.seat(id));
  }

  /** The chain says which board it is; the API only what was published with it. */
  async #committed(id: number, seat: Seat): Promise<Commitment> {
    const [root] = await this.#view('boardOf', [BigInt(id), seat]);
    const known = this.#commitments.get(root);
    if (known) return known;
    const seen = replay(await this.events(id));
    const made = seen.committed[seat];
    if (made?.root !== root) {
      throw new NothingToAnswer(`the board of seat ${seat} is not published yet`);
    }
    const keys = await this.boardKeys();
    const opened = keys.recover(this.#gameKey(made.nonce, seen.size), root, made.sealed as Hex);
    this.#commitments.set(root, opened);
    return opened;
  }

  async ownFleet(id: number): Promise<Fleet> {
    return (await this.commitment(id)).fleet;
  }

  /** Whether that seat is asked to prove its board. */
  async owesProof(game: Game, seat: Seat): Promise<boolean> {
    return game.phase === 'proving' && (await this.#proofClock(game.id, seat))[1];
  }

  /** Whether the loser of a fair game may show that they were honest, if there is time yet. */
  async mayReveal(game: Game, seat: Seat): Promise<boolean> {
    if (game.phase !== 'ended') return false;
    const [verdict, [, , honesty]] = await Promise.all([
      this.#view('verdictOf', [BigInt(game.id)]),
      this.#view('boardOf', [BigInt(game.id), seat]),
    ]);
    return verdict === FAIR && honesty === UNKNOWN;
  }

  /**
   * The player's board keys; signed for once for each deployment and kept in this browser. Unless
   * `recoverable`, a backup must keep them.
   */
  async boardKeys(): Promise<BoardKeys> {
    const deployment = await this.#view('deploymentId', []);
    const known = this.#keys.get(deployment);
    if (known) return known;
    const loading = this.#loadKeys(deployment);
    this.#keys.set(deployment, loading);
    loading.catch(() => this.#keys.delete(deployment)); // who refused to sign is asked again
    return loading;
  }

  async #loadKeys(deployment: Hex): Promise<BoardKeys> {
    const name = `${this.storedAs('boards')}.${deployment}`;
    const stored = shaped(StoredKeys, this.shared.store.read(name));
    if (stored) return new BoardKeys(stored);
    const { owner } = this.player;
    const { chainId } = this.chain;
    const keys = await BoardKeys.fromWallet(owner, chainId, this.contract, deployment);
    this.shared.store.write(name, keys.stored());
    return keys;
  }

  // ── commitments ──

  /** Another tab may take the nonce first: then commit anew. */
  async #committing(
    size: number,
    fleet: Fleet,
    send: (made: { nonce: bigint; root: Hex; sealedPlacement: Hex }) => Promise<number>,
  ): Promise<number> {
    const checked = checkFleet(size, fleet);
    const keys = await this.boardKeys();
    for (let attempt = 1; ; attempt++) {
      const nonce = Number(await this.#view('nextNonce', [this.player.address]));
      const { commitment, sealed } = keys.commit(this.#gameKey(nonce, size), checked);
      try {
        const made = { nonce: BigInt(nonce), root: commitment.root, sealedPlacement: sealed };
        const id = await send(made);
        this.#commitments.set(commitment.root, commitment);
        return id;
      } catch (error) {
        const taken = error instanceof ContractError && error.error === 'Battleship_WrongNonce';
        if (!taken || attempt === NONCE_ATTEMPTS) throw error;
      }
    }
  }

  #gameKey(nonce: number, size: number): GameKey {
    const { chainId } = this.chain;
    return { chainId, contract: this.contract, player: this.player.address, nonce, size };
  }

  // ── answers ──

  /** What answers the shot that is due, null where none is; `last`: it ends the shooting. */
  async #answerDue(id: number): Promise<{ args: readonly unknown[]; last: boolean } | null> {
    const game = await this.game(id);
    const seat = seatOf(game, this.player.address);
    if (game.phase !== 'playing' || seat !== game.onTurn) return null;
    const shooting = await this.#shooting(id, seat);
    if (shooting.due === null) return null;
    const commitment = await this.#committed(id, seat);
    const { cell, isShip, salt, proof } = commitment.open(shooting.due);
    const sunk = sunkBy(commitment.fleet, shooting);
    const args = [BigInt(id), BigInt(cell), isShip, salt, proof, sunk];
    return { args, last: endsShooting(commitment, shooting) };
  }

  async #shooting(id: number, seat: Seat): Promise<Shooting> {
    const [shooting, words] = await Promise.all([
      this.#view('shootingOf', [BigInt(id)]),
      this.#view('firedAt', [BigInt(id), seat]),
    ]);
    return {
      size: Number(shooting.size),
      shots: Number(shooting.shots),
      due: shooting.answerDue ? Number(shooting.target) : null,
      firedAt: cellsIn(words),
    };
  }

  #proofClock(id: number, seat: Seat) {
    return this.#view('proofClockOf', [BigInt(id), seat]);
  }

  readonly #view: View = (name, args) =>
    this.chain.read(battleshipAbi, this.contract, name, args as never) as never;
}

type Abi = typeof battleshipAbi;
type Name = ContractFunctionName<Abi, 'view' | 'pure'>;
type View = <N extends Name>(
  name: N,
  args: ContractFunctionArgs<Abi, 'view' | 'pure', N>,
) => Promise<ContractFunctionReturnType<Abi, 'view' | 'pure', N>>;

const NOT_IN_TIME = new Set(['Table_DeadlineNotPassed', 'Battleship_RevealClosed']);

/** Whether it is the time for what was sent: the chain says so when it is tried out. */
async function inTime(sending: Promise<void>): Promise<boolean> {
  try {
    await sending;
    return true;
  } catch (error) {
    if (error instanceof ContractError && NOT_IN_TIME.has(error.error)) return false;
    throw error;
  }
}

/** The ship of the own fleet that the shot which is due completes, 0 if none. */
function sunkBy(fleet: Fleet, { size, due, firedAt }: Shooting): Kind | 0 {
  const ship = fleet.find((each) => shipCells(each, size).includes(due ?? -1));
  if (!ship) return 0;
  return shipCells(ship, size).every((cell) => firedAt.has(cell)) ? ship.kind : 0;
}

/** Whether every ship cell is hit, or every cell shot at. */
function endsShooting({ shipCells: ships }: Commitment, { size, firedAt }: Shooting): boolean {
  const hits = [...ships].filter((cell) => firedAt.has(cell)).length;
  return hits === fleetCells(size) || firedAt.size === size * size;
}

function cellsIn([low, high]: readonly [bigint, bigint]): ReadonlySet<number> {
  const bits = low | (high << 256n);
  return new Set([...Array(512).keys()].filter((cell) => (bits >> BigInt(cell)) & 1n));
}
