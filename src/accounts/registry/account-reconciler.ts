import { Logger } from '@nestjs/common';
import { type Tenure, type TenureChange, type Tenures } from '../../cluster/tenures.js';
import { type Settings } from '../../common/config/settings.js';
import { type Clock } from '../../common/time/clock.js';
import { type UpstreamDriver } from '../../upstream/upstream-driver.js';
import { type Account } from './account.js';
import { type AccountChanges } from './account-changes.js';
import { providerOf, toAccount, unusedSeeds } from './account-loader.js';
import { type AccountWrites } from './account-writes.js';
import { adoptRow } from './adopt-row.js';
import { type AccountStore, type StoredAccount } from './store/account-store.js';

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
 * Brings the accounts in memory into agreement with the store and the tenures, where other gateways change them, too.
 * What was changed here since a row was read wins over the row.
 */
export class AccountReconciler {
  private readonly logger = new Logger(AccountReconciler.name);
  /** Grows with every change made here; a row that was read before an account's last one is out of date. */
  private changeCount = 0;
  /** `changeCount` at the latest `refresh`, and that one itself. */
  private refreshedAt = 0;
  private refreshing: Promise<void> | undefined;
  private readonly lastChanges = new Map<string, number>();
  /** Accounts of the configuration that another gateway has taken out; they may come back, unlike those of operators. */
  private readonly dropped = new Map<string, Account>();

  constructor(
    private readonly accounts: Map<string, Account>,
    private readonly changes: AccountChanges,
    private readonly writes: Pick<AccountWrites, 'isPending'>,
    private readonly dependencies: RegistryDependencies,
  ) {
    dependencies.tenures.changes$.subscribe((change) => this.tenureChanged(change));
  }

  /**
   * Takes up what other nodes have changed in the store: accounts that came, went, or are different now. One that another
   * overtakes ends, or fails, with that.
   */
  refresh(): Promise<void> {
    this.refreshing = this.takeUp();
    return this.refreshing;
  }

  private async takeUp(): Promise<void> {
    const { clock, store, settings, driver } = this.dependencies;
    const readAt = ++this.changeCount;
    this.refreshedAt = readAt;
    const rows = (await store.list(providerOf(settings))).filter(({ isPresent }) => isPresent);
    if (this.refreshedAt !== readAt) {
      // The later one knows better.
      return this.refreshing;
    }
    const isNewer = (account: Pick<Account, 'id'>) =>
      (this.lastChanges.get(account.id) ?? 0) > readAt || this.writes.isPending(account);
    // One that is newer here, and missing, was deleted meanwhile.
    for (const row of rows.filter((one) => !isNewer(one))) {
      const account = this.accounts.get(row.id);
      if (account) {
        this.announceAdopted(account, adoptRow(account, row, clock, settings.POOL_MAX_SESSIONS_PER_ACCOUNT));
      } else {
        this.open(row);
      }
    }
    const ids = new Set(rows.map(({ id }) => id));
    const gone = [...this.accounts.values()].filter((account) => !ids.has(account.id) && !isNewer(account));
    const accounts = gone.length === 0 ? [] : unusedSeeds(gone, driver.seeds());
    if (accounts.length > 0) {
      this.logger.warn({ event: 'other_configuration', accounts }, OTHER_CONFIGURATION);
    }
    for (const account of gone) {
      if (account.source === 'configuration') {
        this.dropped.set(account.id, account);
      }
      this.drop(account);
    }
  }

  /** Notes that the account was changed here. */
  touch({ id }: Account): void {
    this.lastChanges.set(id, ++this.changeCount);
  }

  /** Takes an account out. Holders of the object must find it unusable, too. */
  drop(account: Account): void {
    this.accounts.delete(account.id);
    account.isEnabled = false;
    this.changes.announce(account, 'closed');
  }

  tenureOf(id: string): Tenure {
    const { driver, tenures } = this.dependencies;
    return tenures.of(id, driver.shares);
  }

  private tenureChanged({ accountId, kind }: TenureChange): void {
    const account = this.accounts.get(accountId);
    if (account) {
      this.changes.announce(account, kind === 'resized' ? kind : account.isUsable ? 'opened' : 'closed');
    }
  }

  private announceAdopted(account: Account, change: ReturnType<typeof adoptRow>): void {
    if (change === 'reopened') {
      this.changes.announceReopened(account);
    } else if (change !== undefined) {
      this.changes.announce(account, change);
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
    this.changes.announce(account, 'opened');
  }
}
