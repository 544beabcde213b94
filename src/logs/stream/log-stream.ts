import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type Subscription } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { KeyRing } from '../../common/http/access/key-ring.js';
import { HEARTBEAT } from '../../common/http/answer/event-stream.js';
import { getOrInsert } from '../../common/memory/get-or-insert.js';
import { Clock } from '../../common/time/clock.js';
import { type LogChange, LogJournal } from '../journal/log-journal.js';
import { LogReadLimiter } from '../log-read-limiter.js';
import { type LogReader } from '../store/log-reader.js';
import { PAGE_LENGTH } from '../store/record-search.js';
import { type FollowOptions, StreamFollower } from './stream-follower.js';

/** Batching window: changes within it are sent with one write per follower. */
const BATCH_WINDOW_MS = 50;
/** A write costs 8 µs. With thousands of followers the window grows to this multiple of the last broadcast's duration. */
const REST_FACTOR = 3;
const MAX_BATCH_WINDOW_MS = 250;
/** Followers served per turn of the event loop. */
const FOLLOWERS_PER_TURN = 100;
/** Most missed changes sent to a follower that reconnects; older ones are left out. */
const MAX_MISSED = 500;
const MORE_MISSED = ': older records are left out\n\n';

/**
 * Broadcasts the journal's changes to all followers, in batches. Each batch is serialised once per form of follower and
 * sent with one write to each.
 */
@Injectable()
export class LogStream implements OnModuleDestroy {
  private readonly logger = new Logger('LogStream');
  private readonly followers = new Set<StreamFollower>();
  private changes: LogChange[] = [];
  private subscription: Subscription | undefined;
  private batchTimer: NodeJS.Timeout | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private isSending = false;
  private batchWindowMs = BATCH_WINDOW_MS;
  private isShutDown = false;

  constructor(
    private readonly journal: LogJournal,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly ring: KeyRing,
    private readonly limiter: LogReadLimiter,
  ) {
    ring.changes$.subscribe(() => this.endOutdated());
  }

  /** Number of connected followers. */
  get followerCount(): number {
    return this.followers.size;
  }

  /**
   * Answers a request with all changes from now on.
   * @param after number of the last change received; the changes missed since are sent first
   */
  follow(request: Request, response: Response, options: FollowOptions, after?: string): void {
    if (response.closed) {
      // It left while its ticket was looked up; no further event would say so.
      return;
    }
    const follower = new StreamFollower(response, options);
    follower.begin();
    if (this.isShutDown || request.method === 'HEAD') {
      follower.end();
      return;
    }
    this.endOutdated();
    response.on('close', () => this.remove(follower));
    if (after === undefined) {
      this.join(follower);
    } else {
      this.catchUp(follower, response, Number(after)).catch((error: unknown) => {
        if (follower.isGone) {
          return;
        }
        // One that found no place may come as often as it likes.
        if (!(error instanceof TooManyRequestsError)) {
          this.logger.warn(error, 'a follower of the log could not be sent what it missed');
        }
        follower.end();
      });
    }
  }

  /** Sends the outstanding changes and ends every stream, before running completions are drained. */
  onModuleDestroy(): void {
    this.isShutDown = true;
    this.journal.settle();
    for (const follower of this.followers) {
      follower.write(framesFor(follower, this.changes));
    }
    this.endAll();
  }

  private endAll(): void {
    for (const follower of this.followers) {
      follower.end();
      this.remove(follower);
    }
  }

  /** Disconnects followers that were let in with a key that is no longer valid. */
  private endOutdated(): void {
    for (const follower of this.followers) {
      if (!this.ring.isCurrent(follower.key)) {
        follower.end();
        this.remove(follower);
      }
    }
  }

  private join(follower: StreamFollower): void {
    this.subscription ??= this.journal.allChanges$.subscribe((change) => this.take(change));
    this.heartbeat ??= this.nextBeat();
    follower.from = this.journal.lastNumber;
    this.followers.add(follower);
  }

  /**
   * Sends the changes after a number from the store, while live ones are held back. Texts need a place until they are read,
   * and so does a caller, who may come as often as it likes and read nothing.
   */
  private async catchUp(follower: StreamFollower, response: Response, after: number): Promise<void> {
    const { withTexts, owner } = follower;
    const needsPlace = withTexts || owner !== undefined;
    const leave = needsPlace ? await this.limiter.enter(response, owner) : undefined;
    try {
      if (this.isShutDown || !this.ring.isCurrent(follower.key)) {
        follower.end();
      } else if (!follower.isGone) {
        const log = this.journal.flush();
        follower.hold();
        this.join(follower);
        await follower.release(await this.missed(follower, log, after));
      }
    } finally {
      leave?.();
    }
  }

  private async missed(follower: StreamFollower, log: LogReader, after: number): Promise<string> {
    const { from, withTexts, kind, owner } = follower;
    const changes = await log.changes({ after, limit: MAX_MISSED, withTexts, kind, key: owner });
    const length = changes.reduce((sum, { text }) => sum + text.length, 0);
    const frames = changes
      .filter(({ changed }) => this.journal.isShared || changed <= from)
      .map(({ changed, text }) => follower.frame(changed, text));
    return (changes.length >= MAX_MISSED || length >= PAGE_LENGTH ? MORE_MISSED : '') + frames.join('');
  }

  private remove(follower: StreamFollower): void {
    this.followers.delete(follower);
    if (this.followers.size === 0) {
      this.subscription?.unsubscribe();
      this.subscription = undefined;
      clearTimeout(this.heartbeat);
      this.heartbeat = undefined;
      clearTimeout(this.batchTimer);
      this.batchTimer = undefined;
      this.changes = [];
    }
  }

  private take(change: LogChange): void {
    if (this.followers.size === 0) {
      return;
    }
    // Serialised now, since the record goes on changing.
    change.text(false);
    this.changes.push(change);
    this.batchTimer ??= setTimeout(() => void this.send(), this.batchWindowMs);
  }

  /** A follower that joins during the broadcast is not part of it: its position is already past these changes. */
  private async send(): Promise<void> {
    this.batchTimer = undefined;
    if (this.isSending) {
      return;
    }
    this.endOutdated();
    this.isSending = true;
    const { changes } = this;
    this.changes = [];
    const first = changes[0]?.number ?? 0;
    const shared = new Map<string, Buffer>();
    const began = this.clock.monotonic();
    await this.inTurns((follower) => {
      if (follower.from >= first) {
        follower.write(framesFor(follower, changes));
        return;
      }
      const frames = getOrInsert(shared, follower.form, () => Buffer.from(framesFor(follower, changes)));
      follower.write(frames);
    });
    this.isSending = false;
    const restMs = REST_FACTOR * (this.clock.monotonic() - began);
    this.batchWindowMs = Math.max(BATCH_WINDOW_MS, Math.min(MAX_BATCH_WINDOW_MS, restMs));
    if (this.changes.length > 0) {
      this.batchTimer ??= setTimeout(() => void this.send(), this.batchWindowMs);
    }
  }

  /** A new timer for each beat, since the setting may change at run time. */
  private nextBeat(): NodeJS.Timeout {
    return setTimeout(() => this.beat(), this.settings.HEARTBEAT_INTERVAL_MS).unref();
  }

  private beat(): void {
    this.heartbeat = this.nextBeat();
    this.endOutdated();
    void this.inTurns((follower) => follower.write(HEARTBEAT));
  }

  private async inTurns(work: (follower: StreamFollower) => void): Promise<void> {
    for (const [index, follower] of [...this.followers].entries()) {
      work(follower);
      if (index % FOLLOWERS_PER_TURN === FOLLOWERS_PER_TURN - 1) {
        await nextTurn();
      }
    }
  }
}

function framesFor(follower: StreamFollower, changes: readonly LogChange[]): string {
  return changes
    .filter(({ number, record }) => number > follower.from && follower.wants(record))
    .map((change) => follower.frame(change.cursor, change.text(follower.withTexts)))
    .join('');
}
