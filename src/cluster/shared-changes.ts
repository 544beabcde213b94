import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Outage } from '../common/logging/outage.js';
import { type SharedOutage } from '../common/logging/shared-outage.js';
import { type PgDatabase } from '../common/store/pg-database.js';
import { ChangeListener } from './change-listener.js';
import { Pause } from './pause.js';

/** Longest time for which a change of another node is not known here. */
const LOOK_EVERY_MS = 900;
const JITTER_SHARE = 0.1;
/** See `shared_changed()` in the migrations. */
const CHANNEL = 'gateway_shared';

/** Changes of shared state other than accounts. */
export type SharedTopic = 'keys' | 'key_parts' | 'settings' | 'responses' | 'echoes';

interface Follower {
  readonly topic: SharedTopic;
  readonly take: () => Promise<void>;
  known: number | undefined;
}

/**
 * Brings this node's memory up to date when another node has changed something: at once by notification, and without one
 * by the versions, which are looked at every second. Without a shared store nothing ever changes elsewhere.
 */
export class SharedChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SharedChanges.name);
  private readonly outage: Outage;
  private readonly followers: Follower[] = [];
  private readonly pause = new Pause();
  private readonly listener: ChangeListener | undefined;
  private running: Promise<void> | undefined;
  /** Whether something was announced since the latest look began. */
  private isAnnounced = false;
  private isStopped = false;

  /** @param chance gives a number from 0 to 1, for the jitter */
  constructor(
    private readonly database: PgDatabase | undefined,
    private readonly chance: () => number,
  ) {
    const begun = (error: unknown) =>
      this.logger.error(
        error,
        'what other gateways change cannot be read; what is known here stays in force',
      );
    const over = () => this.logger.log('what other gateways change is read again');
    this.outage = new Outage({ begun, over }, this.sharedOutage);
    this.listener =
      database && new ChangeListener(database.connectionOptions, () => this.announced(), chance, CHANNEL);
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

  onApplicationBootstrap(): void {
    if (this.database) {
      this.listener?.start();
      this.running = this.lookOn(this.database);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.pause.end();
    await Promise.all([this.running, this.listener?.stop()]);
  }

  private announced(): void {
    this.isAnnounced = true;
    this.pause.end();
  }

  private async lookOn(database: PgDatabase): Promise<void> {
    while (!this.isStopped) {
      this.isAnnounced = false;
      await this.look(database);
      if (!this.isAnnounced) {
        await this.pause.wait(LOOK_EVERY_MS * (1 - JITTER_SHARE * this.chance()));
      }
    }
  }

  private async look(database: PgDatabase): Promise<void> {
    try {
      const rows = await database.query<{ topic: string; version: number }>('SELECT * FROM shared_versions');
      for (const follower of this.followers) {
        const version = rows.find(({ topic }) => topic === follower.topic)?.version;
        if (version !== follower.known) {
          await follower.take();
          follower.known = version;
        }
      }
      this.outage.succeeded();
    } catch (error) {
      this.outage.failed(error);
    }
  }
}
