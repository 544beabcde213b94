import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { getOrInsert } from '../../common/memory/get-or-insert.js';
import { type UpstreamAccount } from '../../upstream/upstream-driver.js';
import { AccountNameTakenError, AccountNotFoundError } from '../accounts.errors.js';
import { Account, type AccountSource, type Credentials } from './account.js';
import { type AccountChange, AccountChanges } from './account-changes.js';
import { adoptSeeds, providerOf } from './account-loader.js';
import { AccountReconciler, type RegistryDependencies } from './account-reconciler.js';
import { AccountWrites } from './account-writes.js';

const NAME_TAKEN =
  'accounts of the configuration are not used: accounts of these names were added at the dashboard';

/**
 * The accounts of the provider, in memory and in the store, which only this folder reads and writes. It keeps no rules:
 * `AccountCommands` and `AccountHealth` decide what changes here, and `AccountReconciler` takes up what other gateways
 * have changed.
 *
 * Writes come in two kinds. The operator's (`create`, `delete`, `saveEnabled`, `saveCredentials`, `forgetLogin`,
 * `clearCooldown`) reject and change nothing if the store refuses them. The upstream's (`saveCooldown`,
 * `saveLoginFailure`, `saveCounts`) never fail: they are repeated until the store accepts them.
 */
@Injectable()
export class AccountRegistry implements OnApplicationShutdown {
  private readonly accounts = new Map<string, Account>();
  private readonly provider: string;
  private readonly changes = new AccountChanges();
  private readonly writes: AccountWrites;
  private readonly reconciler: AccountReconciler;
  private isClosed = false;

  readonly changes$ = this.changes.changes$;

  private constructor(private readonly dependencies: RegistryDependencies) {
    const { store, clock, settings } = dependencies;
    this.writes = new AccountWrites(store, clock, (id) => this.accounts.get(id));
    this.provider = providerOf(settings);
    this.reconciler = new AccountReconciler(this.accounts, this.changes, this.writes, dependencies);
  }

  /** Reads the accounts, and brings those of the configuration up to date. */
  static async load(dependencies: RegistryDependencies): Promise<AccountRegistry> {
    const { store, driver } = dependencies;
    const registry = new AccountRegistry(dependencies);
    const { missing, taken } = await adoptSeeds(store, registry.provider, driver.seeds());
    if (taken.length > 0) {
      new Logger(AccountRegistry.name).warn({ event: 'name_taken', accounts: taken }, NAME_TAKEN);
    }
    await registry.refresh();
    for (const { name, credentials } of missing) {
      await registry.create(name, credentials, 'configuration');
    }
    return registry;
  }

  /** Whether accounts cannot be taken, or kept beyond their tenure, since the shared database does not answer. */
  get isDatabaseAway(): boolean {
    return this.dependencies.tenures.isAway;
  }

  /** All accounts, oldest first. */
  list(): readonly Account[] {
    return [...this.accounts.values()];
  }

  /** Undefined if there is no such account. */
  find(id: string): Account | undefined {
    return this.accounts.get(id);
  }

  /** @throws AccountNotFoundError */
  get(id: string): Account {
    const account = this.accounts.get(id);
    if (!account) {
      throw new AccountNotFoundError(id);
    }
    return account;
  }

  /** Whether the account is still registered; false once it was removed. */
  has(account: Account): boolean {
    return this.accounts.get(account.id) === account;
  }

  /**
   * PNG of the page at which the login failed; undefined if there is none.
   * @throws AccountNotFoundError
   */
  async screenshot(id: string): Promise<Uint8Array | undefined> {
    return this.dependencies.store.screenshot(this.get(id).id);
  }

  /** The account as a driver sees it, bound to its present login: state saved by an earlier login is discarded. */
  toUpstream(account: Account): UpstreamAccount {
    const { id, name, login, credentials } = account;
    return {
      id,
      name,
      login,
      credentials,
      loadState: async () => {
        await this.writes.driverStateStored(account);
        return this.dependencies.store.driverState(id);
      },
      saveState: (state) => {
        // Not noted as a change: no row that is read tells of the state, nor does a later one that it was written.
        if (this.isWritable(account)) {
          this.writes.driverState(account, login, state);
        }
      },
    };
  }

  /** @throws AccountNameTakenError if another gateway has added an account of that name meanwhile */
  async create(name: string, credentials: Credentials, source: AccountSource): Promise<Account> {
    const { clock, store } = this.dependencies;
    const id = randomUUID();
    const account = new Account(id, name, source, credentials, clock.now(), this.reconciler.tenureOf(id));
    if (!(await store.insert(account, this.provider))) {
      await this.refresh();
      const present = this.list().find((one) => one.name === name);
      if (source === 'configuration' && present) {
        return present;
      }
      throw new AccountNameTakenError(name);
    }
    // A refresh may have found its row before this: an account has one object, which its sessions belong to.
    const present = getOrInsert(this.accounts, id, () => account);
    this.reconciler.touch(present);
    return present;
  }

  /** Also announces that the account is closed. */
  async delete(account: Account): Promise<void> {
    await this.dependencies.store.delete(account.id);
    this.reconciler.touch(account);
    this.reconciler.drop(account);
  }

  async saveEnabled(account: Account, isEnabled: boolean): Promise<void> {
    await this.dependencies.store.saveEnabled(account.id, isEnabled);
    account.isEnabled = isEnabled;
    this.reconciler.touch(account);
  }

  /** Replaces the credentials; the login state, failure and cooldown of the old ones are deleted. */
  async saveCredentials(account: Account, credentials: Credentials): Promise<void> {
    await this.dependencies.store.saveCredentials(account.id, credentials);
    account.credentials = credentials;
    account.cooldown.clear();
    account.resetLogin();
    this.reconciler.touch(account);
  }

  /** Deletes the login state (cookies) and failure, so that the account logs in anew. */
  async forgetLogin(account: Account): Promise<void> {
    await this.dependencies.store.forgetLogin(account.id);
    account.resetLogin();
    this.reconciler.touch(account);
  }

  async clearCooldown(account: Account): Promise<void> {
    await this.dependencies.store.clearCooldown(account.id);
    account.cooldown.clear();
    this.reconciler.touch(account);
  }

  saveCooldown(account: Account): void {
    this.saveLate(account, () => this.writes.cooldown(account));
  }

  /** @param screenshot PNG of the page at which the login failed */
  saveLoginFailure(account: Account, screenshot: Uint8Array | undefined): void {
    this.saveLate(account, () => this.writes.loginFailure(account, screenshot));
  }

  /** Nobody waits for counts; they are stored after `AccountStore.countsDelayMs`. */
  saveCounts(account: Account): void {
    if (this.isWritable(account)) {
      this.writes.counts(account);
    }
  }

  /** Takes up what other nodes have changed in the store: accounts that came, went, or are different now. */
  refresh(): Promise<void> {
    return this.reconciler.refresh();
  }

  /** Whether the store has yet to hear what the next holder of the account needs to know. */
  isUnstored(account: Account): boolean {
    return this.writes.isPending(account) || this.writes.isKeepingLogin(account);
  }

  /** Tells the subscribers of `changes$`. */
  announce(account: Account, kind: AccountChange['kind']): void {
    this.changes.announce(account, kind);
  }

  /** As `announce`, for an account that logs in anew. */
  announceReopened(account: Account): void {
    this.changes.announceReopened(account);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    this.changes.complete();
    await this.writes.close();
  }

  private saveLate(account: Account, write: () => void): void {
    if (this.isWritable(account)) {
      this.reconciler.touch(account);
      write();
    }
  }

  private isWritable(account: Account): boolean {
    return this.has(account) && !this.isClosed;
  }
}
