import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { Clock } from '../../common/time/clock.js';
import { type LoginRequiredError } from '../../upstream/upstream.errors.js';
import { type UpstreamAccount, UpstreamDriver } from '../../upstream/upstream-driver.js';
import { Account, type AccountSource, type Credentials } from './account.js';
import { loadAccounts, providerOf } from './account-loader.js';
import { AccountStore } from './account-store.js';
import { AccountNotFoundError } from './accounts.errors.js';
import { toLoginFailure } from './login-failure.js';
import { Random } from './random.js';
import { LateWrites } from './write-behind.js';

/** More than one, since a site may end all logins twice before an account's turn comes; few, since sites count logins. */
const MOST_LOST_LOGINS = 3;

/**
 * What happened to an account, for those who hold sessions of it: `opened` may be used (again) and should prove its
 * login; `closed` must not be used any more; `logged_out` needs sessions with a new login; `cooling` and `cleared` mark a
 * cooldown.
 */
export interface AccountChange {
  readonly account: Account;
  readonly kind: 'opened' | 'closed' | 'logged_out' | 'cooling' | 'cleared';
}

/**
 * The registry of accounts. Every change of state is in the store when a method returns; what the operator asks for
 * changes nothing if it cannot be stored.
 */
@Injectable()
export class AccountsService implements OnApplicationShutdown {
  private readonly logger = new Logger(AccountsService.name);
  private readonly accounts = new Map<string, Account>();
  private readonly provider: string;
  private readonly changes = new Subject<AccountChange>();
  private readonly writes: LateWrites;
  private isClosed = false;

  readonly changes$: Observable<AccountChange> = this.changes.asObservable();

  constructor(
    private readonly settings: Settings,
    private readonly store: AccountStore,
    private readonly clock: Clock,
    private readonly random: Random,
    driver: UpstreamDriver,
  ) {
    this.writes = new LateWrites(
      (work) => store.transaction(work),
      (error) => this.logger.error(error, 'the state of the accounts cannot be stored at present'),
    );
    this.provider = providerOf(settings);
    const { accounts, missing } = loadAccounts(store, this.provider, driver.seeds(), clock);
    for (const account of accounts) {
      this.accounts.set(account.id, account);
    }
    for (const { name, credentials } of missing) {
      this.add(name, credentials, 'configuration');
    }
  }

  /** Every account in the order of its making. */
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

  has(account: Account): boolean {
    return this.accounts.get(account.id) === account;
  }

  /** @throws InvalidRequestError if the name is taken */
  add(name: string, credentials: Credentials, source: AccountSource = 'operator'): Account {
    if (this.list().some((account) => account.name === name)) {
      throw new InvalidRequestError(`There is an account named '${name}' already.`, 'name');
    }
    const account = new Account(randomUUID(), name, source, credentials, this.clock.now());
    this.store.insert(account, this.provider);
    this.accounts.set(account.id, account);
    this.announce(account, 'opened');
    return account;
  }

  /** New credentials for an account, which then logs in again. */
  update(id: string, credentials: Credentials): Account {
    const account = this.get(id);
    if (account.source === 'configuration') {
      throw new InvalidRequestError(`'${account.name}' comes from the configuration: change it there.`);
    }
    this.store.saveCredentials(id, credentials);
    account.credentials = credentials;
    return this.reopen(account);
  }

  enable(id: string): Account {
    return this.setEnabled(id, true);
  }

  disable(id: string): Account {
    return this.setEnabled(id, false);
  }

  /** @throws InvalidRequestError for an account of the configuration, which would be back at the next start */
  remove(id: string): void {
    const account = this.get(id);
    if (account.source === 'configuration') {
      throw new InvalidRequestError(
        `'${account.name}' comes from the configuration: remove it there, or disable it.`,
      );
    }
    this.store.delete(id);
    this.accounts.delete(id);
    account.isEnabled = false;
    this.announce(account, 'closed');
  }

  /** Forgets the login state and the reason against the account, so that it logs in anew. */
  login(id: string): Account {
    const account = this.get(id);
    this.store.transaction(() => {
      this.store.saveLoginFailure(id, undefined);
      this.store.saveDriverState(id, undefined);
    });
    return this.reopen(account);
  }

  clearCooldown(id: string): Account {
    const account = this.get(id);
    account.cooldown.clear();
    this.saveCooldown(account);
    this.announce(account, 'cleared');
    return account;
  }

  /** PNG of the page at which the login failed. */
  screenshot(id: string): Uint8Array | undefined {
    return this.store.screenshot(this.get(id).id);
  }

  /** An upstream refused the account. `retryAfterMs` is the upstream's own time. */
  coolDown(account: Account, retryAfterMs: number | undefined, cause: string): void {
    account.rateLimits += 1;
    this.countLater(account);
    const durationMs = retryAfterMs ?? this.settings.RATE_LIMIT_COOLDOWN_MS;
    if (account.cooldown.extend(durationMs, cause, this.clock.monotonic(), this.random.next())) {
      this.saveCooldown(account);
      this.logger.warn({ account: account.name, cause, durationMs }, 'account cools down');
      this.announce(account, 'cooling');
    }
  }

  /** The lease that tried the account after a cooldown was answered. */
  probeAnswered(account: Account, probe: number): void {
    const now = this.clock.monotonic();
    if (account.cooldown.probeAnswered(probe, now, this.settings.POOL_MAX_SESSIONS_PER_ACCOUNT)) {
      this.saveCooldown(account);
      this.announce(account, 'cleared');
    }
  }

  /**
   * The upstream no longer knows the account's login. A login that merely ran out is made anew by the driver at the
   * next opening; a wall that is back time and again before any answer came is for the operator.
   */
  loginLost(account: Account, error: LoginRequiredError): void {
    account.lostLogins += 1;
    if (error.reason === 'login_wall' && account.lostLogins < MOST_LOST_LOGINS) {
      this.announce(account, 'logged_out');
    } else {
      this.requireLogin(account, error);
    }
  }

  requireLogin(account: Account, error: LoginRequiredError): void {
    const { reason, evidence } = error;
    account.loginFailure = toLoginFailure(error, account.credentials, this.clock.now());
    this.writeNow(account, 'login', () =>
      this.store.saveLoginFailure(account.id, account.loginFailure, evidence?.screenshot),
    );
    this.logger.warn({ account: account.name, reason }, 'account must be logged in by the operator');
    this.announce(account, 'closed');
  }

  loggedIn(account: Account): void {
    account.lastLoginAt = this.clock.now();
    this.countLater(account);
  }

  countRequest(account: Account): void {
    account.requests += 1;
    account.lastUsedAt = this.clock.now();
    this.countLater(account);
  }

  countFailure(account: Account): void {
    account.failures += 1;
    this.countLater(account);
  }

  /** The account as its driver sees it, with its present login. */
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
          // What is left of an earlier login would log the next one in as before.
          if (account.login === login) {
            this.store.saveDriverState(id, state);
          }
        }),
    };
  }

  onApplicationShutdown(): void {
    this.writes.close();
    this.isClosed = true;
    this.changes.complete();
  }

  private setEnabled(id: string, isEnabled: boolean): Account {
    const account = this.get(id);
    if (account.isEnabled !== isEnabled) {
      this.store.saveEnabled(id, isEnabled);
      account.isEnabled = isEnabled;
      this.announce(account, account.isUsable ? 'opened' : 'closed');
    }
    return account;
  }

  /** Nothing is held against the account any more, and its sessions log in anew. */
  private reopen(account: Account): Account {
    account.loginFailure = undefined;
    account.lostLogins = 0;
    account.login += 1;
    this.announce(account, 'closed');
    if (account.isUsable) {
      this.announce(account, 'opened');
    }
    return account;
  }

  private saveCooldown(account: Account): void {
    this.writeNow(account, 'cooldown', () => {
      const stored = account.cooldown.toStored(this.clock.monotonic(), this.clock.now());
      this.store.saveCooldown(account.id, stored);
    });
  }

  private writeNow(account: Account, what: string, write: () => void): void {
    if (this.has(account) && !this.isClosed) {
      this.writes.now(`${account.id} ${what}`, write);
    }
  }

  private announce(account: Account, kind: AccountChange['kind']): void {
    this.changes.next({ account, kind });
  }

  private countLater(account: Account): void {
    if (this.has(account) && !this.isClosed) {
      this.writes.later(`${account.id} counters`, () => this.store.saveCounters(account));
    }
  }
}
