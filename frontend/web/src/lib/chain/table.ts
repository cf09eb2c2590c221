/** The client of contracts/table/ITable.sol: seats, stakes, clock, payout. Knows no game. */
import { type Abi, type Address, encodeFunctionData, type Hex, hexToBigInt } from 'viem';
import type { GameEvent, Seat } from '../events';
import { tableAbi } from './abi/table';
import type { Call, Chain, Receipt } from './chain';
import { ContractError, DeploymentOutdated, NotSeated, TransactionFailed } from './errors';
import { type Game, parseGame, seatOf } from './game';
import type { Player } from './player';
import { type Shared, type Signer, sharedByTabs } from './signer';

/** `events`: one game's, in order, as the API gives them. */
export interface TableOptions {
  readonly chain: Chain;
  readonly contract: Address;
  readonly player: Player;
  readonly events: (id: number) => Promise<readonly GameEvent[]>;
  readonly shared?: Shared;
}

/** In seconds: until a void may be announced, from there to the void, for a proof. */
export interface Clocks {
  readonly wait: number;
  readonly notice: number;
  readonly proof: number;
}

/** Seconds for a move, and how often a game a player may take as many again. */
export interface TimeControl {
  readonly move: number;
  readonly keepAlives: number;
}

export interface Session {
  readonly player: Address;
  /** The last second in which it acts. */
  readonly until: number;
}

/** How a game is opened; `control`: the index of its time control, `stake` in wei. */
export interface Opening {
  readonly control: number;
  readonly opponent?: Address | null;
  readonly stake?: bigint;
}

/**
 * One player at one game contract. What each call does, and when it reverts, ITable.sol says.
 *
 * Every call that sends throws what Signer.send does; a revert is a ContractError.
 */
export class TableClient {
  readonly chain: Chain;
  readonly contract: Address;
  readonly player: Player;
  protected readonly abi: Abi = tableAbi;
  protected readonly events: TableOptions['events'];
  protected readonly shared: Shared;

  constructor({ chain, contract, player, events, shared = sharedByTabs() }: TableOptions) {
    this.chain = chain;
    this.contract = contract;
    this.player = player;
    this.events = events;
    this.shared = shared;
  }

  // ── before the game ──

  /** Give an open game's seat back, for the stake. */
  async leaveSeat(id: number): Promise<void> {
    await this.transact('leaveSeat', [BigInt(id)]);
  }

  /** End an open game; every stake goes back. */
  async cancel(id: number): Promise<void> {
    await this.transact('cancel', [BigInt(id)]);
  }

  /** Draw the first seat and start the clock. */
  async settleDraw(id: number): Promise<void> {
    await this.transact('settleDraw', [BigInt(id)]);
  }

  /** Set a new target where the draw's block is out of reach. */
  async rescheduleDraw(id: number): Promise<void> {
    await this.transact('rescheduleDraw', [BigInt(id)]);
  }

  /** Settle, or reschedule, a draw whose block has come; whether this player did. */
  async settleDrawIfDue(game: Game): Promise<boolean> {
    if (game.phase !== 'drawing' || (await this.chain.blockNumber()) <= game.mark) return false;
    try {
      await this.settleDraw(game.id);
      return true;
    } catch (error) {
      if (error instanceof TransactionFailed) return false; // somebody was faster
      if (!(error instanceof ContractError)) throw error;
      if (error.error === 'Table_DrawMissed') await this.rescheduleDraw(game.id);
      else if (!SOMEBODY_WAS_FASTER.has(error.error)) throw error;
      return error.error === 'Table_DrawMissed';
    }
  }

  // ── during the game ──

  /** Extend the own clock instead of moving. */
  async keepAlive(id: number): Promise<void> {
    await this.transact('keepAlive', [BigInt(id)]);
  }

  /** Offer a draw in the present position, or accept the other's offer. */
  async offerDraw(id: number): Promise<void> {
    const { moveNumber } = await this.game(id);
    await this.transact('offerDraw', [BigInt(id), BigInt(moveNumber)]);
  }

  /** Give the game to the other. */
  async resign(id: number): Promise<void> {
    await this.transact('resign', [BigInt(id)]);
  }

  /** End the game against the player on turn, after their deadline. */
  async claimTimeout(id: number): Promise<void> {
    await this.transact('claimTimeout', [BigInt(id)]);
  }

  /** Say that a seat's proof did not come in time. */
  async closeProof(id: number, seat: Seat): Promise<void> {
    await this.transact('closeProof', [BigInt(id), seat]);
  }

  /** Announce the void of a game that waits too long. */
  async announceVoid(id: number): Promise<void> {
    await this.transact('announceVoid', [BigInt(id)]);
  }

  /** Void an announced game that still waits; stakes go back. */
  async voidGame(id: number): Promise<void> {
    await this.transact('voidGame', [BigInt(id)]);
  }

  // ── session keys and money ──

  /** Whom `key` acts for; null where it is no session key. This browser's own keys: `Sessions`. */
  async session(key: Address): Promise<Session | null> {
    const [player, until] = await this.chain.read(tableAbi, this.contract, 'sessionOf', [key]);
    return /^0x0+$/.test(player) ? null : { player, until: Number(until) };
  }

  /** What `withdraw` would pay, in wei. */
  async credit(): Promise<bigint> {
    return this.chain.read(tableAbi, this.contract, 'creditOf', [this.player.address]);
  }

  /** Take the player's credit, to themselves unless `to` is given. */
  async withdraw(to: Address = this.player.address): Promise<void> {
    await this.sendBy(this.player.owner, 'withdraw', [to]);
  }

  // ── views ──

  /** The state of a game (phase `none` where there is none). */
  async game(id: number): Promise<Game> {
    const [turn, seats] = await Promise.all([
      this.chain.read(tableAbi, this.contract, 'turnOf', [BigInt(id)]),
      this.chain.read(tableAbi, this.contract, 'seatsOf', [BigInt(id)]),
    ]);
    return parseGame(id, turn, seats);
  }

  async clocks(): Promise<Clocks> {
    return this.chain.read(tableAbi, this.contract, 'clocks', []);
  }

  /** Throws DeploymentOutdated where the contract is one of those that counted blocks. */
  async timeControls(): Promise<readonly TimeControl[]> {
    try {
      return await this.chain.read(tableAbi, this.contract, 'timeControls', []);
    } catch (error) {
      if (error instanceof ContractError) throw new DeploymentOutdated(this.contract);
      throw error;
    }
  }

  /** The player's seat. Throws NotSeated. */
  async seat(id: number): Promise<Seat> {
    const seat = seatOf(await this.game(id), this.player.address);
    if (seat === null) throw new NotSeated(`${this.player.address} does not sit in game ${id}`);
    return seat;
  }

  // ── for the games' clients ──

  /** Send a call of the contract by whoever signs for the player now. */
  protected async transact(
    functionName: string,
    args: readonly unknown[],
    value = 0n,
  ): Promise<Receipt> {
    const sender = await this.player.sender(this.contract, value);
    return this.sendBy(sender, functionName, args, value);
  }

  protected sendBy(
    signer: Signer,
    functionName: string,
    args: readonly unknown[],
    value = 0n,
  ): Promise<Receipt> {
    const data = encodeFunctionData({ abi: this.abi, functionName, args } as never) as Hex;
    const call: Call = { to: this.contract, data, value, label: functionName };
    return signer.send(call);
  }

  /** Send what opens or joins a game; its id. */
  protected async newGame(
    functionName: string,
    args: readonly unknown[],
    value: bigint,
  ): Promise<number> {
    const { logs } = await this.transact(functionName, args, value);
    const ours = logs.find((log) => log.address.toLowerCase() === this.contract.toLowerCase());
    const id = ours?.topics[1];
    if (!id) throw new Error('opening and joining tell the game’s id');
    return Number(hexToBigInt(id));
  }

  /** A name for what this player keeps at this contract. */
  protected storedAs(what: string): string {
    return `${what}.${this.chain.chainId}.${this.contract}.${this.player.address}`;
  }
}

const SOMEBODY_WAS_FASTER = new Set(['Table_WrongPhase', 'Table_DrawNotYet']);
