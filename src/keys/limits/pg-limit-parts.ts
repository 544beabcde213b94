import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { beatLimitMs, beatPauseMs } from '../../cluster/beat-times.js';
import { Pause } from '../../cluster/pause.js';
import { TenureClock } from '../../cluster/tenure-clock.js';
import { Outage } from '../../common/logging/outage.js';
import { type PgDatabase } from '../../common/store/pg-database.js';
import { type Clock, type ClockReading } from '../../common/time/clock.js';
import { Mutex } from '../../common/time/mutex.js';
import { type AccessKey, type KeyLimits } from '../access-key.js';
import {
  LIMIT_NAMES,
  type LimitClient,
  type LimitDemand,
  type LimitName,
  LimitParts,
} from './limit-parts.js';
import {
  exchangeParts,
  leaveParts,
  type PartOrder,
  type Renewal,
  renewParts,
  type StoredPart,
} from './part-statements.js';
import { planPart } from './plan-part.js';

/** Least time between two exchanges. */
const MIN_PAUSE_MS = 200;
const UNUSED: LimitDemand = { used: 0, wanted: 0 };

/**
 * This node's parts of the limits of keys. Once a second it says that it lives; when its needs or the others' have
 * changed, parts change hands. In between it decides alone, and stops by its own clock before its parts may be another's.
 */
export class PgLimitParts extends LimitParts implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly isDivided = true;
  private readonly logger = new Logger('Keys');
  private readonly outage: Outage;
  private readonly tenure: TenureClock;
  private readonly pause = new Pause();
  /** After each exchange, and not to be cut short but by the end. */
  private readonly rest = new Pause();
  private readonly parts = new Map<string, StoredPart>();
  private keys: readonly AccessKey[] = [];
  private client: LimitClient | undefined;
  private endsAt = 0;
  private beats = 0;
  private nodes = 1;
  private version: number | undefined;
  private readonly turns = new Mutex();
  private running: Promise<void> | undefined;
  private isHurried = false;
  private isStopped = false;

  /** @param leaseMs `NODE_LEASE_MS` */
  constructor(
    private readonly database: PgDatabase,
    private readonly clock: Clock,
    private readonly leaseMs: number,
  ) {
    super();
    const begun = (error: unknown) =>
      this.logger.error(error, 'parts of limits cannot be renewed; they are used until their time is over');
    this.outage = new Outage(
      { begun, over: () => this.logger.log('parts of limits are renewed again') },
      database.outage,
    );
    this.tenure = new TenureClock(leaseMs);
  }

  of(key: AccessKey): KeyLimits | undefined {
    const { requestsPerMinute, concurrentRequests, tokensPerDay } = key;
    if (requestsPerMinute === null && concurrentRequests === null && tokensPerDay === null) {
      return key;
    }
    if (!this.tenure.isValid(this.endsAt, this.clock.reading())) {
      return undefined;
    }
    return {
      requestsPerMinute: this.partOf(key, 'requestsPerMinute'),
      concurrentRequests: this.partOf(key, 'concurrentRequests'),
      tokensPerDay: this.partOf(key, 'tokensPerDay'),
    };
  }

  serve(client: LimitClient): void {
    this.client = client;
  }

  keysChanged(keys: readonly AccessKey[]): Promise<void> {
    this.keys = keys.filter((key) => LIMIT_NAMES.some((name) => key[name] !== null));
    return this.running ? this.beat() : Promise.resolve();
  }

  hurry(): void {
    this.isHurried = true;
    this.pause.end();
  }

  /** The gateway listens once it has its parts, or knows that they cannot be had now. */
  async onApplicationBootstrap(): Promise<void> {
    await this.beat();
    this.running = this.beatOn();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.pause.end();
    this.rest.end();
    await this.running;
    await this.turns.run(() => this.leave());
  }

  /** Gives up what is not in use. */
  private async leave(): Promise<void> {
    const orders = this.orders().map((order) => {
      const inUse = order.name === 'concurrentRequests' ? 0 : this.demandOf(order.key, order.name).used;
      return { ...order, keep: inUse, target: inUse, want: 0 };
    });
    await leaveParts(this.database, this.asking(), orders).catch((error: unknown) =>
      this.logger.warn(error, 'parts of limits could not be given up; they are free when their time is over'),
    );
  }

  private async beatOn(): Promise<void> {
    while (!this.isStopped) {
      this.isHurried = false;
      await this.beat();
      await this.rest.wait(MIN_PAUSE_MS);
      if (!this.isHurried && !this.isStopped) {
        await this.pause.wait(beatPauseMs(this.leaseMs) - MIN_PAUSE_MS);
      }
    }
  }

  /** One after the other. Never rejects. */
  private beat(): Promise<void> {
    return this.turns.run(() =>
      this.exchange().then(
        () => this.outage.succeeded(),
        (error: unknown) => this.outage.failed(error),
      ),
    );
  }

  private async exchange(): Promise<void> {
    if (this.keys.length === 0 && this.parts.size === 0) {
      return;
    }
    const sent = this.clock.reading();
    const renewal = await renewParts(this.database, this.asking(), beatLimitMs(this.leaseMs));
    if (renewal.isRenewed && renewal.version === this.version) {
      this.take(renewal, sent);
    } else {
      await this.trade([]);
    }
    const news = this.orders().filter((order) => this.isNews(order));
    if (news.length > 0) {
      await this.trade(news);
    }
  }

  /** Units that are given up go out of use before the statement is sent. */
  private async trade(orders: readonly PartOrder[]): Promise<void> {
    const sent = this.clock.reading();
    orders.forEach((order) => this.lower(order));
    const answer = await exchangeParts(this.database, this.asking(), orders);
    if (answer) {
      this.parts.clear();
      answer.parts.forEach((part) => this.parts.set(placeOf(part), part));
      this.take(answer, sent);
    }
  }

  private take({ nodes, version }: Renewal, sent: ClockReading): void {
    this.nodes = nodes;
    this.version = version;
    this.tenure.beatAnswered(sent);
    this.endsAt = this.tenure.endOf(sent);
  }

  private orders(): PartOrder[] {
    const orders = this.keys.flatMap((key) =>
      LIMIT_NAMES.flatMap((name) => {
        const limit = key[name];
        return limit === null ? [] : [this.orderOf(key.name, name, limit)];
      }),
    );
    const ordered = new Set(orders.map(placeOf));
    const over = [...this.parts.values()].filter((part) => part.amount > 0 && !ordered.has(placeOf(part)));
    return [
      ...orders,
      ...over.map(({ key, name }) => ({ key, name, limit: 0, keep: 0, target: 0, want: 0 })),
    ];
  }

  private orderOf(key: string, name: LimitName, limit: number): PartOrder {
    const part = this.parts.get(placeOf({ key, name }));
    const { amount: held = 0, taken = 0, missing = 0 } = part ?? {};
    const { nodes } = this;
    const plan = planPart({ limit, nodes, held, taken, missing, ...this.demandOf(key, name) });
    return { key, name, limit, ...plan };
  }

  private demandOf(key: string, name: LimitName): LimitDemand {
    return this.client?.demandOf(key)?.[name] ?? UNUSED;
  }

  /** Whether an order would change anything. */
  private isNews(order: PartOrder): boolean {
    const part = this.parts.get(placeOf(order));
    if (!part || part.want !== order.want || part.amount > order.keep) {
      return true;
    }
    return order.target > part.amount && part.taken < order.limit;
  }

  private lower(order: PartOrder): void {
    const place = placeOf(order);
    const part = this.parts.get(place);
    if (part) {
      this.parts.set(place, { ...part, amount: Math.min(part.amount, order.keep) });
    }
  }

  private partOf({ name: key, ...limits }: AccessKey, name: LimitName): number | null {
    return limits[name] === null ? null : (this.parts.get(placeOf({ key, name }))?.amount ?? 0);
  }

  private asking(): { readonly node: string; readonly beat: number; readonly leaseMs: number } {
    this.beats += 1;
    return { node: this.database.node, beat: this.beats, leaseMs: this.leaseMs };
  }
}

function placeOf({ key, name }: { readonly key: string; readonly name: LimitName }): string {
  return `${name} ${key}`;
}
