import { SessionPool } from '../../../src/accounts/pool/session-pool.js';
import { type Settings } from '../../../src/common/config/settings.js';
import { NetworkLog } from '../../../src/common/network/network-log.js';
import { type Gateway } from '../../../src/gateway.js';
import { LogsService } from '../../../src/logs/logs.service.js';
import { type RequestLogEntry } from '../../../src/logs/records/request-log-entry.js';
import { LogStream } from '../../../src/logs/stream/log-stream.js';
import { UpstreamModels } from '../../../src/models/upstream-models.js';
import { OpenAiStub } from '../upstream/openai-stub.js';
import { startGateway, type TestGateway } from './gateway.js';
import { readBody } from './read-body.js';

/** A response of the gateway, ids and times replaced by fixed ones. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** False if the connection broke within the body. */
  readonly isWhole: boolean;
}

export const ASK = { model: 'svc-max', messages: [{ role: 'user', content: 'Hi' }] };

/** The whole gateway in front of a scripted upstream. */
export class StubGateway {
  private stopped: Promise<void> | undefined;
  private restarted: Promise<void> = Promise.resolve();

  private constructor(
    readonly stub: OpenAiStub,
    private readonly given: Partial<Settings>,
    private gateway: TestGateway,
  ) {}

  static async start(settings: Partial<Settings> = {}): Promise<StubGateway> {
    const stub = await OpenAiStub.start();
    const given: Partial<Settings> = {
      PROVIDER: 'openai',
      UPSTREAM_BASE_URL: stub.baseUrl,
      UPSTREAM_API_KEYS: 'k1',
      RETRY_BASE_DELAY_MS: 1,
      RETRY_MAX_DELAY_MS: 1,
      ...settings,
    };
    try {
      return new StubGateway(stub, given, await startGateway(given));
    } catch (error) {
      await stub.close();
      throw error;
    }
  }

  get app(): Gateway {
    return this.gateway.app;
  }

  get origin(): string {
    return this.gateway.origin;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  get pool(): SessionPool {
    return this.gateway.app.get(SessionPool);
  }

  get networkLog(): NetworkLog {
    return this.gateway.app.get(NetworkLog);
  }

  get upstreamModels(): UpstreamModels {
    return this.gateway.app.get(UpstreamModels);
  }

  /** Number of clients that follow the log. */
  get logReaders(): number {
    return this.gateway.app.get(LogStream).followerCount;
  }

  get logs(): LogsService {
    return this.gateway.app.get(LogsService);
  }

  get settings(): Settings {
    return this.gateway.settings;
  }

  /** The log entries of its requests, the oldest first. */
  get entries(): readonly RequestLogEntry[] {
    return this.gateway.entries.all;
  }

  get lastEntry(): RequestLogEntry | undefined {
    return this.gateway.entries.newest;
  }

  /** Posts a body, an object as JSON, to the completions endpoint or another. */
  post(body: object | string, init: RequestInit = {}, path = '/v1/chat/completions'): Promise<Response> {
    return fetch(this.origin + path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
      headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
    });
  }

  /** Completes a request and reads the response to its end. */
  async complete(body: object | string, init: RequestInit = {}, path?: string): Promise<Answered> {
    const response = await this.post(body, init, path);
    const { text, isWhole } = await readBody(response);
    return { status: response.status, headers: response.headers, text: normalised(text), isWhole };
  }

  /** Shuts the gateway down, as a signal would, once a restart is over; may be called again. */
  stop(): Promise<void> {
    return (this.stopped ??= this.restarted.then(() => this.gateway.close()));
  }

  /** Shuts the gateway down, as a signal would, and starts it anew on the same port. */
  restart(): Promise<void> {
    return (this.restarted = this.startAnew());
  }

  async close(): Promise<void> {
    await this.stop();
    await this.stub.close();
  }

  /** For tests that run at once: `await using gateway = await StubGateway.start()`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async startAnew(): Promise<void> {
    const { port } = this;
    await this.gateway.close();
    this.gateway = await startGateway({ ...this.given, PORT: port });
  }
}

/** The text of an answer with fixed ids and times. */
export function normalised(text: string): string {
  return text
    .replaceAll(/"id":"chatcmpl-[0-9a-f]{32}"/g, '"id":"chatcmpl-1"')
    .replaceAll(/"id":"msg_[0-9a-f]{32}"/g, '"id":"msg_1"')
    .replaceAll(/"request_id":"req_[0-9a-f]{32}"/g, '"request_id":"req_1"')
    .replaceAll(/"created":\d{10}\b/g, '"created":1');
}
