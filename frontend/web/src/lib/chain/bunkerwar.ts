/** The client of contracts/bunkerwar/IBunkerWar.sol. */
import * as v from 'valibot';
import { type Hex, zeroAddress } from 'viem';
import { replay } from '../bunkerwar/replay';
import { type Board, BUNKER, type Cell, HIDDEN, HOUSE } from '../bunkerwar/rules';
import type { FhevmClient, StoredPermit } from '../fhevm';
import { bunkerWarAbi } from './abi/bunkerWar';
import { ContractError, TransactionFailed } from './errors';
import { OwnBits } from './ownBits';
import { address, shaped } from './shapes';
import { type Opening, TableClient, type TableOptions } from './table';

export interface Size {
  readonly lanes: number;
  readonly depth: number;
  readonly stacked: boolean;
}

/** `fhevm`: made at its first use, since it loads keys. */
export interface BunkerWarOptions extends TableOptions {
  readonly fhevm: () => Promise<FhevmClient>;
}

/** What a build is doing now. */
export type Step = 'encrypting' | 'sending';

const bytes = v.pipe(v.string(), v.regex(/^0x(?:[0-9a-f]{2}){1,4096}$/i)) as v.GenericSchema<
  unknown,
  Hex
>;
const KeptPermit: v.GenericSchema<unknown, StoredPermit> = v.object({
  user: address,
  contracts: v.array(address),
  start: v.number(),
  days: v.number(),
  publicKey: bytes,
  privateKey: bytes,
  signature: bytes,
});
const EMPTY_HANDLE = /^0x0+$/;
const WAS_FASTER = new Set([
  'Table_WrongPhase',
  'BunkerWar_NoMissileInFlight',
  'BunkerWar_NotCounting',
]);

/**
 * One player at the contract.
 *
 * What they have built in this browser it remembers; other own buildings are decrypted with a permit, which
 * they sign once a day.
 */
export class BunkerWarClient extends TableClient {
  protected override readonly abi = bunkerWarAbi;
  readonly #fhevm: () => Promise<FhevmClient>;
  readonly #bits: OwnBits;
  #client: Promise<FhevmClient> | undefined;

  constructor(options: BunkerWarOptions) {
    super(options);
    this.#fhevm = options.fhevm;
    this.#bits = new OwnBits(this.shared.store, this.storedAs('bits'));
  }

  // ── seats ──

  /** Open a game, paying the stake; its id. */
  open({ lanes, depth, stacked }: Size, opening: Opening): Promise<number> {
    const { control, opponent, stake = 0n } = opening;
    return this.newGame('open', [lanes, depth, stacked, control, opponent ?? zeroAddress], stake);
  }

  /** Join the longest-waiting game of this size, time control and stake, or open one; its id. */
  quickMatch({ lanes, depth, stacked }: Size, opening: Opening): Promise<number> {
    const { control, stake = 0n } = opening;
    return this.newGame('quickMatch', [lanes, depth, stacked, control], stake);
  }

  /** Take the free seat and pay the stake that was shown; the contract refuses another one. */
  async join(id: number, stake: bigint): Promise<void> {
    await this.transact('join', [BigInt(id)], stake);
  }

  // ── actions ──

  /**
   * Build a house or a bunker; encrypted anew for each attempt. Lane and depth from 0. Throws
   * FhevmErrors too.
   */
  async build(
    id: number,
    lane: number,
    depth: number,
    bunker: boolean,
    onStep: (step: Step) => void = () => {},
  ): Promise<void> {
    onStep('encrypting');
    const [sender, fhevm] = await Promise.all([this.player.sender(this.contract), this.fhevm()]);
    const { handle, proof } = await fhevm.encryptBool(this.contract, sender.address, bunker);
    this.#bits.add([handle], [bunker]);
    onStep('sending');
    await this.sendBy(sender, 'build', [BigInt(id), lane, depth, handle, proof]);
  }

  /** Send a missile; where it stops is known at once, or once somebody resolves it. */
  async sendMissile(id: number, lane: number): Promise<void> {
    await this.transact('sendMissile', [BigInt(id), lane]);
  }

  // ── decryptions, for anyone ──

  /** Bring the decryption of where the missile in flight stops; that stop. */
  resolveMissile(id: number): Promise<number> {
    return this.#bring('resolveMissile', id);
  }

  /** Bring the decrypted result, which ends the game; the winning seat, or 2 for a tie. */
  settle(id: number): Promise<number> {
    return this.#bring('settle', id);
  }

  /** Bring whatever decryption a waiting game needs; whether this player did. */
  async tend(id: number): Promise<boolean> {
    if ((await this.game(id)).phase !== 'waiting') return false;
    const { left } = await this.chain.read(bunkerWarAbi, this.contract, 'positionOf', [BigInt(id)]);
    try {
      await (left ? this.resolveMissile(id) : this.settle(id));
      return true;
    } catch (error) {
      if (error instanceof TransactionFailed) return false;
      if (error instanceof ContractError && WAS_FASTER.has(error.error)) return false;
      throw error;
    }
  }

  async #bring(functionName: string, id: number): Promise<number> {
    const args = [BigInt(id)] as const;
    const handle = await this.chain.read(bunkerWarAbi, this.contract, 'awaitedOf', args);
    const { cleartexts, proof } = await (await this.fhevm()).publicDecrypt([handle]);
    const value = Number(cleartexts[0]);
    await this.transact(functionName, [BigInt(id), value, proof]);
    return value;
  }

  // ── reading own values ──

  /**
   * The player's own board as far as they can know it: decrypted. Cells that the chain has destroyed since
   * the events were read stay hidden. Throws NotSeated, and ContractError (Table_WrongPhase)
   * before the first seat is drawn.
   */
  async ownBoard(id: number): Promise<Board> {
    const seat = await this.seat(id);
    const board = replay(await this.events(id)).state?.boards[seat];
    if (!board) throw new ContractError('Table_WrongPhase', { id });
    const args = [BigInt(id), seat] as const;
    const handles = await this.chain.read(bunkerWarAbi, this.contract, 'boardOf', args);
    const handleOf = (lane: number, depth: number) => handles[lane]?.[depth] ?? '0x';
    await this.#learn(hiddenHandles(board, handleOf));
    return board.map((cell, lane, depth) =>
      cell === HIDDEN ? known(this.#bits.get(handleOf(lane, depth))) : cell,
    );
  }

  /** The client of the gateway, made once; again after it could not be reached. */
  protected fhevm(): Promise<FhevmClient> {
    this.#client ??= this.#fhevm().catch((error) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  /** Decrypt what is not known yet. */
  async #learn(handles: readonly Hex[]): Promise<void> {
    const missing = this.#bits.missing(handles);
    if (missing.length) this.#bits.add(missing, (await this.#read(missing)).map(Boolean));
  }

  async #read(handles: readonly Hex[]) {
    const fhevm = await this.fhevm();
    const kept = shaped(KeptPermit, this.shared.store.read(this.storedAs('permit')));
    const { Permit, RequestExpired } = await import('../fhevm');
    if (kept) {
      try {
        return await fhevm.userDecrypt(new Permit(kept), handles, this.contract);
      } catch (error) {
        if (!(error instanceof RequestExpired)) throw error;
      }
    }
    const permit = await fhevm.permit(this.player.owner, [this.contract]);
    this.shared.store.write(this.storedAs('permit'), permit.secret());
    return fhevm.userDecrypt(permit, handles, this.contract);
  }
}

function hiddenHandles(board: Board, handleOf: (lane: number, depth: number) => Hex): Hex[] {
  const handles = board.cells.flatMap((cells, lane) =>
    cells.map((cell, depth) => (cell === HIDDEN ? handleOf(lane, depth) : '0x0')),
  );
  return handles.filter((handle) => !EMPTY_HANDLE.test(handle)) as Hex[];
}

function known(bunker: boolean | undefined): Cell {
  if (bunker === undefined) return HIDDEN;
  return bunker ? BUNKER : HOUSE;
}
