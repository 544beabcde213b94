import { type LogRecord } from '../../../src/logs/records/log-filter.js';

export interface LogPageBody {
  readonly entries: readonly LogRecord[];
  readonly next: string | null;
}

export interface LogEvent {
  readonly id: string;
  readonly record: LogRecord;
}

/** Reads the log as a program would. */
export class LogClient {
  constructor(
    private readonly origin: string,
    private readonly key = '',
  ) {}

  get headers(): Record<string, string> {
    return this.key === '' ? {} : { authorization: `Bearer ${this.key}` };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.origin}${path}`, { redirect: 'manual', headers: { ...this.headers, ...headers } });
  }

  async page(query = ''): Promise<LogPageBody> {
    const response = await this.get(`/log/json${query}`);
    if (response.status !== 200) {
      throw new Error(`${response.status}: ${await response.text()}`);
    }
    return (await response.json()) as LogPageBody;
  }

  async ids(query = ''): Promise<readonly string[]> {
    return (await this.page(query)).entries.map(({ id }) => id);
  }

  /** Follows the log; resolves once the stream has begun. */
  async follow(query = '', headers: Record<string, string> = {}): Promise<LogTail> {
    const control = new AbortController();
    const response = await fetch(`${this.origin}/log/stream${query}`, {
      headers: { ...this.headers, ...headers },
      signal: control.signal,
    });
    const tail = new LogTail(response, control);
    await tail.opened;
    return tail;
  }
}

/** One stream of the log, read as it comes. */
export class LogTail {
  /** As they stand on the wire. */
  text = '';
  isEnded = false;
  readonly opened: Promise<void>;
  private readonly reading: Promise<void>;
  private readonly begun = Promise.withResolvers<void>();

  constructor(
    readonly response: Response,
    private readonly control: AbortController,
  ) {
    this.opened = this.begun.promise;
    this.reading = this.read();
  }

  get events(): readonly LogEvent[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .flatMap((block) => {
        const [, id = '', data = ''] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? [];
        return data === '' ? [] : [{ id, record: JSON.parse(data) as LogRecord }];
      });
  }

  /** Each event as `id outcome`, of requests, or `id status`, of exchanges. */
  get summary(): readonly string[] {
    return this.events.map(({ record }) =>
      record.kind === 'request' ? `${record.id} ${record.outcome}` : `${record.id} ${record.status}`,
    );
  }

  async stop(): Promise<void> {
    this.control.abort();
    await this.reading;
  }

  private async read(): Promise<void> {
    try {
      for await (const piece of this.response.body!.pipeThrough(new TextDecoderStream())) {
        this.text += piece;
        this.begun.resolve();
      }
    } catch {
      // The connection was cut.
    }
    this.isEnded = true;
    this.begun.resolve();
  }
}
