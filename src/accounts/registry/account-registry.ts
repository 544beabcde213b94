import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import { type Tenure, type TenureChange, type Tenures } from '../../cluster/tenures.js';
import { type Settings } from '../../common/config/settings.js';
import { type Clock } from '../../common/time/clock.js';
import { type UpstreamAccount, type UpstreamDriver } from '../../upstream/upstream-driver.js';
import { Account, type AccountSource, type Credentials } from './account.js';
import { adoptSeeds, providerOf, toAccount, unusedSeeds } from './account-loader.js';
import { AccountWrites } from './account-writes.js';
import { AccountNameTakenError, AccountNotFoundError } from './accounts.errors.js';
import { adoptRow } from './adopt-row.js';
import { type AccountStore, type StoredAccount } from './store/account-store.js';

/**
 * A change of an account that concerns its sessions. `opened`: sessions may be opened (again), and one should be, to
 * prove the login. `closed`: no session may be used any more. `logged_out`: the sessions are useless, new ones log in
 * anew. `cooling` and `cleared`: a cooldown began or ended. `resized`: more or fewer sessions may be open.
 * `handed_over`: a person logs the account in by hand.
 */
export interface AccountChange {
  readonly account: Account;
  readonly kind: 'opened' | 'closed' | 'logged_out' | 'cooling' | 'cleared' | 'resized' | 'handed_over';
}

const OTHER_CONFIGURATION =
  'another gateway was started with a configuration that lacks accounts of this one: they are not used any more';

/** Collaborators of the accounts. */
export interface RegistryDependencies {
  readonly settings: Settings;
  readonly store: AccountStore;
  readonly clock: Clock;
  readonly driver: UpstreamDriver;
  readonly tenures: Tenures;
}

/**
 * The accounts of the provider, in memory and in the store: the only reader and writer of the store. It keeps no rules;
 * `AccountCommands` and `AccountHealth` decide what changes.
 *
 * Writes come in two kinds. The operator's (`create`, `delete`, `saveEnabled`, `saveCredentials`, `forgetLogin`,
 * `clearCooldown`) reject and change nothing if the store refuses them. The upstream's (`saveCooldown`,
 * `saveLoginFailure`, `saveCounts`) never fail: they are repeated until the store accepts them.
 */
@Injectable()
export class AccountRegistry implements OnApplicationShutdown {
  private readonly logger = new Logger(AccountRegistry.name);
  private readonly accounts = new Map<string, Account>();
  private readonly provider: string;
  private readonly changes = new Subject<AccountChange>();
  private readonly writes: AccountWrites;
  /** Grows with every change made here; a row that was read before an account's last one is out of date. */
  private changeCount = 0;
  /** `changeCount` at the latest `refresh`. */
  private refreshedAt = 0;
  /** Accounts that another gateway has taken out; they may come back. */
  private readonly dropped = new Map<string, Account>();
  private readonly lastChanges = new Map<string, number>();
  private isClosed = false;

  readonly changes$: Observable<AccountChange> = this.changes.asObservable();

  private constructor(private readonly dependencies: RegistryDependencies) {
    const { store, clock, settings, tenures } = dependencies;
    this.writes = new AccountWrites(store, clock, (id) => this.accounts.get(id));
    this.provider = providerOf(settings);
    tenures.changes$.subscribe((change) => this.tenureChanged(change));
  }

  /** Reads the accounts, and brings those of the configuration up to date. */
  static async load(dependencies: RegistryDependencies): Promise<AccountRegistry> {
    const { store, driver } = dependencies;
    const registry = new AccountRegistry(dependencies);
    const missing = await adoptSeeds(store, registry.provider, driver.seeds());
    await registry.refresh();
    for (const { name, credentials } of missing) {
      await registry.create(name, credentials, 'configuration');
    }
    return registry;
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
      saveState: (state) => this.saveLate(account, () => this.writes.driverState(account, login, state)),
    };
  }

  /** @throws AccountNameTakenError if another gateway has added an account of that name meanwhile */
  async create(name: string, credentials: Credentials, source: AccountSource): Promise<Account> {
    const { clock, store } = this.dependencies;
    const id = randomUUID();
    const account = new Account(id, name, source, credentials, clock.now(), this.tenureOf(id));
    if (!(await store.insert(account, this.provider))) {
      await this.refresh();
      const present = this.list().find((one) => one.name === name);
      if (source === 'configuration' && present) {
        return present;
      }
      throw new AccountNameTakenError(name);
    }
    this.accounts.set(id, account);
    this.touch(account);
    return account;
  }

  /** Also announces that the account is closed. */
  async delete(account: Account): Promise<void> {
    await this.dependencies.store.delete(account.id);
    this.drop(account);
  }

  async saveEnabled(account: Account, isEnabled: boolean): Promise<void> {
    await this.dependencies.store.saveEnabled(account.id, isEnabled);
    account.isEnabled = isEnabled;
    this.touch(account);
  }

  /** Replaces the credentials; the login state and failure of the old ones are deleted. */
  async saveCredentials(account: Account, credentials: Credentials): Promise<void> {
    await this.dependencies.store.saveCredentials(account.id, credentials);
    account.credentials = credentials;
    account.resetLogin();
    this.touch(account);
  }

  /** Deletes the login state (cookies) and failure, so that the account logs in anew. */
  async forgetLogin(account: Account): Promise<void> {
    await this.dependencies.store.forgetLogin(account.id);
    account.resetLogin();
    this.touch(account);
  }

  async clearCooldown(account: Account): Promise<void> {
    await this.dependencies.store.clearCooldown(account.id);
    account.cooldown.clear();
    this.touch(account);
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
  async refresh(): Promise<void> {
    const { clock, store, settings, driver } = this.dependencies;
    const readAt = ++this.changeCount;
    this.refreshedAt = readAt;
    const rows = (await store.list(this.provider)).filter(({ isPresent }) => isPresent);
    if (this.refreshedAt !== readAt) {
      // A later refresh knows better.
      return;
    }
    const isNewer = (account: Account) =>
      (this.lastChanges.get(account.id) ?? 0) > readAt || this.writes.isPending(account);
    for (const row of rows) {
      const account = this.accounts.get(row.id);
      if (!account) {
        this.open(row);
      } else if (!isNewer(account)) {
        this.announceAdopted(account, adoptRow(account, row, clock, settings.POOL_MAX_SESSIONS_PER_ACCOUNT));
      }
    }
    const ids = new Set(rows.map(({ id }) => id));
    const gone = this.list().filter((account) => !ids.has(account.id) && !isNewer(account));
    const accounts = gone.length === 0 ? [] : unusedSeeds(gone, driver.seeds());
    if (accounts.length > 0) {
      this.logger.warn({ event: 'other_configuration', accounts }, OTHER_CONFIGURATION);
    }
    for (const account of gone) {
      this.dropped.set(account.id, account);
      this.drop(account);
    }
  }

  /** Whether the store has yet to hear what the next holder of the account needs to know. */
  isUnstored(account: Account): boolean {
    return this.writes.isPending(account) || this.writes.isKeepingLogin(account);
  }

  /** Tells the subscribers of `changes$`. */
  announce(account: Account, kind: AccountChange['kind']): void {
    this.changes.next({ account, kind });
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    this.changes.complete();
    await this.writes.close();
  }

  private tenureOf(id: string): Tenure {
    const { driver, tenures } = this.dependencies;
    return tenures.of(id, driver.shares);
  }

  private tenureChanged({ accountId, kind }: TenureChange): void {
    const account = this.accounts.get(accountId);
    if (account && !this.isClosed) {
      this.announce(account, kind === 'resized' ? kind : account.isUsable ? 'opened' : 'closed');
    }
  }

  private announceAdopted(account: Account, change: ReturnType<typeof adoptRow>): void {
    if (change === 'reopened') {
      this.announce(account, 'closed');
      if (account.isUsable) {
        this.announce(account, 'opened');
      }
    } else if (change !== undefined) {
      this.announce(account, change);
    }
  }

  /** One that was dropped comes back as the same object, since leases may still hold it. */
  private open(row: StoredAccount): void {
    const { clock, settings } = this.dependencies;
    const dropped = this.dropped.get(row.id);
    if (dropped) {
      this.dropped.delete(row.id);
      adoptRow(dropped, row, clock, settings.POOL_MAX_SESSIONS_PER_ACCOUNT);
    }
    const account = dropped ?? toAccount(row, clock, this.tenureOf(row.id));
    this.accounts.set(account.id, account);
    this.announce(account, 'opened');
  }

  /** Holders of the object must find it unusable, too. */
  private drop(account: Account): void {
    this.accounts.delete(account.id);
    account.isEnabled = false;
    this.announce(account, 'closed');
  }

  private saveLate(account: Account, write: () => void): void {
    if (this.isWritable(account)) {
      this.touch(account);
      write();
    }
  }

  private touch({ id }: Account): void {
    this.lastChanges.set(id, ++this.changeCount);
  }

  private isWritable(account: Account): boolean {
    return this.has(account) && !this.isClosed;
  }
}
