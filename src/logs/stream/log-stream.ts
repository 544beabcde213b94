import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type Subscription } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { Clock } from '../../common/time/clock.js';
import { LogJournal, type WrittenChange } from '../journal/log-journal.js';
import { Follower, type FollowOptions, HEARTBEAT, toFrame } from './follower.js';

/** Changes of so long a time go out together. */
const GATHER_MS = 50;
/** With thousands of readers a write to each, 8 µs, adds up: then the time is so many times what the last one took. */
const REST = 3;
const MAX_GATHER_MS = 250;
/** Readers served before the event loop may see to something else. */
const READERS_A_TURN = 100;
/** Missed records that a reader who comes back is sent, the newest of them. */
const MAX_MISSED = 500;
const MORE_MISSED = ': older records are left out\n\n';

/**
 * Sends the log to everyone who follows it. Each record is put into a frame once for all readers who want it in the
 * same form, and what happens within a moment goes out in one write to each.
 */
@Injectable()
export class LogStream implements OnModuleDestroy {
  private readonly logger = new Logger('LogStream');
  private readonly readers = new Set<Follower>();
  private changes: WrittenChange[] = [];
  private subscription: Subscription | undefined;
  private gathering: NodeJS.Timeout | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private isSending = false;
  private gatherMs = GATHER_MS;
  private isOver = false;
  /** The key that all of them have shown. */
  private key = '';

  constructor(
    private readonly journal: LogJournal,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** How many read the log at present. */
  get readerCount(): number {
    return this.readers.size;
  }

  /**
   * Answers a request with everything that happens from now on.
   * @param after number of the last change that the reader has seen; what it missed since comes first
   */
  follow(request: Request, response: Response, options: FollowOptions, after?: string): void {
    const follower = new Follower(response, options);
    follower.begin();
    if (this.isOver || request.method === 'HEAD') {
      follower.end();
      return;
    }
    this.endOutdated();
    response.once('close', () => this.remove(follower));
    this.subscription ??= this.journal.changes$.subscribe((change) => this.take(change));
    this.heartbeat ??= this.nextBeat();
    if (after === undefined) {
      this.join(follower);
    } else {
      this.catchUp(follower, Number(after)).catch((error: unknown) => {
        this.logger.warn(error, 'a reader of the log could not be sent what it missed');
        follower.end();
      });
    }
  }

  /** Ends every stream at once, with what has happened so far, while answers that run may go on. */
  onModuleDestroy(): void {
    this.isOver = true;
    this.journal.settle();
    for (const reader of this.readers) {
      reader.write(framesFor(reader, this.changes));
    }
    this.endAll();
  }

  private endAll(): void {
    for (const follower of this.readers) {
      follower.end();
      this.remove(follower);
    }
  }

  /** A key that was changed is worth nothing any more, also where it was shown before. */
  private endOutdated(): void {
    const { API_KEY } = this.settings;
    if (this.key !== API_KEY) {
      this.key = API_KEY;
      this.endAll();
    }
  }

  private join(follower: Follower): void {
    follower.from = this.journal.position;
    this.readers.add(follower);
  }

  /** Sends what has changed since a number, while what changes from now on waits. */
  private async catchUp(follower: Follower, after: number): Promise<void> {
    const { stored } = this.journal;
    follower.hold();
    this.join(follower);
    const [kind] = follower.kinds.length === 1 ? follower.kinds : [];
    const { from, withTexts } = follower;
    const changes = await stored.changes({ after, limit: MAX_MISSED, withTexts, kind });
    const frames = changes
      .filter(({ changed }) => changed <= from)
      .map(({ changed, text }) => toFrame(changed, text));
    follower.letGoOn((changes.length >= MAX_MISSED ? MORE_MISSED : '') + frames.join(''));
  }

  private remove(follower: Follower): void {
    this.readers.delete(follower);
    if (this.readers.size === 0) {
      this.subscription?.unsubscribe();
      this.subscription = undefined;
      clearTimeout(this.heartbeat);
      this.heartbeat = undefined;
      clearTimeout(this.gathering);
      this.gathering = undefined;
      this.changes = [];
    }
  }

  private take(change: WrittenChange): void {
    this.endOutdated();
    if (this.readers.size === 0) {
      return;
    }
    // Now, since the record goes on changing.
    change.text(false);
    this.changes.push(change);
    this.gathering ??= setTimeout(() => void this.send(), this.gatherMs);
  }

  /** Who joins meanwhile has all of these changes, or came after them. */
  private async send(): Promise<void> {
    this.gathering = undefined;
    if (this.isSending) {
      return;
    }
    this.isSending = true;
    const { changes } = this;
    this.changes = [];
    const first = changes[0]?.number ?? 0;
    const shared = new Map<string, Buffer>();
    const began = this.clock.monotonic();
    await this.inTurns((reader) => {
      if (reader.from >= first) {
        reader.write(framesFor(reader, changes));
        return;
      }
      const frames = shared.get(reader.form) ?? Buffer.from(framesFor(reader, changes));
      shared.set(reader.form, frames);
      reader.write(frames);
    });
    this.isSending = false;
    const restMs = REST * (this.clock.monotonic() - began);
    this.gatherMs = Math.max(GATHER_MS, Math.min(MAX_GATHER_MS, restMs));
    if (this.changes.length > 0) {
      this.gathering ??= setTimeout(() => void this.send(), this.gatherMs);
    }
  }

  /** Set anew each time, since the setting may have changed. */
  private nextBeat(): NodeJS.Timeout {
    return setTimeout(() => this.beat(), this.settings.HEARTBEAT_INTERVAL_MS).unref();
  }

  private beat(): void {
    this.heartbeat = this.nextBeat();
    this.endOutdated();
    void this.inTurns((reader) => reader.write(HEARTBEAT));
  }

  private async inTurns(work: (reader: Follower) => void): Promise<void> {
    for (const [index, reader] of [...this.readers].entries()) {
      work(reader);
      if (index % READERS_A_TURN === READERS_A_TURN - 1) {
        await nextTurn();
      }
    }
  }
}

function framesFor(reader: Follower, changes: readonly WrittenChange[]): string {
  return changes
    .filter(({ number, record }) => number > reader.from && reader.wants(record.kind))
    .map((change) => toFrame(change.number, change.text(reader.withTexts)))
    .join('');
}
