import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'undici';
import { SandboxClient } from '../../../test/support/upstream/sandbox-client.js';
import { PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { type ChatEvent } from '../model/event-writer.js';
import { SandboxSite } from '../sandbox-site.js';

let site: SandboxSite;
let origin: string;
let client: SandboxClient;
const pages: SocketPage[] = [];

beforeEach(async () => {
  site = new SandboxSite();
  origin = await site.start();
  client = await SandboxClient.logIn(origin, site);
});
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.close()));
  await site.close();
});

/** A page's socket, without the page. */
class SocketPage {
  readonly received: ChatEvent[] = [];
  private closed = false;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) =>
      this.received.push(JSON.parse(String(data)) as ChatEvent),
    );
    socket.addEventListener('close', () => (this.closed = true));
  }

  static async open(): Promise<SocketPage> {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/socket`, {
      headers: { cookie: client.cookie, origin },
    });
    const page = new SocketPage(socket);
    pages.push(page);
    await once(socket, 'open');
    return page;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify({ csrf_token: client.csrfToken, ...message }));
  }

  /** Sends a prompt and waits for the last event of its answer. */
  async ask(prompt: string, extra: object = {}): Promise<ChatEvent[]> {
    const from = this.received.length;
    this.send({ type: 'prompt', ...client.request(prompt), ...extra });
    await this.until(
      () => ['done', 'error'].includes(this.received.at(-1)?.type ?? '') && this.received.length > from,
    );
    return this.received.slice(from);
  }

  async until(isReached: () => boolean): Promise<void> {
    while (!isReached()) {
      await once(this.socket, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
    }
  }

  async close(): Promise<void> {
    if (!this.closed) {
      this.socket.close();
      await once(this.socket, 'close');
    }
  }

  whenClosed(): Promise<unknown> {
    return once(this.socket, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) });
  }
}

describe('SandboxSockets', () => {
  it('answers one prompt after the other', async () => {
    const page = await SocketPage.open();
    for (const text of ['one', 'two']) {
      const events = await page.ask(`[[say:${text}]]`, { conversation_id: 'c1' });
      expect(events).toEqual([
        { type: 'start', conversation_id: 'c1', seq: 0 },
        { type: 'text', text, conversation_id: 'c1', seq: 1 },
        { type: 'done', reason: 'stop', conversation_id: 'c1', seq: 2 },
      ]);
    }
    expect(site.records.map(({ transport, outcome }) => [transport, outcome])).toEqual([
      ['websocket', 'completed'],
      ['websocket', 'completed'],
    ]);
  });

  it('takes a prompt of several megabytes and answers with as much', async () => {
    const page = await SocketPage.open();
    const prompt = `[[echo]]${'€ and more '.repeat(300_000)}`;
    const events = await page.ask(prompt + '[[chunks:50x0ms]]');
    const text = events.map((event) => ('text' in event ? event.text : '')).join('');
    expect(text === prompt + '[[chunks:50x0ms]]').toBe(true);
  });

  it.each([
    ['[[status:429:retry-after=7]]', { code: 'rate_limited', status: 429, retry_after_seconds: 7 }],
    ['[[overloaded]]', { code: 'overloaded', status: 503 }],
    ['[[login-wall]]', { code: 'unauthenticated', status: 200 }],
    ['[[blocked]]', { code: 'blocked', status: 403 }],
    ['[[limit:sse:9]]', { code: 'rate_limited', retry_after_seconds: 9 }],
    [' ', { code: 'invalid_request', status: 400 }],
  ])('reports a refusal as an event: %s', async (prompt, event) => {
    const page = await SocketPage.open();
    expect(await page.ask(prompt)).toEqual([expect.objectContaining({ type: 'error', ...event })]);
  });

  it('requires the CSRF token of the page', async () => {
    const page = await SocketPage.open();
    const [event] = await page.ask('x', { csrf_token: 'wrong' });
    expect(event).toMatchObject({ type: 'error', code: 'csrf' });
    expect(site.records).toEqual([]);
  });

  it('stops an answer', async () => {
    const page = await SocketPage.open();
    page.send({ type: 'prompt', ...client.request('[[chunks:1000x10ms]]'), conversation_id: 'c1' });
    await page.until(() => page.received.length > 2);
    page.send({ type: 'stop', conversation_id: 'c1' });
    await page.until(() => page.received.at(-1)?.type === 'done');
    expect(site.records[0]?.outcome).toBe('stopped');
  });

  it('notices that a page has left', async () => {
    const page = await SocketPage.open();
    page.send({ type: 'prompt', ...client.request('[[chunks:1000x10ms]]') });
    await page.until(() => page.received.length > 2);
    await page.close();
    const record = await site.whenRecord(
      ({ outcome }) => outcome !== 'pending',
      AbortSignal.timeout(PATIENCE_MS),
    );
    expect(record.outcome).toBe('client_closed');
  });

  it.each(['[[reset:2]]', '[[reset]]', '[[partial]][[say:x]]'])(
    'closes the socket after %s',
    async (prompt) => {
      const page = await SocketPage.open();
      const closed = page.whenClosed();
      page.send({ type: 'prompt', ...client.request(prompt) });
      await closed;
      expect(site.records[0]?.outcome).toBe('cut');
    },
  );

  it('closes the socket when the site closes', async () => {
    const page = await SocketPage.open();
    page.send({ type: 'prompt', ...client.request('[[hang:1]]') });
    await page.until(() => page.received.length === 2);
    const closed = page.whenClosed();
    await site.close();
    await closed;
    expect(site.records[0]?.outcome).toBe('shutdown');
  });
});

describe('SandboxSockets: the upgrade', () => {
  let socket: Socket;

  afterEach(() => {
    socket.destroy();
  });

  /** The first bytes of the answer to a handshake. */
  async function upgrade(headers: Record<string, string>, path = '/api/socket'): Promise<string> {
    const { port, host } = new URL(origin);
    socket = connect(Number(port), '127.0.0.1');
    const all: Record<string, string> = {
      host,
      origin,
      cookie: client.cookie,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    return (await nextBytes()).toString();
  }

  async function nextBytes(): Promise<Buffer> {
    const [data] = (await once(socket, 'data', { signal: AbortSignal.timeout(PATIENCE_MS) })) as [Buffer];
    return data;
  }

  it('is accepted as RFC 6455 says, without compression', async () => {
    const answer = await upgrade({ 'sec-websocket-extensions': 'permessage-deflate' });
    expect(answer.toLowerCase()).toBe(
      'http/1.1 101 switching protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n' +
        'sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=\r\n\r\n',
    );
  });

  it('is refused without a key', async () => {
    expect(await upgrade({ 'sec-websocket-key': '' })).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it.each([
    ['a ping', '8981000000007f', '8a017f'],
    ['a message above 64 MiB, by its header alone', '81ff000000000400000100000000', '880203f1'],
    ['a frame without a mask', '8101ff', '880203ea'],
    ['text that is not UTF-8', '818100000000ff', '880203ef'],
    ['binary data', '828100000000ff', '880203eb'],
  ])('leads to a socket that replies as RFC 6455 says to %s', async (_, frame, reply) => {
    await upgrade({});
    socket.write(Buffer.from(frame, 'hex'));
    expect((await nextBytes()).toString('hex')).toBe(reply);
  });

  it.each([
    ['another page', { origin: 'http://evil.example' }, '/api/socket'],
    ['nobody', { cookie: '' }, '/api/socket'],
    ['another path', {}, '/api/chat'],
  ])('is refused to %s', async (_, headers, path) => {
    expect(await upgrade(headers, path)).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
  });
});
