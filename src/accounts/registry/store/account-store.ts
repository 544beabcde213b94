import { type SharedOutage } from '../../../common/logging/shared-outage.js';
import {
  type Account,
  type AccountSource,
  type Counts,
  type Credentials,
  type LoginFailure,
} from '../account.js';
import { type StoredCooldown } from '../cooldown.js';

/** An account read from the store, its credentials decrypted. Times are Unix milliseconds. */
export interface StoredAccount extends Counts {
  readonly id: string;
  readonly name: string;
  readonly source: AccountSource;
  /** False for an account of the configuration that has been taken out of it. */
  readonly isPresent: boolean;
  readonly isEnabled: boolean;
  readonly credentials: Credentials;
  /** Number of the present login where several nodes must agree on it; missing in a store of one node. */
  readonly login?: number;
  readonly cooldown?: StoredCooldown;
  readonly loginFailure?: LoginFailure;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  readonly lastLoginAt?: number;
}

/** Counters, and the newest times of use in Unix milliseconds. */
export interface CountedUse extends Counts {
  readonly lastUsedAt: number | undefined;
  readonly lastLoginAt: number | undefined;
}

/** What was counted of an account since it was stored last. */
export interface CountsWrite {
  readonly id: string;
  readonly added: CountedUse;
}

/** Counts to add to the stored ones. */
export interface CountsBatch {
  /** Grows. A batch that comes again, since nobody knows whether it was stored, is added once. */
  readonly number: number;
  readonly counts: readonly CountsWrite[];
}

/**
 * A change that the upstream caused. A store of several nodes takes it only from the account's present holder.
 * Cooldowns, failures and states replace the stored ones; undefined deletes them.
 */
export type AccountWrite = {
  readonly id: string;
  /** `Tenure.writeTerm` of the account. */
  readonly term: number;
  /** Number of the login that the change belongs to. */
  readonly login: number;
} & (
  | { readonly kind: 'cooldown'; readonly cooldown: StoredCooldown | undefined }
  | {
      readonly kind: 'loginFailure';
      readonly failure: LoginFailure | undefined;
      /** A PNG; without one an earlier one is deleted. */
      readonly screenshot: Uint8Array | undefined;
    }
  | { readonly kind: 'state'; readonly state: string }
);

/**
 * Port to the table of accounts. Credentials, driver state and screenshots are encrypted at rest. A change has been
 * committed when its promise is fulfilled; one that is rejected has changed nothing, as far as anybody can tell.
 */
export abstract class AccountStore {
  /** Outage of a store that other parts of the gateway use, too. */
  readonly sharedOutage?: SharedOutage;

  /** Time for which counts are collected before they are written, in milliseconds: a process that is killed loses them. */
  abstract readonly countsDelayMs: number;

  /** All accounts of a provider, also those absent from the configuration, oldest first. */
  abstract list(provider: string): Promise<StoredAccount[]>;

  /**
   * Replaces an account of the same name that is absent from the configuration.
   * @returns false if there is another account of that name, and nothing was done
   */
  abstract insert(account: Account, provider: string): Promise<boolean>;

  /** Also deletes driver state, login failure and cooldown, which belong to the old credentials. */
  abstract saveCredentials(id: string, credentials: Credentials): Promise<void>;

  /** Marks an account as present in, or absent from, the configuration. */
  abstract savePresence(id: string, isPresent: boolean): Promise<void>;

  abstract saveEnabled(id: string, isEnabled: boolean): Promise<void>;

  /** Ends a cooldown, whoever uses the account. */
  abstract clearCooldown(id: string): Promise<void>;

  /** Deletes driver state and login failure, so that the account logs in anew. */
  abstract forgetLogin(id: string): Promise<void>;

  abstract delete(id: string): Promise<void>;

  /** PNG of the page at which the login failed. */
  abstract screenshot(id: string): Promise<Uint8Array | undefined>;

  /** State that the driver saved for its next start, e.g. cookies. */
  abstract driverState(id: string): Promise<string | undefined>;

  /** Writes all of the changes and counts, or none. */
  abstract write(changes: readonly AccountWrite[], batch?: CountsBatch): Promise<void>;
}
