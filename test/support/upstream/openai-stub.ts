import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../watch/eventually.js';

/** Answer of the stub to one request: writes to the reply as it likes. `openai-stub-plans.ts` has the usual ones. */
export type StubPlan = (reply: StubReply) => void | Promise<void>;

/** One request as the stub saw it. Times are milliseconds of `performance.now()`. */
export interface StubRequest {
  /** The bearer key, or '' without one. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: StubRequestBody;
  readonly receivedAt: number;
  /** The client's port: the same for requests over one kept-alive connection. */
  readonly clientPort: number | undefined;
  /** When the first event of an answer was written; undefined if the prompt was never accepted. */
  acceptedAt?: number;
  /** When the client's side closed before the answer was complete. */
  abortedAt?: number;
  /** Bytes of the answer handed to the kernel so far. */
  bytesWritten(): number;
}

/** The wire fields that tests look at. */
export interface StubRequestBody {
  readonly model?: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly content: string;
    readonly tool_call_id?: string;
  }[];
  readonly stream?: boolean;
  readonly [field: string]: unknown;
}

/** One answer in the making. Everything stops quietly once the client has left. */
export class StubReply {
  constructor(
    readonly request: StubRequest,
    private readonly response: ServerResponse,
    private readonly left: AbortSignal,
  ) {}

  get isClientGone(): boolean {
    return this.left.aborted;
  }

  /** Writes the status line and the headers at once; a streamed answer's by default. */
  head(
    status = 200,
    headers: Readonly<Record<string, string>> = { 'content-type': 'text/event-stream' },
  ): void {
    this.response.writeHead(status, headers);
    this.response.flushHeaders();
  }

  /** Notes that the prompt was taken. `event` does so by itself. */
  accept(): void {
    this.request.acceptedAt ??= performance.now();
  }

  /** Writes bytes as they are, and waits while the client does not read. */
  async raw(bytes: string | Uint8Array): Promise<void> {
    if (!this.response.headersSent) {
      this.head();
    }
    if (!this.response.write(bytes) && !this.isClientGone) {
      await once(this.response, 'drain', { signal: this.left }).catch(() => undefined);
    }
  }

  /** Writes one event, an object as JSON. Anything but an error object means that the prompt was accepted. */
  async event(data: object | string): Promise<void> {
    if (typeof data === 'string' || !('error' in data)) {
      this.accept();
    }
    await this.raw(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }

  /** Answers with one whole body. */
  async body(
    status: number,
    headers: Readonly<Record<string, string>>,
    bytes: string | Uint8Array = '',
  ): Promise<void> {
    this.head(status, headers);
    if (bytes.length > 0) {
      await this.raw(bytes);
    }
    this.end();
  }

  /** Waits, at most until the client leaves. */
  async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.left }).catch(() => undefined);
  }

  /** Says nothing more until the client leaves. */
  async hang(): Promise<void> {
    if (!this.isClientGone) {
      await once(this.left, 'abort');
    }
  }

  /** Breaks the connection with a TCP reset. */
  reset(): void {
    this.response.socket?.resetAndDestroy();
  }

  /** Breaks the protocol. */
  notHttp(): void {
    this.response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n');
  }

  end(): void {
    this.response.end();
  }
}

/**
 * A scripted OpenAI-format upstream on a free loopback port, for tests of everything that talks to one.
 *
 *     const stub = await OpenAiStub.start();
 *     stub.answerWith(answer({ pieces: ['Hel', 'lo'] }));     // every request
 *     stub.answerNextWith(rateLimited({ retryAfter: '7' }));  // the next one only; may be called again to queue more
 *     stub.answerKeyWith('k2', failed(500));                  // every request with that key
 *     … point the gateway or the driver at stub.baseUrl …
 *     expect(stub.requests.map(({ key }) => key)).toEqual(['k1', 'k2']);
 *     await stub.close();
 */
export class OpenAiStub {
  /** All requests, in the order of their arrival. */
  readonly requests: StubRequest[] = [];
  /** `performance.now()` at which its models were asked for, each time. */
  readonly listedAt: number[] = [];
  private readonly byKey = new Map<string, StubPlan>();
  private readonly queue: StubPlan[] = [];
  private plan: StubPlan = (reply) => reply.body(404, { 'content-type': 'application/json' }, '{}');
  private models: readonly object[] = [];
  private readonly listDenied = new Set<string>();
  private listGate: Promise<void> = Promise.resolve();
  private restarted: Promise<void> = Promise.resolve();
  private readonly changes = new EventTarget();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.serve(request, response));
  }

  static async start(): Promise<OpenAiStub> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    const stub = new OpenAiStub(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return stub;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  answerWith(plan: StubPlan): void {
    this.plan = plan;
  }

  /** Entries of `GET /models`, which is not among the requests; 404 without any. */
  listModels(...models: readonly object[]): void {
    this.models = models;
  }

  /** Answers 401 to keys that ask for the list of models. */
  denyListTo(...keys: readonly string[]): void {
    keys.forEach((key) => this.listDenied.add(key));
  }

  /** Keeps back the list of models. @returns lets it go */
  holdList(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.listGate = promise;
    return resolve;
  }

  answerKeyWith(key: string, plan: StubPlan): void {
    this.byKey.set(key, plan);
  }

  answerNextWith(...plans: StubPlan[]): void {
    this.queue.push(...plans);
  }

  /** Resolves with the first request that fulfils the condition, now or later; rejects after `PATIENCE_MS`. */
  async waitFor(condition: (request: StubRequest) => boolean): Promise<StubRequest> {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const found = this.requests.find(condition);
      if (found) {
        return found;
      }
      await once(this.changes, 'change', { signal: limit });
    }
  }

  /** Open connections, idle ones included. */
  async connections(): Promise<number> {
    return promisify(this.server.getConnections.bind(this.server))();
  }

  /** Cuts whatever still runs, and is back on the same port after a time. */
  restart(downMs: number): Promise<void> {
    return (this.restarted = this.startAnew(downMs));
  }

  /** Cuts whatever still runs and frees the port; a restart under way is over first. */
  async close(): Promise<void> {
    await this.restarted;
    await this.stop();
  }

  private async startAnew(downMs: number): Promise<void> {
    const { port } = this.server.address() as AddressInfo;
    await this.stop();
    await sleep(downMs);
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.method === 'GET') {
      this.listedAt.push(performance.now());
      await this.listGate;
      const status = this.listDenied.has(keyOf(incoming)) ? 401 : this.models.length > 0 ? 200 : 404;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: this.models }));
      return;
    }
    const left = new AbortController();
    const request = await this.read(incoming, response).catch(() => undefined);
    if (!request) {
      return;
    }
    response.on('close', () => {
      if (!response.writableFinished) {
        request.abortedAt = performance.now();
      }
      left.abort();
      this.changes.dispatchEvent(new Event('change'));
    });
    this.requests.push(request);
    this.changes.dispatchEvent(new Event('change'));
    const plan = this.queue.shift() ?? this.byKey.get(request.key) ?? this.plan;
    await plan(new StubReply(request, response, left.signal));
  }

  private async read(incoming: IncomingMessage, response: ServerResponse): Promise<StubRequest> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) {
      pieces.push(piece as Buffer);
    }
    const text = Buffer.concat(pieces).toString();
    const { socket } = response;
    const before = socket?.bytesWritten ?? 0;
    return {
      key: keyOf(incoming),
      headers: incoming.headers,
      body: (text === '' ? {} : JSON.parse(text)) as StubRequestBody,
      receivedAt: performance.now(),
      clientPort: incoming.socket.remotePort,
      bytesWritten: () => (socket?.bytesWritten ?? 0) - before - (socket?.writableLength ?? 0),
    };
  }
}

/** Empty without one. */
function keyOf({ headers }: IncomingMessage): string {
  return headers.authorization?.replace(/^Bearer /, '') ?? '';
}
