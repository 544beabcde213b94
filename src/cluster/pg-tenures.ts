import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type BeforeApplicationShutdown,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import { PROJECT_VERSION } from '../common/files/project-version.js';
import { type PgDatabase } from '../common/store/pg-database.js';
import { type Clock } from '../common/time/clock.js';
import { type BeatAnswer, sendBeat, sendFarewell } from './beat-statement.js';
import { ChangeListener } from './change-listener.js';
import { HeldTenure } from './held-tenure.js';
import { Pause } from './pause.js';
import { fairPart, TenureBook } from './tenure-book.js';
import { type ClockReading, TenureClock } from './tenure-clock.js';
import { type Tenure, type TenureChange, type TenureClient, Tenures } from './tenures.js';

/** Longest time between two beats; a lease has room for five. */
const BEAT_MS = 1000;
const BEATS_PER_LEASE = 5;

/** Nodes that start together spread their beats by up to this share. */
const JITTER_SHARE = 0.1;

/** Time limit for the last statement of a node. */
const FAREWELL_MS = 2000;

/**
 * Tenures from the database that several gateways share: one statement a second renews, takes and gives up, and whatever a
 * request needs to know is known here.
 */
export class PgTenures
  extends Tenures
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  /** Name of this process among the nodes. */
  readonly node = `${hostname()}-${randomUUID().slice(0, 8)}`;
  private readonly logger = new Logger(PgTenures.name);
  private readonly changes = new Subject<TenureChange>();
  private readonly book: TenureBook;
  private readonly pause = new Pause();
  private readonly expiry = new Pause();
  private readonly listener: ChangeListener;
  private client: TenureClient | undefined;
  private isExclusive = true;
  private beating: Promise<void> | undefined;
  private last: BeatAnswer | undefined;
  private knownVersion: number | undefined;
  private isDraining = false;
  private isStopped = false;
  private isFailing = false;

  readonly changes$: Observable<TenureChange> = this.changes.asObservable();

  /**
   * @param leaseMs `NODE_LEASE_MS`
   * @param chance gives a number from 0 to 1, for the jitter
   */
  constructor(
    private readonly database: PgDatabase,
    private readonly clock: Clock,
    private readonly leaseMs: number,
    private readonly chance: () => number,
  ) {
    super();
    this.book = new TenureBook(new TenureClock(leaseMs));
    this.listener = new ChangeListener(database.connectionOptions, () => this.pause.end(), chance);
  }

  of(accountId: string, shares: number): Tenure {
    this.isExclusive = shares === 1;
    return new HeldTenure(accountId, shares, this.book, () => this.reading());
  }

  serve(client: TenureClient): void {
    this.client = client;
  }

  /** Accounts are opened as they are granted; nothing waits for the first beat. */
  onApplicationBootstrap(): void {
    this.listener.start();
    this.beating = this.beatOn();
  }

  /** No more accounts are taken, and those held are given up one by one. */
  beforeApplicationShutdown(): void {
    this.isDraining = true;
    this.pause.end();
  }

  /** The sessions are closed: everything is given up at once. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.pause.end();
    this.expiry.end();
    await Promise.all([this.beating, this.listener.stop()]);
    this.changes.complete();
    await sendFarewell(this.database, this.node, FAREWELL_MS).catch((error: unknown) =>
      this.logger.warn(error, 'the accounts could not be given up; they are free when their time is over'),
    );
  }

  private async beatOn(): Promise<void> {
    while (!this.isStopped) {
      const isFirst = this.last === undefined;
      await this.beat();
      if (isFirst && this.last !== undefined) {
        // Only now is it known how much is the node's part.
        continue;
      }
      const pauseMs = Math.min(BEAT_MS, this.leaseMs / BEATS_PER_LEASE);
      await this.pause.wait(pauseMs * (1 + JITTER_SHARE * (this.chance() - 0.5)));
    }
  }

  private async beat(): Promise<void> {
    const sent = this.reading();
    try {
      const answer = await this.send(sent);
      await this.refreshFor(answer);
      this.book.beatAnswered(answer.grants, sent);
      this.last = answer;
      if (this.isFailing) {
        this.isFailing = false;
        this.logger.log('the shared database answers again');
      }
    } catch (error) {
      if (!this.isFailing) {
        this.isFailing = true;
        this.logger.error(
          error,
          'the shared database does not answer; accounts are used until their time is over',
        );
      }
    }
    this.handOver();
    this.announce();
  }

  private send(now: ClockReading): Promise<BeatAnswer> {
    const { shares = 0, nodes = 1 } = this.last ?? {};
    const beat = {
      node: this.node,
      provider: this.client?.provider ?? '',
      version: PROJECT_VERSION,
      leaseMs: this.leaseMs,
      isDraining: this.isDraining,
      release: this.book.toRelease,
      claim: Math.max(0, fairPart(shares, nodes) - this.book.usableCount(now)),
    };
    return sendBeat(this.database, beat, this.leaseMs / BEATS_PER_LEASE);
  }

  /** An account that another node has used may cool down, or be without a login: that must be known before it counts. */
  private async refreshFor({ grants, accountsVersion }: BeatAnswer): Promise<void> {
    if (this.book.hasNew(grants) || accountsVersion !== this.knownVersion) {
      await this.client?.refresh();
      this.knownVersion = accountsVersion;
    }
  }

  private handOver(): void {
    if (this.last) {
      const { shares, nodes } = this.last;
      this.book.leaveBeyond(this.isDraining ? 0 : fairPart(shares, nodes), this.reading());
    }
    // Sessions are closed by what is announced, so that a later beat finds the account free.
    this.announce();
    this.book.releaseLeaving((account) => this.client?.isWithinPart(account) ?? true);
  }

  private announce(): void {
    const now = this.reading();
    this.book.forgetEnded(now);
    const changes = this.book.changes(this.isExclusive, now);
    changes.forEach((change) => this.changes.next(change));
    if (changes.length > 0) {
      this.logger.log(
        { changes: changes.length, shares: this.book.usableCount(now) },
        'accounts of this node changed',
      );
    }
    const { firstEnd } = this.book;
    this.expiry.end();
    if (firstEnd !== undefined && !this.isStopped) {
      const waitMs = Math.max(1, firstEnd - this.clock.monotonic() + 1);
      void this.expiry.wait(waitMs).then((isOver) => isOver && this.announce());
    }
  }

  private reading(): ClockReading {
    return { monotonic: this.clock.monotonic(), wall: this.clock.now() };
  }
}
