import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { expect } from '@jest/globals';
import { SessionPool } from '../../../src/accounts/pool/session-pool.js';
import { type Account } from '../../../src/accounts/registry/account.js';
import { AccountRegistry } from '../../../src/accounts/registry/account-registry.js';
import { type Settings } from '../../../src/common/config/settings.js';
import { type RequestLogEntry } from '../../../src/logs/records/request-log-entry.js';
import { OpenAiStub, type StubRequest } from '../upstream/openai-stub.js';
import { answer } from '../upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../watch/eventually.js';
import { processPace } from '../watch/machine-pace.js';
import { startGateway, type TestGateway } from './gateway.js';
import { InvariantWatch } from './invariants.js';

const API_KEY = 'caller-7f3a91c2';
/** Silence of the upstream that is allowed, on a quiet machine. */
const SILENCE_MS = 400;

export interface AskOptions {
  /** True by default. */
  readonly stream?: boolean;
  /** Milliseconds from the end of the request to the caller's departure; the caller stays by default. */
  readonly leaveAfterMs?: number;
}

/** One completion as its caller saw it. Times are milliseconds since the request. */
export interface Reply {
  readonly prompt: string;
  /** Undefined if the connection ended without a status line. */
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Whether the body came to its proper end. */
  readonly isWhole: boolean;
  readonly beganMs: number | undefined;
  readonly endedMs: number;
  /** Of `performance.now()`. */
  readonly endedAt: number;
}

/** The whole gateway between callers and a scripted upstream, with limits short enough to wait for. */
export class FaultRig {
  readonly replies: Reply[] = [];
  private asked = 0;

  private constructor(
    readonly stub: OpenAiStub,
    readonly gateway: TestGateway,
    /** The upstream's keys, one account each. */
    readonly keys: readonly string[],
  ) {}

  static async start(accounts: number, overrides: Partial<Settings> = {}): Promise<FaultRig> {
    const keys = Array.from({ length: accounts }, (_, index) => `sk-upstream-${index}-9d2e`);
    const silenceMs = Math.round(SILENCE_MS * (await processPace.factor()));
    const stub = await OpenAiStub.start();
    try {
      const gateway = await startGateway({
        PROVIDER: 'openai',
        UPSTREAM_BASE_URL: stub.baseUrl,
        UPSTREAM_API_KEYS: keys.join(','),
        API_KEY,
        RATE_LIMIT_COOLDOWN_MS: 2000,
        WAIT_FOR_COOLDOWN_MS: 0,
        UPSTREAM_FIRST_BYTE_MS: silenceMs,
        UPSTREAM_IDLE_MS: silenceMs,
        // A heartbeat would commit the status 200 before a late failure is known.
        HEARTBEAT_AFTER_MS: PATIENCE_MS,
        RETRY_BASE_DELAY_MS: 20,
        RETRY_MAX_DELAY_MS: 100,
        ...overrides,
      });
      return new FaultRig(stub, gateway, keys);
    } catch (error) {
      await stub.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.stub.close();
  }

  get pool(): SessionPool {
    return this.gateway.app.get(SessionPool);
  }

  /** Silence of the upstream after which it counts as hung; longer than usual on a busy machine. */
  get silenceMs(): number {
    return this.gateway.settings.UPSTREAM_IDLE_MS;
  }

  get attempts(): number {
    return this.gateway.settings.RETRY_MAX_ATTEMPTS;
  }

  /** Runs a scenario and proves the invariants after it. Returns the log entries of its requests, oldest first. */
  async scenario(run: () => Promise<void>): Promise<readonly RequestLogEntry[]> {
    const watch = InvariantWatch.begin(this.gateway, {
      accounts: this.keys.length,
      secrets: [API_KEY, ...this.keys],
      idleSockets: async () => 2 * (await this.stub.connections()),
    });
    const seen = { asked: this.asked, replies: this.replies.length, prompts: this.stub.requests.length };
    try {
      await run();
      const replies = this.replies.slice(seen.replies);
      replies.forEach(({ headers, body }) => watch.saw(JSON.stringify(headers) + body));
      return await watch.verify({
        requests: this.asked - seen.asked,
        attempts: this.attempts,
        accepted: this.stub.requests
          .slice(seen.prompts)
          .filter(({ acceptedAt }) => acceptedAt !== undefined)
          .map(promptOf),
        begun: replies.filter(({ status }) => status === 200).map(({ prompt }) => prompt),
      });
    } finally {
      await watch.stop();
    }
  }

  /** Sends a unique prompt over a new connection, and resolves at the end of the response. */
  async ask(options: AskOptions = {}): Promise<Reply> {
    const prompt = `prompt ${++this.asked}`;
    const startedAt = performance.now();
    const sent = this.send(prompt, options);
    const response = await new Promise<IncomingMessage | undefined>((resolve) => {
      sent.once('response', resolve).once('error', () => resolve(undefined));
    });
    const beganMs = response && performance.now() - startedAt;
    const { body, endedAt } = await readBody(response);
    const reply: Reply = {
      prompt,
      status: response?.statusCode,
      headers: response?.headers ?? {},
      body,
      isWhole: response?.complete ?? false,
      beganMs,
      endedMs: endedAt - startedAt,
      endedAt,
    };
    this.replies.push(reply);
    return reply;
  }

  /** A request as `ask` makes it, for the test to read or abort. It counts as asked for. */
  open(options: Pick<AskOptions, 'stream'> = {}): { readonly prompt: string; readonly sent: ClientRequest } {
    const prompt = `prompt ${++this.asked}`;
    const sent = this.send(prompt, options);
    sent.on('error', () => undefined);
    return { prompt, sent };
  }

  /** A request body for the test to send itself. It counts as asked for. */
  prepare(stream: boolean): { readonly prompt: string; readonly body: string } {
    const prompt = `prompt ${++this.asked}`;
    return { prompt, body: bodyOf(prompt, stream) };
  }

  /** Asks once more, and returns the milliseconds from a moment until the upstream got that prompt. */
  async reusableMs(since: number): Promise<number> {
    this.stub.answerWith(answer({ pieces: ['well', ' again'] }));
    const before = this.stub.requests.length;
    const { status } = await this.ask();
    const taken = this.stub.requests[before];
    if (status !== 200 || !taken) {
      throw new Error(`The account is not reusable: ${status}`);
    }
    return taken.receivedAt - since;
  }

  /** The account of the n-th key. */
  account(index: number): Account {
    const account = this.gateway.app.get(AccountRegistry).list()[index];
    if (!account) {
      throw new Error(`There is no account ${index}`);
    }
    return account;
  }

  /** Resolves when this many prompts have reached the upstream. */
  async prompts(count: number): Promise<readonly StubRequest[]> {
    await eventually(PATIENCE_MS, () => {
      if (this.stub.requests.length < count) {
        throw new Error(`${this.stub.requests.length} of ${count} prompts`);
      }
    });
    return this.stub.requests;
  }

  private send(prompt: string, { stream = true, leaveAfterMs }: AskOptions): ClientRequest {
    const body = bodyOf(prompt, stream);
    const sent = httpRequest(`${this.gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${API_KEY}`,
        'content-length': Buffer.byteLength(body),
      },
    });
    sent.end(body);
    if (leaveAfterMs !== undefined) {
      sent.once('finish', () => {
        const timer = setTimeout(() => sent.destroy(), leaveAfterMs);
        sent.once('close', () => clearTimeout(timer));
      });
    }
    return sent;
  }
}

function bodyOf(prompt: string, stream: boolean): string {
  return JSON.stringify({ model: 'svc-max', stream, messages: [{ role: 'user', content: prompt }] });
}

/** The prompt as the upstream got it. */
export function promptOf({ body }: StubRequest): string {
  return body.messages?.at(-1)?.content ?? '';
}

/** The error that callers get when the upstream failed. */
export const FAILED = {
  message: expect.stringMatching(/^Internal server error: the upstream [a-z ].*\.$/) as unknown,
  type: 'server_error',
  param: null,
  code: 'internal_error',
};

/** Text and end of a streamed answer. */
export function readStream(body: string): {
  readonly text: string;
  readonly error?: unknown;
  readonly finish?: string;
  readonly isDone: boolean;
} {
  let text = '';
  let error: unknown;
  let finish: string | undefined;
  const events = body.split('\n\n').filter((event) => event.startsWith('data: '));
  const isDone = events.at(-1) === 'data: [DONE]';
  for (const event of isDone ? events.slice(0, -1) : events) {
    const data = JSON.parse(event.slice('data: '.length)) as WireEvent;
    text += data.choices?.[0]?.delta.content ?? '';
    finish = data.choices?.[0]?.finish_reason ?? finish;
    error = data.error ?? error;
  }
  return {
    text,
    ...(error === undefined ? {} : { error }),
    ...(finish === undefined ? {} : { finish }),
    isDone,
  };
}

interface WireEvent {
  readonly choices?: readonly [
    { readonly delta: { readonly content?: string }; readonly finish_reason: string | null },
  ];
  readonly error?: unknown;
}

/** Outcomes of all attempts, one list per request. */
export function attemptsOf(entries: readonly RequestLogEntry[]): (readonly string[])[] {
  return entries.map(({ attempts = [] }) => attempts.map(({ outcome }) => outcome));
}

/** Prints one line of measured figures. */
export function report(scenario: string, ...parts: readonly string[]): void {
  process.stdout.write(`${scenario}: ${parts.join('; ')}\n`);
}

export function ms(time: number | undefined): string {
  return `${Math.round(time ?? NaN)} ms`;
}

async function readBody(
  response: IncomingMessage | undefined,
): Promise<{ readonly body: string; readonly endedAt: number }> {
  let body = '';
  if (response) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => (body += text)).on('error', () => undefined);
    await new Promise((resolve) => response.once('close', resolve));
  }
  return { body, endedAt: performance.now() };
}
