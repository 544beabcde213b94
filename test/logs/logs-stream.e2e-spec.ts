import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogClient, type LogTail } from '../support/gateway/log-client.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, hangs } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const API_KEY = 'caller-key-9c01';

describe('GET /log/stream', () => {
  let gateway: StubGateway;
  let log: LogClient;
  let strangers: LogClient;
  const tails: LogTail[] = [];

  beforeAll(async () => {
    gateway = await StubGateway.start({ API_KEY, LOG_CONTENT: 'full', HEARTBEAT_INTERVAL_MS: 200 });
    gateway.stub.answerWith(answer({ pieces: ['well'] }));
    log = new LogClient(gateway.origin, API_KEY);
    strangers = new LogClient(gateway.origin);
  });
  afterAll(async () => {
    await Promise.all(tails.map((tail) => tail.stop()));
    await gateway.close();
  });

  const ask = async (content = 'hi'): Promise<string> => {
    const body = { ...ASK, messages: [{ role: 'user', content }] };
    const response = await gateway.post(body, { headers: log.headers });
    await response.text();
    return response.headers.get('x-request-id') ?? '';
  };
  const follow = async (...args: Parameters<LogClient['follow']>): Promise<LogTail> => {
    const tail = await log.follow(...args);
    tails.push(tail);
    return tail;
  };
  const sees = (tail: LogTail, summary: readonly string[]): Promise<void> =>
    eventually(PATIENCE_MS, () => expect(tail.summary).toEqual(summary));

  it('sends an entry at its beginning and at its end, each with a cursor', async () => {
    const tail = await follow();
    expect(Object.fromEntries(tail.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    const id = await ask('a question');
    await sees(tail, [`${id} pending`, `${id} ok`]);
    const [begun, ended] = tail.events;
    expect(begun?.record).toEqual({
      kind: 'request',
      id,
      key: 'API_KEY',
      method: 'POST',
      path: '/v1/chat/completions',
      operation: 'completion',
      startedAt: expect.any(Number),
      outcome: 'pending',
    });
    expect(ended?.record).toEqual((await log.page(`?q=${id}`)).entries[0]);
    expect(ended?.record).toMatchObject({ content: { answer: 'well' } });
    expect(Number(ended?.id)).toBeGreaterThan(Number(begun?.id));
    expect(tail.text.startsWith(': heartbeat\n\n')).toBe(true);
  });

  it('omits texts with content=0', async () => {
    const tail = await follow('?content=0');
    const id = await ask(`${'a question '.repeat(20)}to its end`);
    await sees(tail, [`${id} pending`, `${id} ok`]);
    expect(tail.events[1]?.record).not.toHaveProperty('content');
    // But for the excerpt by which rows are told apart.
    expect(tail.text).toContain('a question');
    expect(tail.text).not.toContain('to its end');
  });

  it('sends heartbeats while it is idle', async () => {
    const tail = await follow();
    await eventually(PATIENCE_MS, () => expect(tail.text).toMatch(/^(: heartbeat\n\n){3,}$/));
  });

  it.each(['Last-Event-ID', 'after'])('resumes from the cursor in %s', async (means) => {
    const first = await follow();
    const seen = await ask();
    await sees(first, [`${seen} pending`, `${seen} ok`]);
    // This request ends before the client reconnects.
    gateway.stub.answerNextWith(hangs(1));
    const leaving = new AbortController();
    const running = await gateway.post(ASK, { headers: log.headers, signal: leaving.signal });
    const cut = running.headers.get('x-request-id') ?? '';
    await sees(first, [`${seen} pending`, `${seen} ok`, `${cut} pending`]);
    await first.stop();
    const position = first.events.at(-1)?.id ?? '';
    leaving.abort();
    await expect(running.text()).rejects.toThrow();
    const missed = await ask();
    await eventually(PATIENCE_MS, () => expect(gateway.entries.at(-2)?.outcome).toBe('cancelled'));
    const second =
      means === 'after'
        ? await follow(`?after=${position}`)
        : await follow('', { 'last-event-id': position });
    const now = await ask();
    await eventually(PATIENCE_MS, () => expect(second.summary.at(-1)).toBe(`${now} ok`));
    // Missed records are sent once, in their present state, in the order of their changes.
    expect([...second.summary].sort()).toEqual(
      [`${cut} cancelled`, `${missed} ok`, `${now} pending`, `${now} ok`].sort(),
    );
    expect(second.summary.slice(2)).toEqual([`${now} pending`, `${now} ok`]);
    const numbers = second.events.map(({ id }) => Number(id));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(Math.min(...numbers)).toBeGreaterThan(Number(position));
  });

  it('neither loses nor repeats changes made during a reconnection', async () => {
    const first = await follow();
    const seen = await ask();
    await sees(first, [`${seen} pending`, `${seen} ok`]);
    const position = first.events.at(-1)?.id ?? '';
    const asking = Promise.all(Array.from({ length: 40 }, () => ask()));
    const others = await Promise.all(Array.from({ length: 8 }, () => follow(`?after=${position}`)));
    const expected = (await asking).flatMap((id) => [`${id} pending`, `${id} ok`]).sort();
    for (const other of others) {
      // Of a request that had already ended, only the end is sent.
      await eventually(PATIENCE_MS, () =>
        expect([...new Set([...other.summary, ...other.summary.map(begun)])].sort()).toEqual(expected),
      );
      expect(new Set(other.summary).size).toBe(other.summary.length);
      const numbers = other.events.map(({ id }) => Number(id));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  });

  it('accepts a cursor far in the past and in the future', async () => {
    const newest = (await log.page('?limit=500')).entries.map(({ id }) => id).reverse();
    const all = await follow('?after=0&content=0');
    await eventually(PATIENCE_MS, () =>
      expect([...new Set(all.events.map(({ record }) => record.id))]).toHaveLength(newest.length),
    );
    const none = await follow('?after=9000000000000000');
    const id = await ask();
    await sees(none, [`${id} pending`, `${id} ok`]);
  });

  it('accepts the key in the URL, and keeps it out of the log', async () => {
    const tail = await strangers.follow(`?token=${API_KEY}`);
    tails.push(tail);
    const id = await ask();
    await sees(tail, [`${id} pending`, `${id} ok`]);
    expect((await strangers.get('/log/stream?token=wrong')).status).toBe(401);
    expect((await strangers.get(`/log/stream?token=${API_KEY}&token=${API_KEY}`)).status).toBe(401);
    for (const kind of ['request', 'network']) {
      expect(JSON.stringify(await log.page(`?limit=500&kind=${kind}`))).not.toContain(API_KEY);
    }
  });

  it('accepts a ticket once', async () => {
    expect((await fetch(`${gateway.origin}/log/ticket`, { method: 'POST' })).status).toBe(401);
    const issued = await fetch(`${gateway.origin}/log/ticket`, { method: 'POST', headers: log.headers });
    expect(issued.status).toBe(201);
    const body = (await issued.json()) as { ticket: string };
    expect(body).toEqual({ ticket: expect.stringMatching(/^ticket_[\w-]{43}$/), expiresInMs: 30_000 });
    const tail = await strangers.follow(`?token=${body.ticket}`);
    tails.push(tail);
    const id = await ask();
    await sees(tail, [`${id} pending`, `${id} ok`]);
    expect((await strangers.get(`/log/stream?token=${body.ticket}`)).status).toBe(401);
    expect((await strangers.get(`/log/json?token=${body.ticket}`)).status).toBe(401);
  });

  it.each([
    ['kind=other', 'kind'],
    ['after=x', 'after'],
    ['content=yes', 'content'],
  ])('refuses ?%s and names the parameter', async (query, param) => {
    const response = await log.get(`/log/stream?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_request', param } });
  });

  it('answers HEAD without a stream', async () => {
    const response = await fetch(`${gateway.origin}/log/stream`, { method: 'HEAD', headers: log.headers });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('disconnects a client that stops reading, and no other', async () => {
    const reading = await follow('?content=0');
    const readers = gateway.logReaders;
    const stalled = connect(gateway.port, '127.0.0.1');
    stalled.write(`GET /log/stream?token=${API_KEY} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(stalled, 'readable');
    expect(gateway.logReaders).toBe(readers + 1);
    const text = 'x'.repeat(2 ** 20);
    let last = '';
    // The buffers of the system hold some megabytes.
    for (let asked = 0; asked < 50 && gateway.logReaders > readers; asked++) {
      last = await ask(text);
    }
    stalled.destroy();
    expect(gateway.logReaders).toBe(readers);
    await eventually(PATIENCE_MS, () => expect(reading.summary.at(-1)).toBe(`${last} ok`));
    expect(reading.isEnded).toBe(false);
  });

  it('ends at a shutdown, at once', async () => {
    const other = await StubGateway.start();
    try {
      const tail = await new LogClient(other.origin).follow();
      tails.push(tail);
      other.stub.answerWith(hangs(1));
      const running = await other.post(ASK);
      const stopping = other.stop();
      await eventually(PATIENCE_MS, () => expect(tail.isEnded).toBe(true));
      expect(tail.text).toMatch(/^: heartbeat\n\nid: \d+\ndata: \{.*\}\n\n$/);
      await running.body?.cancel();
      await stopping;
    } finally {
      await other.close();
    }
  });
});

function begun(line: string): string {
  return line.replace(/ ok$/, ' pending');
}
