import { createHash } from 'node:crypto';

/**
 * Outcome of a prompt's exchange: in good order (`completed`), cut or refused by its script, stopped by the stop
 * button, left by the client, or ended by the site's own end.
 */
export type Outcome = 'pending' | 'completed' | 'cut' | 'refused' | 'stopped' | 'client_closed' | 'shutdown';

/** One prompt as the site received it. Tests check by these records what a driver did. */
export interface PromptRecord {
  readonly account: string;
  readonly sessionId: string;
  readonly conversationId: string;
  /** Made by the page for each message: two records with the same id are one prompt sent twice. */
  readonly messageId: string;
  readonly model: string;
  readonly thinking: boolean;
  readonly transport: 'http' | 'eventsource' | 'websocket';
  /** SHA-256 in hex, over the prompt with its attachments. */
  readonly promptHash: string;
  /** UTF-16 code units. */
  readonly promptLength: number;
  readonly promptHead: string;
  readonly promptTail: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds of `performance.now()`. */
  readonly acceptedAt: number;
  endedAt?: number;
  outcome: Outcome;
  piecesSent: number;
  /** Milliseconds of `performance.now()` at which each piece was written; only with `keepPieceTimes`. */
  readonly pieceTimes?: number[];
}

const EXCERPT_CHARACTERS = 64;
const KEPT_HEADERS = ['user-agent', 'x-csrf-token', 'x-client-version', 'origin', 'referer'];

export interface RecordOptions {
  /** Number of records kept; the oldest are evicted above it. */
  readonly limit: number;
  readonly keepPieceTimes: boolean;
}

export type RecordStart = Pick<
  PromptRecord,
  'account' | 'sessionId' | 'conversationId' | 'messageId' | 'model' | 'thinking' | 'transport'
>;

/** The latest prompts, with a way to wait for a state of one. */
export class SandboxRecords {
  readonly list: PromptRecord[] = [];
  private readonly watchers = new Set<() => void>();

  constructor(private readonly options: RecordOptions) {}

  begin(start: RecordStart, prompt: string, headers: NodeJS.Dict<string | string[]>): PromptRecord {
    const record: PromptRecord = {
      ...start,
      promptHash: createHash('sha256').update(prompt).digest('hex'),
      promptLength: prompt.length,
      promptHead: prompt.slice(0, EXCERPT_CHARACTERS),
      promptTail: prompt.slice(-EXCERPT_CHARACTERS),
      headers: Object.fromEntries(
        KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
      ),
      acceptedAt: performance.now(),
      outcome: 'pending',
      piecesSent: 0,
      ...(this.options.keepPieceTimes && { pieceTimes: [] }),
    };
    this.list.push(record);
    if (this.list.length > this.options.limit) {
      this.list.shift();
    }
    this.notify();
    return record;
  }

  addPiece(record: PromptRecord): void {
    record.piecesSent++;
    record.pieceTimes?.push(performance.now());
    this.notify();
  }

  end(record: PromptRecord, outcome: Outcome): void {
    record.endedAt = performance.now();
    record.outcome = outcome;
    this.notify();
  }

  /** The first record that fits, now or later. Rejects when the signal aborts. */
  async when(fits: (record: PromptRecord) => boolean, signal: AbortSignal): Promise<PromptRecord> {
    const { promise, resolve, reject } = Promise.withResolvers<PromptRecord>();
    const look = (): void => {
      const found = this.list.find(fits);
      if (found) {
        resolve(found);
      }
    };
    const giveUp = (): void => reject(signal.reason as Error);
    if (signal.aborted) {
      giveUp();
    }
    signal.addEventListener('abort', giveUp, { once: true });
    this.watchers.add(look);
    look();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
      this.watchers.delete(look);
    }
  }

  private notify(): void {
    for (const look of this.watchers) {
      look();
    }
  }
}
