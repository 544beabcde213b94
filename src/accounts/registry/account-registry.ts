import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { Clock } from '../../common/time/clock.js';
import { type UpstreamAccount, UpstreamDriver } from '../../upstream/upstream-driver.js';
import { Account, type AccountSource, type Credentials } from './account.js';
import { loadAccounts, providerOf } from './account-loader.js';
import { AccountStore } from './account-store.js';
import { AccountNotFoundError } from './accounts.errors.js';
import { WriteBehind } from './write-behind.js';

/**
 * A change of an account that concerns its sessions. `opened`: sessions may be opened (again), and one should be, to
 * prove the login. `closed`: no session may be used any more. `logged_out`: the sessions are useless, new ones log in
 * anew. `cooling` and `cleared`: a cooldown began or ended.
 */
export interface AccountChange {
  readonly account: Account;
  readonly kind: 'opened' | 'closed' | 'logged_out' | 'cooling' | 'cleared';
}

/**
 * The accounts of the provider, in memory and in the store: the only reader and writer of the store. It keeps no rules;
 * `AccountCommands` and `AccountHealth` decide what changes.
 *
 * Writes come in two kinds. The operator's (`create`, `delete`, `saveEnabled`, `saveCredentials`, `forgetLogin`) throw
 * and change nothing if the store refuses them. The upstream's (`saveCooldown`, `saveLoginFailure`, `saveCounters`)
 * never throw: they are repeated until the store accepts them.
 */
@Injectable()
export class AccountRegistry implements OnApplicationShutdown {
  private readonly logger = new Logger(AccountRegistry.name);
  private readonly accounts = new Map<string, Account>();
  private readonly provider: string;
  private readonly changes = new Subject<AccountChange>();
  private readonly writes: WriteBehind;
  private isClosed = false;

  readonly changes$: Observable<AccountChange> = this.changes.asObservable();

  constructor(
    settings: Settings,
    private readonly store: AccountStore,
    private readonly clock: Clock,
    driver: UpstreamDriver,
  ) {
    this.writes = new WriteBehind(
      (work) => store.transaction(work),
      (error) => this.logger.error(error, 'the state of the accounts cannot be stored at present'),
    );
    this.provider = providerOf(settings);
    const { accounts, missing } = loadAccounts(store, this.provider, driver.seeds(), clock);
    for (const account of accounts) {
      this.accounts.set(account.id, account);
    }
    for (const { name, credentials } of missing) {
      this.create(name, credentials, 'configuration');
    }
  }

  /** All accounts, oldest first. */
  list(): readonly Account[] {
    return [...this.accounts.values()];
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
  screenshot(id: string): Uint8Array | undefined {
    return this.store.screenshot(this.get(id).id);
  }

  /** The account as a driver sees it, bound to its present login: state saved by an earlier login is discarded. */
  toUpstream(account: Account): UpstreamAccount {
    const { id, name, login, credentials } = account;
    return {
      id,
      name,
      login,
      credentials,
      loadState: () => this.store.driverState(id),
      saveState: (state) =>
        this.writeNow(account, 'state', () => {
          // Cookies of an earlier login would log the account in as before.
          if (account.login === login) {
            this.store.saveDriverState(id, state);
          }
        }),
    };
  }

  create(name: string, credentials: Credentials, source: AccountSource): Account {
    const account = new Account(randomUUID(), name, source, credentials, this.clock.now());
    this.store.insert(account, this.provider);
    this.accounts.set(account.id, account);
    return account;
  }

  delete(account: Account): void {
    this.store.delete(account.id);
    this.accounts.delete(account.id);
  }

  saveEnabled(account: Account, isEnabled: boolean): void {
    this.store.saveEnabled(account.id, isEnabled);
    account.isEnabled = isEnabled;
  }

  /** Replaces the credentials; the login state and failure of the old ones are deleted. */
  saveCredentials(account: Account, credentials: Credentials): void {
    this.store.saveCredentials(account.id, credentials);
    account.credentials = credentials;
    account.resetLogin();
  }

  /** Deletes the login state (cookies) and failure, so that the account logs in anew. */
  forgetLogin(account: Account): void {
    this.store.transaction(() => {
      this.store.saveLoginFailure(account.id, undefined);
      this.store.saveDriverState(account.id, undefined);
    });
    account.resetLogin();
  }

  saveCooldown(account: Account): void {
    this.writeNow(account, 'cooldown', () => {
      const stored = account.cooldown.toStored(this.clock.monotonic(), this.clock.now());
      this.store.saveCooldown(account.id, stored);
    });
  }

  /** @param screenshot PNG of the page at which the login failed */
  saveLoginFailure(account: Account, screenshot: Uint8Array | undefined): void {
    this.writeNow(account, 'login', () =>
      this.store.saveLoginFailure(account.id, account.loginFailure, screenshot),
    );
  }

  /** Counters and times of use, within 200 ms; nobody waits for them. */
  saveCounters(account: Account): void {
    if (this.isWritable(account)) {
      this.writes.enqueue(`${account.id} counters`, () => this.store.saveCounters(account));
    }
  }

  /** Tells the subscribers of `changes$`. */
  announce(account: Account, kind: AccountChange['kind']): void {
    this.changes.next({ account, kind });
  }

  onApplicationShutdown(): void {
    this.writes.close();
    this.isClosed = true;
    this.changes.complete();
  }

  private writeNow(account: Account, column: string, write: () => void): void {
    if (this.isWritable(account)) {
      this.writes.writeNow(`${account.id} ${column}`, write);
    }
  }

  private isWritable(account: Account): boolean {
    return this.has(account) && !this.isClosed;
  }
}
