import { createHash } from 'node:crypto';
import { type Clock } from '../../common/time/clock.js';

/** How long a caller whose connection was dropped may take to come back. */
const REMEMBERED_MS = 60_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly corrections: number;
  /** In monotonic milliseconds. */
  readonly expiresAt: number;
}

/**
 * Remembers for a minute which conversations were dropped because their answer repeated a tool result, so that the
 * caller's retry gets a corrected prompt. Full, it forgets the oldest.
 */
export class EchoMemory {
  /** Oldest first. */
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly clock: Clock,
    private readonly maxEntries = MAX_ENTRIES,
  ) {}

  /** Nobody is expected back, so that no conversation need be identified. */
  get isEmpty(): boolean {
    this.forgetExpired();
    return this.entries.size === 0;
  }

  /** How many corrections the next try of a conversation must carry or has behind it; 0 if it is unknown. */
  corrections(conversation: string): number {
    this.forgetExpired();
    return this.entries.get(conversation)?.corrections ?? 0;
  }

  /** The caller is expected back, for its `corrections`th corrected try. */
  remember(conversation: string, corrections: number): void {
    this.forgetExpired();
    this.entries.delete(conversation);
    this.entries.set(conversation, { corrections, expiresAt: this.clock.monotonic() + REMEMBERED_MS });
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.maxEntries) {
        break;
      }
      this.entries.delete(oldest);
    }
  }

  /** The conversation was answered. */
  forget(conversation: string): void {
    this.entries.delete(conversation);
  }

  private forgetExpired(): void {
    const now = this.clock.monotonic();
    for (const [conversation, { expiresAt }] of this.entries) {
      if (expiresAt > now) {
        break;
      }
      this.entries.delete(conversation);
    }
  }
}

/**
 * Tells conversations apart, and callers: equal only for the same body from the same caller. A SHA-256, so that
 * neither keys nor texts are kept.
 * @param caller what identifies the caller, e.g. its `Authorization` header, address and user agent
 * @param body as it was parsed; a retry sends the same bytes, so members come in the same order
 */
export function conversationId(caller: readonly (string | undefined)[], body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(caller))
    .update('\n')
    .update(JSON.stringify(body))
    .digest('base64');
}
