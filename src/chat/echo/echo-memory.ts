import { createHash } from 'node:crypto';
import { type Clock } from '../../common/time/clock.js';

/** Time in which a caller whose connection was dropped may retry. */
export const REMEMBERED_MS = 60_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly corrections: number;
  /** Monotonic milliseconds. */
  readonly expiresAt: number;
}

/**
 * Requests whose connection was dropped for an echo in the last minute, so that the caller's retry gets a
 * corrected prompt. Evicts the oldest entries above its limit.
 */
export class EchoMemory {
  /** Oldest first. */
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly clock: Clock,
    private readonly maxEntries = MAX_ENTRIES,
  ) {}

  /** Whether no retry is awaited, so that there is no need to compute the digest of a request. */
  get isEmpty(): boolean {
    this.forgetExpired();
    return this.entries.size === 0;
  }

  /** Number of corrected tries of a request, including the one that is awaited; 0 if none is. */
  corrections(digest: string): number {
    this.forgetExpired();
    return this.entries.get(digest)?.corrections ?? 0;
  }

  /**
   * Notes that a corrected try is awaited.
   * @param corrections number of corrected tries including it
   */
  remember(digest: string, corrections: number): void {
    this.forgetExpired();
    this.entries.delete(digest);
    this.entries.set(digest, { corrections, expiresAt: this.clock.monotonic() + REMEMBERED_MS });
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.maxEntries) {
        break;
      }
      this.entries.delete(oldest);
    }
  }

  /** Forgets a request that was answered. */
  forget(digest: string): void {
    this.entries.delete(digest);
  }

  private forgetExpired(): void {
    const now = this.clock.monotonic();
    for (const [digest, { expiresAt }] of this.entries) {
      if (expiresAt > now) {
        break;
      }
      this.entries.delete(digest);
    }
  }
}

/**
 * By which a retry is known: equal only for the same body from the same caller. It is a SHA-256 hash, so that neither
 * keys nor texts are kept.
 * @param caller values that identify the caller, e.g. its `Authorization` header and user agent
 * @param body parsed JSON; a retry sends the same bytes, so its members have the same order
 */
export function requestDigest(caller: readonly (string | undefined)[], body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(caller))
    .update('\n')
    .update(JSON.stringify(body))
    .digest('base64');
}
