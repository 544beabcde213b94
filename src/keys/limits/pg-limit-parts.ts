import { setImmediate } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { beatLimitMs, beatPauseMs } from '../../cluster/beat-times.js';
import { TenureClock } from '../../cluster/tenure-clock.js';
import { Outage } from '../../common/logging/outage.js';
import { type PgDatabase } from '../../common/store/pg-database.js';
import { type Clock, type ClockReading } from '../../common/time/clock.js';
import { Mutex } from '../../common/time/mutex.js';
import { Pause } from '../../common/time/pause.js';
import { type AccessKey, eachLimit, type KeyLimits, LIMIT_NAMES, type LimitName } from '../access-key.js';
import { type EarlierUse, type LimitClient, LimitParts } from './limit-parts.js';
import { PartBook } from './part-book.js';
import {
  enterParts,
  exchangeParts,
  findChanged,
  leaveParts,
  type PartPlace,
  type PartsNode,
  type PartsState,
  readStoredParts,
  renewParts,
} from './part-statements.js';
import { freeUnused } from './unused-parts.js';

/** Least time between two exchanges. */
const MIN_PAUSE_MS = 200;
/** Longest wait for parts at the start. */
const START_LIMIT_MS = 5000;
/** Limits in one statement, about: far below its time limit, however many keys exist. */
const BATCH = 500;
/** Changes read at a time, each of about a batch at most. */
const CHANGES = 10;
/** Changes after which all parts are read: so many at once are a leap of the versions, see `beat-statement.ts`. */
const MOST_CHANGES = 1000;

/**
 * This node's parts of the limits of keys. It sends a heartbeat a second; when needs have changed, parts
 * change hands. In between it decides alone, and stops by its own clock before its parts may be another's.
 */
export class PgLimitParts extends LimitParts implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly isDivided = true;
  private readonly logger = new Logger('Keys');
  private readonly outage: Outage;
  private readonly tenure: TenureClock;
  private readonly pause = new Pause();
  /** The pause after each exchange, which only the end cuts short. */
  private readonly rest = new Pause();
  private readonly book = new PartBook();
  private endsAt = 0;
  private renewedAt = 0;
  private beats = 0;
  /** See `PartsState`: what the book has taken in. */
  private version = 0;
  private ended: string | null = null;
  private earlier: EarlierUse | undefined;
  /** See `PartsState.ended`: when what nobody has used was freed last. */
  private freedAt: string | null | undefined;
  private readonly mutex = new Mutex();
  private running: Promise<void> | undefined;
  private isHurried = false;
  private isStopped = false;

  /** @param nodeLeaseMs `NODE_LEASE_MS` */
  constructor(
    private readonly database: PgDatabase,
    private readonly clock: Clock,
    private readonly nodeLeaseMs: number,
  ) {
    super();
    const begun = (error: unknown) =>
      this.logger.error(error, 'parts of limits cannot be renewed; they are used until their time is over');
    this.outage = new Outage(
      { begun, over: () => this.logger.log('parts of limits are renewed again') },
      { shared: database.outage },
    );
    this.tenure = new TenureClock(nodeLeaseMs);
  }

  of(key: AccessKey): KeyLimits | undefined {
    if (LIMIT_NAMES.every((name) => key[name] === null)) {
      return key;
    }
    if (!this.tenure.isValid(this.endsAt, this.clock.reading())) {
      return undefined;
    }
    return eachLimit((name) => this.partOf(key, name));
  }

  serve(client: LimitClient): void {
    this.book.serve(client);
  }

  keysChanged(keys: readonly AccessKey[]): Promise<void> {
    this.book.keysChanged(keys);
    return this.running ? this.beat() : Promise.resolve();
  }

  usedEarlier(use: EarlierUse): void {
    this.earlier = use;
  }

  exchangeSoon(): void {
    this.isHurried = true;
    this.pause.end();
  }

  /** The gateway listens once it has its parts, or knows that they cannot be had now; with very many keys, before. */
  async onApplicationBootstrap(): Promise<void> {
    const first = this.beat().then(() => this.rest.end());
    this.running = first.then(() => this.beatOn());
    await this.rest.wait(START_LIMIT_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.pause.end();
    this.rest.end();
    await this.running;
    await this.mutex.run(() => this.leave());
  }

  /** Gives up what is not in use. */
  private async leave(): Promise<void> {
    await leaveParts(this.database, this.asking(), this.book.inUse()).catch((error: unknown) =>
      this.logger.warn(error, 'parts of limits could not be given up; they are free when their time is over'),
    );
  }

  private async beatOn(): Promise<void> {
    while (!this.isStopped) {
      this.isHurried = false;
      await this.beat();
      await this.rest.wait(MIN_PAUSE_MS);
      if (!this.isHurried && !this.isStopped) {
        await this.pause.wait(beatPauseMs(this.nodeLeaseMs) - MIN_PAUSE_MS);
      }
    }
  }

  /** One after the other. Never rejects. */
  private beat(): Promise<void> {
    return this.mutex.run(() =>
      this.exchange().then(
        () => this.outage.succeeded(),
        (error: unknown) => this.outage.failed(error),
      ),
    );
  }

  /** Sends a heartbeat, reads changes, and adapts the parts to the needs, all in small steps. */
  private async exchange(): Promise<void> {
    if (this.book.isEmpty) {
      return;
    }
    await this.renew();
    await this.freeUnused();
    await this.readDoubtful();
    let places: PartPlace[] = [];
    for (const changes of this.book.changes()) {
      if (this.isStopped) {
        return;
      }
      places.push(...changes);
      if (places.length >= BATCH) {
        await this.trade(places);
        places = [];
      }
      await setImmediate();
    }
    if (places.length > 0) {
      await this.trade(places);
    }
  }

  private async renew(): Promise<void> {
    const sent = this.clock.reading();
    const renewal = await renewParts(this.database, this.asking(), beatLimitMs(this.nodeLeaseMs));
    if (!renewal.isRenewed) {
      await this.enter();
      return;
    }
    this.take(renewal, sent);
    const missed = renewal.version - this.version;
    if (renewal.ended === this.ended && missed >= 0 && missed <= MOST_CHANGES) {
      await this.doubtChanged(renewal.version);
    } else {
      this.book.doubt();
      this.ended = renewal.ended;
      this.version = renewal.version;
    }
  }

  private async enter(): Promise<void> {
    const sent = this.clock.reading();
    const state = await enterParts(this.database, this.asking());
    if (state) {
      this.book.forfeit();
      this.ended = state.ended;
      this.version = state.version;
      this.take(state, sent);
    }
  }

  /** Once at the start, and whenever a node's time is over: it may be that of the process before this one. */
  private async freeUnused(): Promise<void> {
    const { earlier, ended } = this;
    if (earlier !== undefined && this.freedAt !== ended) {
      await freeUnused(this.database, this.database.nodeId, earlier);
      this.freedAt = ended;
    }
  }

  private async doubtChanged(version: number): Promise<void> {
    while (this.version < version) {
      const upTo = Math.min(version, this.version + CHANGES);
      this.book.doubt(await findChanged(this.database, this.version, upTo));
      this.version = upTo;
    }
  }

  private async readDoubtful(): Promise<void> {
    let places = this.book.doubtful(BATCH);
    while (places.length > 0 && !this.isStopped) {
      this.book.note(await readStoredParts(this.database, this.database.nodeId, places), places);
      if (this.clock.monotonic() - this.renewedAt > beatPauseMs(this.nodeLeaseMs)) {
        await this.renew();
      }
      places = this.book.doubtful(BATCH);
    }
  }

  /** If it fails, it is not known what was carried out. */
  private async trade(places: readonly PartPlace[]): Promise<void> {
    const sent = this.clock.reading();
    const orders = this.book.order(places);
    this.book.doubt(places);
    const answer = await exchangeParts(this.database, this.asking(), orders);
    if (answer) {
      this.book.note(answer.parts, places);
      // Else others have changed something in between, which is still to be read.
      if (answer.version === this.version + 1) {
        this.version = answer.version;
      }
      this.take(answer, sent);
    }
  }

  private take({ nodes }: PartsState, sent: ClockReading): void {
    this.book.nodes = nodes;
    this.tenure.beatAnswered(sent);
    this.endsAt = this.tenure.endOf(sent);
    this.renewedAt = sent.monotonic;
  }

  private partOf({ name: key, ...limits }: AccessKey, name: LimitName): number | null {
    return limits[name] === null ? null : this.book.amountOf({ key, name });
  }

  private asking(): PartsNode {
    this.beats += 1;
    return { node: this.database.nodeId, beat: this.beats, nodeLeaseMs: this.nodeLeaseMs };
  }
}
