import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Outage } from '../common/logging/outage.js';
import { type SharedOutage } from '../common/logging/shared-outage.js';
import { type PgDatabase } from '../common/store/pg-database.js';
import { ChangeListener } from './change-listener.js';

/** See `shared_changed()` in the migrations. */
const CHANNEL = 'gateway_shared';

/** Changes of shared state other than accounts. */
export type SharedTopic = 'keys' | 'key_parts' | 'settings' | 'responses' | 'echoes' | 'log_followers';

/** By topic, a number that each change raises. */
export type SharedVersions = Readonly<Record<string, number>>;

interface Follower {
  readonly topic: SharedTopic;
  readonly take: () => Promise<void>;
  known: number | undefined;
}

/**
 * Brings this node's memory up to date when another node has changed something: at once by notification, and without one
 * by the versions that each beat reads. Without a shared store nothing ever changes elsewhere.
 */
export class SharedChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SharedChanges.name);
  private readonly outage: Outage;
  private readonly followers: Follower[] = [];
  private readonly listener: ChangeListener | undefined;
  private looking: Promise<void> | undefined;
  /** Whether something may have changed since the latest look began. */
  private isStale = false;
  private isStopped = false;

  /** @param chance gives a number from 0 to 1, for the jitter */
  constructor(
    private readonly database: PgDatabase | undefined,
    chance: () => number,
  ) {
    const begun = (error: unknown) =>
      this.logger.error(
        error,
        'what other gateways change cannot be taken over; what is known here stays in force',
      );
    const over = () => this.logger.log('what other gateways change is taken over again');
    this.outage = new Outage({ begun, over }, { shared: this.sharedOutage });
    this.listener =
      database && new ChangeListener(database.connectionOptions, () => this.look(), chance, CHANNEL);
  }

  /** Outage of the database; undefined without one. */
  get sharedOutage(): SharedOutage | undefined {
    return this.database?.outage;
  }

  /**
   * Follows a topic.
   * @param take reads what is shared now; called once at the start, after each change, and again if it rejects
   */
  follow(topic: SharedTopic, take: () => Promise<void>): void {
    this.followers.push({ topic, take, known: undefined });
  }

  /** @param versions of all topics, as a beat has read them */
  beatAnswered(versions: SharedVersions): void {
    if (this.outage.isOngoing || this.followers.some(({ topic, known }) => versions[topic] !== known)) {
      this.look();
    }
  }

  onApplicationBootstrap(): void {
    this.listener?.start();
    this.look();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await Promise.all([this.looking, this.listener?.stop()]);
  }

  /** Looks at once, or after the look under way, which may have missed the change. */
  private look(): void {
    this.isStale = true;
    if (this.database) {
      this.looking ??= this.lookAt(this.database);
    }
  }

  private async lookAt(database: PgDatabase): Promise<void> {
    while (this.isStale && !this.isStopped) {
      this.isStale = false;
      await this.takeChanges(database);
    }
    this.looking = undefined;
  }

  private async takeChanges(database: PgDatabase): Promise<void> {
    try {
      const rows = await database.query<{ topic: string; version: number }>('SELECT * FROM shared_versions');
      const failures: unknown[] = [];
      for (const follower of this.followers) {
        const version = rows.find(({ topic }) => topic === follower.topic)?.version;
        if (version !== follower.known) {
          await follower.take().then(
            () => (follower.known = version),
            (error: unknown) => failures.push(error),
          );
        }
      }
      if (failures.length > 0) {
        this.outage.failed(failures[0]);
      } else {
        this.outage.succeeded();
      }
    } catch (error) {
      this.outage.failed(error);
    }
  }
}
