import { Logger } from '@nestjs/common';
import { Outage } from '../../common/logging/outage.js';
import { type Clock } from '../../common/time/clock.js';
import { type Account } from './account.js';
import {
  type AccountStore,
  type AccountWrite,
  type CountsBatch,
  type CountsWrite,
} from './store/account-store.js';
import { WriteBehind } from './write-behind.js';

type PendingWrite = AccountWrite | ({ readonly kind: 'counts' } & CountsWrite);

/** The writes that the upstream causes. They never fail, and are repeated until the store accepts them. */
export class AccountWrites {
  private readonly logger = new Logger(AccountWrites.name);
  private readonly buffer: WriteBehind<PendingWrite>;
  private batches = 0;
  /** The counts of the latest write if that failed: it may have been carried out all the same, so they are sent as they were. */
  private doubtful: CountsBatch | undefined;

  constructor(
    private readonly store: AccountStore,
    private readonly clock: Clock,
    private readonly accountOf: (id: string) => Account | undefined,
  ) {
    const begun = (error: unknown) =>
      this.logger.error(error, 'the state of the accounts cannot be stored at present');
    const over = () => this.logger.log('the state of the accounts is stored again');
    this.buffer = new WriteBehind(
      (changes) => this.write(changes),
      new Outage({ begun, over }, { shared: store.sharedOutage }),
      store.countsDelayMs,
    );
  }

  cooldown(account: Account): void {
    this.buffer.writeNow(`${account.id} cooldown`, () => ({
      ...origin(account),
      kind: 'cooldown',
      cooldown: account.cooldown.toStored(this.clock.monotonic(), this.clock.now()),
    }));
  }

  /** @param screenshot PNG of the page at which the login failed */
  loginFailure(account: Account, screenshot: Uint8Array | undefined): void {
    this.buffer.writeNow(`${account.id} login`, () => ({
      ...origin(account),
      kind: 'loginFailure',
      failure: account.loginFailure,
      screenshot,
    }));
  }

  /** @param login number of the login that the state belongs to; cookies of an earlier one would log in as before */
  driverState(account: Account, login: number, state: string): void {
    this.buffer.writeNow(`${account.id} state`, () =>
      account.login === login ? { ...origin(account), kind: 'state', state } : undefined,
    );
  }

  /** Waits until the last state is stored, so that it can be read, unless the store fails at present. */
  driverStateStored({ id }: Account): Promise<void> {
    return this.buffer.settled(`${id} state`);
  }

  /** Counts and times of use, after `AccountStore.countsDelayMs`. */
  counts(account: Account): void {
    this.buffer.enqueue(`${account.id} counts`, () => toCounts(account));
  }

  /** Whether the store does not know all about the account yet. */
  isPending({ id }: Pick<Account, 'id'>): boolean {
    return this.buffer.has(`${id} cooldown`) || this.buffer.has(`${id} login`);
  }

  /** Whether login state has yet to reach the store. */
  isKeepingLogin({ id }: Account): boolean {
    return this.buffer.has(`${id} state`);
  }

  close(): Promise<void> {
    return this.buffer.close();
  }

  private async write(pending: readonly PendingWrite[]): Promise<void> {
    if (pending.length === 0) {
      return;
    }
    const changes = pending.filter((change) => change.kind !== 'counts');
    const counts = pending.filter((change) => change.kind === 'counts');
    const batch = (this.doubtful ??= { number: ++this.batches, counts });
    await this.store.write(changes, batch);
    this.doubtful = undefined;
    batch.counts.forEach(({ id, added }) => this.accountOf(id)?.countsStored(added));
    if (batch.counts !== counts) {
      // What was counted since then follows.
      counts.forEach(({ id }) => this.countsNow(id));
    }
  }

  private countsNow(id: string): void {
    const account = this.accountOf(id);
    if (account) {
      this.buffer.writeNow(`${id} counts`, () => toCounts(account));
    }
  }
}

function toCounts({ id, unstored, lastUsedAt, lastLoginAt }: Account): PendingWrite {
  return { kind: 'counts', id, added: { ...unstored, lastUsedAt, lastLoginAt } };
}

/** Origin of a change, for the store to judge. */
function origin({ id, tenure, login }: Account): Pick<AccountWrite, 'id' | 'term' | 'login'> {
  return { id, term: tenure.writeTerm, login };
}
