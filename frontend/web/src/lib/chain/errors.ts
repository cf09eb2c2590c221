/**
 * Every error that this folder throws; `key` and `params` say to a player what they can do.
 *
 * ClientError
 * ├── Unreachable             nothing answers at the chain's address
 * ├── Refused                 the node refused; the message holds its words
 * │   ├── TooManyRequests     too many at once
 * │   └── InsufficientFunds   the sender cannot pay value and gas
 * ├── WrongChain              another chain answers than the page was told of
 * ├── ContractError           a contract reverted; `error` and `args` are the Solidity error's
 * ├── TransactionError        `hash` names the transaction
 * │   ├── TransactionFailed   mined and reverted without saying why
 * │   ├── TransactionLost     not mined in time; it may still be
 * │   └── TransactionReplaced another transaction has taken its nonce
 * ├── WalletError
 * │   ├── SignatureRejected   the player said no
 * │   ├── WalletLocked        the wallet shows this page no account
 * │   ├── WalletBusy          a request is open in the wallet already
 * │   ├── WalletDisconnected  the wallet reaches no chain
 * │   ├── WrongNetwork        the wallet is on another chain
 * │   ├── AccountChanged      the wallet shows another account than the player's
 * │   └── WalletRefused       anything else; the message holds its words
 * ├── StorageRefused          the browser does not keep what must not be lost
 * ├── BackupInvalid           not a backup of this page
 * ├── FaucetRefused           the faucet gives nothing (more)
 * ├── NoSession               this player has no session key at this contract
 * ├── NotSeated               for players of the game only
 * └── NothingToAnswer         no shot at the own board waits for an answer
 *
 * No message holds a key.
 */
import type { Address, Hash } from 'viem';
import { nameErrors } from '../errors';
import { CONTRACT_KEYS, type ErrorKey, FOREIGN_KEYS } from './errorTexts';

export type { ErrorKey };
export type Params = Readonly<Record<string, string | number>>;

export abstract class ClientError extends Error {
  abstract readonly key: ErrorKey;
  readonly params: Params = {};
}

export class Unreachable extends ClientError {
  readonly key = 'error.unreachable';
}

export class Refused extends ClientError {
  readonly key: ErrorKey = 'error.refused';
}
export class TooManyRequests extends Refused {
  override readonly key = 'error.tooManyRequests';
}
export class InsufficientFunds extends Refused {
  override readonly key: ErrorKey;
  constructor(readonly sender: 'key' | 'session' | 'wallet' = 'key') {
    super('insufficient funds');
    this.key = sender === 'session' ? 'error.sessionSpent' : 'error.insufficientFunds';
  }
}

export class WrongChain extends ClientError {
  readonly key = 'error.wrongChain';
  constructor(expected: number, found: number) {
    super(`chain ${found} answers where ${expected} is expected`);
  }
}

export class TransactionError extends ClientError {
  readonly key: ErrorKey = 'error.transactionFailed';
  constructor(
    readonly hash: Hash,
    what: string,
  ) {
    super(`transaction ${hash} ${what}`);
  }
}
export class TransactionFailed extends TransactionError {
  constructor(hash: Hash) {
    super(hash, 'failed and gave no reason');
  }
}
export class TransactionLost extends TransactionError {
  override readonly key = 'error.transactionLost';
  constructor(hash: Hash) {
    super(hash, 'was not mined in time');
  }
}
export class TransactionReplaced extends TransactionError {
  override readonly key = 'error.transactionReplaced';
  constructor(hash: Hash) {
    super(hash, 'was replaced by another one');
  }
}

export class WalletError extends ClientError {
  readonly key: ErrorKey = 'error.walletRefused';
}
export class SignatureRejected extends WalletError {
  override readonly key = 'error.rejected';
}
export class WalletLocked extends WalletError {
  override readonly key = 'error.walletLocked';
}
export class WalletBusy extends WalletError {
  override readonly key = 'error.walletBusy';
}
export class WalletDisconnected extends WalletError {
  override readonly key = 'error.walletDisconnected';
}
export class WrongNetwork extends WalletError {
  override readonly key = 'error.wrongNetwork';
  constructor(
    readonly expected: number,
    readonly found: number,
  ) {
    super(`the wallet is on chain ${found}, the page on ${expected}`);
  }
}
export class AccountChanged extends WalletError {
  override readonly key = 'error.accountChanged';
  override readonly params: Params;
  constructor(expected: Address) {
    super(`the wallet does not show ${expected}`);
    this.params = { account: expected };
  }
}
export class WalletRefused extends WalletError {}

export class StorageRefused extends ClientError {
  readonly key = 'error.storageRefused';
}
export class BackupInvalid extends ClientError {
  readonly key = 'error.backupInvalid';
}
/** A contract of an earlier version, whose clocks count blocks. */
export class DeploymentOutdated extends ClientError {
  readonly key = 'error.deploymentOutdated';
  constructor(contract: Address) {
    super(`${contract} is of an earlier version`);
  }
}
export class FaucetRefused extends ClientError {
  readonly key = 'error.faucetRefused';
}
export class NoSession extends ClientError {
  readonly key = 'error.noSession';
}
export class NotSeated extends ClientError {
  readonly key = 'error.notSeated';
}
export class NothingToAnswer extends ClientError {
  readonly key = 'error.nothingToAnswer';
}

/** `error` is the Solidity error's name, `args` its arguments by name. */
export class ContractError extends ClientError {
  readonly key: ErrorKey;
  constructor(
    readonly error: string,
    readonly args: Readonly<Record<string, unknown>> = {},
  ) {
    const shown = Object.entries(args).map(([name, value]) => `${name}=${value}`);
    super(`${error}(${shown.join(', ')})`);
    this.key = CONTRACT_KEYS[error] ?? 'error.contract';
    this.params = { error };
  }
  override readonly params: Params;
}

nameErrors({
  ClientError,
  Unreachable,
  Refused,
  TooManyRequests,
  InsufficientFunds,
  WrongChain,
  TransactionError,
  TransactionFailed,
  TransactionLost,
  TransactionReplaced,
  WalletError,
  SignatureRejected,
  WalletLocked,
  WalletBusy,
  WalletDisconnected,
  WrongNetwork,
  AccountChanged,
  WalletRefused,
  StorageRefused,
  BackupInvalid,
  DeploymentOutdated,
  FaucetRefused,
  NoSession,
  NotSeated,
  NothingToAnswer,
  ContractError,
});

/** What a player is told of anything that was thrown: the text for `t`, and what it takes. */
export function explain(thrown: unknown): { key: ErrorKey; params: Params } {
  if (thrown instanceof ClientError) return { key: thrown.key, params: thrown.params };
  const name = thrown instanceof Error ? thrown.name : '';
  return { key: FOREIGN_KEYS[name] ?? 'error.unknown', params: {} };
}
