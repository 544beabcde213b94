import {
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable, Subject, timeout } from 'rxjs';
import { PROJECT_VERSION } from '../common/files/project-version.js';
import { Outage } from '../common/logging/outage.js';
import { type PgDatabase } from '../common/store/pg-database.js';
import { type Clock, type ClockReading } from '../common/time/clock.js';
import { Pause } from '../common/time/pause.js';
import { sendAsking } from './ask-statement.js';
import { type BeatAnswer, sendBeat, sendFarewell } from './beat-statement.js';
import { beatLimitMs, beatRestMs, MIN_BEAT_MS } from './beat-times.js';
import { ChangeListener } from './change-listener.js';
import { HeldTenure } from './held-tenure.js';
import { type NodeReport } from './node-report.js';
import { type SharedChanges } from './shared-changes.js';
import { TurnReading } from './tenure-clock.js';
import { TenureKeeper } from './tenure-keeper.js';
import { type Tenure, type TenureChange, type TenureClient, Tenures } from './tenures.js';

/** Time limit for the last statement of a node. */
const FAREWELL_MS = 2000;

/**
 * Tenures from the database that several gateways share: one statement a second renews, takes and gives up, and whatever a
 * request needs to know is known here.
 */
export class PgTenures
  extends Tenures
  implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown
{
  /** As `PgDatabase.nodeId`. */
  readonly nodeId: string;
  private readonly logger = new Logger(PgTenures.name);
  private readonly outage: Outage;
  private readonly changes = new Subject<TenureChange>();
  private readonly keeper: TenureKeeper;
  private readonly pause = new Pause();
  private readonly floor = new Pause();
  private readonly expiry = new Pause();
  private readonly turn = new TurnReading(() => this.clock.reading());
  private readonly listener: ChangeListener;
  private client: TenureClient | undefined;
  private beating: Promise<void> | undefined;
  private knownVersion: number | undefined;
  private isNudged = false;
  private isDraining = false;
  private isStopped = false;

  readonly changes$: Observable<TenureChange> = this.changes.asObservable();

  /**
   * @param nodeLeaseMs `NODE_LEASE_MS`
   * @param chance gives a number from 0 to 1, for the jitter
   */
  constructor(
    private readonly database: PgDatabase,
    private readonly clock: Clock,
    private readonly nodeLeaseMs: number,
    private readonly chance: () => number,
    private readonly report: NodeReport,
    private readonly shared: SharedChanges,
  ) {
    super();
    this.nodeId = database.nodeId;
    this.keeper = new TenureKeeper(nodeLeaseMs);
    const begun = (error: unknown) =>
      this.logger.error(
        error,
        isSchemaMissing(error)
          ? 'the shared database is an empty one: restart the gateways, which make its tables'
          : 'the accounts of this node cannot be renewed',
      );
    const over = () => this.logger.log('the accounts of this node are renewed again');
    this.outage = new Outage({ begun, over }, { shared: database.outage });
    database.outage.decideBy(this.outage);
    const onChange = (concerned: string): void => {
      if (concerned === '' || concerned === this.nodeId) {
        this.nudge();
      }
    };
    this.listener = new ChangeListener(database.connectionOptions, onChange, chance);
  }

  get nodes(): number {
    return Math.max(1, this.keeper.known.nodes);
  }

  get isAway(): boolean {
    return this.outage.isOngoing;
  }

  of(accountId: string, shares: number): Tenure {
    this.keeper.shares = shares;
    const isHopeful = () => this.keeper.hasBegun && !this.outage.isOngoing && !this.isDraining;
    const isFirst = () => this.keeper.known.isFirst;
    return new HeldTenure(accountId, shares, this.keeper.book, this.turn.now, isHopeful, isFirst);
  }

  serve(client: TenureClient): void {
    this.client = client;
    this.keeper.needs = client;
  }

  want(accountId: string): () => void {
    this.keeper.wanted.add(accountId);
    this.nudge();
    return () => this.keeper.wanted.delete(accountId);
  }

  look(): void {
    if (!this.isNudged && !this.outage.isOngoing && this.keeper.isUrgent(() => this.clock.reading())) {
      this.nudge();
    }
  }

  /** Accounts are opened as they are granted; nothing waits for the first beat. */
  onApplicationBootstrap(): void {
    this.listener.start();
    this.beating = this.beatOn();
  }

  /** No more accounts are taken, and those held are given up as they come to rest, while answers run on. */
  onModuleDestroy(): void {
    this.isDraining = true;
    this.keeper.drain();
    this.nudge();
  }

  /** The sessions are closed: everything is given up at once. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.pause.end();
    this.floor.end();
    this.expiry.end();
    await Promise.all([this.beating, this.listener.stop()]);
    this.changes.complete();
    await sendFarewell(this.database, this.nodeId, FAREWELL_MS).catch((error: unknown) =>
      this.logger.warn(error, 'the accounts could not be given up; they are free when their time is over'),
    );
  }

  private async beatOn(): Promise<void> {
    while (!this.isStopped) {
      this.isNudged = false;
      await this.beat();
      if (!this.outage.isOngoing && !this.isStopped && this.keeper.isShort(this.clock.reading())) {
        await this.beat();
      }
      const earliestAt = this.clock.monotonic() + MIN_BEAT_MS;
      if (!this.isNudged && !this.isStopped) {
        await this.pause.wait(this.restMs);
      }
      const leftMs = earliestAt - this.clock.monotonic();
      if (leftMs > 0 && !this.isStopped) {
        await this.floor.wait(leftMs);
      }
    }
  }

  private get restMs(): number {
    const nextEndMs = this.outage.isOngoing ? undefined : this.keeper.known.nextEndMs;
    return beatRestMs(this.nodeLeaseMs, this.chance(), nextEndMs);
  }

  private nudge(): void {
    if (!this.isNudged) {
      this.isNudged = true;
      this.pause.end();
    }
  }

  private async beat(): Promise<void> {
    this.handOver();
    const sent = this.clock.reading();
    const wasAway = this.outage.isOngoing;
    try {
      const answer = await this.send(sent);
      this.noteEpoch(answer);
      this.shared.beatAnswered(answer.versions);
      await this.refreshFor(answer);
      this.keeper.beatAnswered(answer, sent, this.clock.reading());
      this.handOver();
      await this.ask();
      this.outage.succeeded();
    } catch (error) {
      this.keeper.beatFailed(this.clock.reading());
      this.outage.failed(error);
    }
    if (this.outage.isOngoing !== wasAway) {
      this.client?.outlookChanged();
    }
    this.announce();
  }

  private noteEpoch({ epoch }: BeatAnswer): void {
    if (this.keeper.hasBegun && epoch !== this.keeper.known.epoch) {
      this.logger.warn(
        { event: 'epoch_changed' },
        'the shared database is another server, or was restored: no account is taken for one NODE_LEASE_MS',
      );
    }
  }

  private send(now: ClockReading): Promise<BeatAnswer> {
    const { nodeId: node, nodeLeaseMs } = this;
    const provider = this.client?.provider ?? '';
    const about = { node, provider, version: PROJECT_VERSION, nodeLeaseMs, report: this.report.read() };
    const beat = { ...about, ...this.keeper.nextBeat(now) };
    return this.inTime(sendBeat(this.database, beat, beatLimitMs(nodeLeaseMs)));
  }

  /** The wait for a connection counts, too: what a request may hope for must be known soon. */
  private inTime<T>(work: Promise<T>): Promise<T> {
    return lastValueFrom(from(work).pipe(timeout(beatLimitMs(this.nodeLeaseMs))));
  }

  /** Asks others for the shares that the node lacks; they give them up with their own beats. */
  private async ask(): Promise<void> {
    const { nodeId: node, nodeLeaseMs } = this;
    const asking = this.keeper.asking(this.clock.reading());
    if (asking && this.client) {
      const { provider } = this.client;
      const limitMs = beatLimitMs(nodeLeaseMs);
      await this.inTime(sendAsking(this.database, { node, provider, nodeLeaseMs, ...asking }, limitMs));
    }
  }

  /** An account that another node has used may cool down, or be without a login: that must be known before it counts. */
  private async refreshFor({ grants, accountsVersion }: BeatAnswer): Promise<void> {
    if (this.keeper.book.hasNew(grants) || accountsVersion !== this.knownVersion) {
      await this.inTime(this.client?.refresh() ?? Promise.resolve());
      this.knownVersion = accountsVersion;
    }
  }

  private handOver(): void {
    this.keeper.giveWay(this.clock.reading());
    // Sessions are closed by what is announced, so that the account is found free soon.
    this.announce();
    this.keeper.release();
  }

  private announce(): void {
    const { book, shares } = this.keeper;
    const now = this.clock.reading();
    book.forgetEnded(now);
    const changes = book.changes(shares === 1, now);
    changes.forEach((change) => this.changes.next(change));
    if (changes.length > 0) {
      this.logger.log(
        { changes: changes.length, shares: book.usableCount(now) },
        'accounts of this node changed',
      );
    }
    const { firstEnd } = book;
    this.expiry.end();
    if (firstEnd !== undefined && !this.isStopped) {
      const waitMs = Math.max(1, firstEnd - this.clock.monotonic() + 1);
      void this.expiry.wait(waitMs).then((isOver) => isOver && this.announce());
    }
  }
}

/** PostgreSQL's `undefined_table`. */
function isSchemaMissing(error: unknown): boolean {
  return (error as { readonly code?: string }).code === '42P01';
}
