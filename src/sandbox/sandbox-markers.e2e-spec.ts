import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventsIn,
  postLogin,
  readEvents,
  SandboxClient,
  textOf,
} from '../../test/support/upstream/sandbox-client.js';
import { PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { processPace } from '../../test/support/watch/machine-pace.js';
import { SandboxSite } from './sandbox-site.js';
import { type PromptRecord } from './state/sandbox-records.js';

/** Effect of each marker on the wire. */

let site: SandboxSite;
let origin: string;
let client: SandboxClient;

beforeAll(async () => {
  site = new SandboxSite({ keepPieceTimes: true });
  origin = await site.start();
  client = await SandboxClient.logIn(origin, site);
});
afterAll(() => site.close());

function last(): PromptRecord {
  return site.records.at(-1)!;
}

function whenRecord(fits: (record: PromptRecord) => boolean): Promise<PromptRecord> {
  return site.whenRecord(fits, AbortSignal.timeout(PATIENCE_MS));
}

async function bodyOf(prompt: string, thinking = false): Promise<string> {
  return (await client.ask(prompt, { thinking })).text();
}

describe('markers: time', () => {
  it('passes before the headers', async () => {
    const response = await client.ask('[[delay:60]][[chunks:2x0ms]]');
    expect(performance.now() - last().acceptedAt).toBeGreaterThan(55);
    expect(textOf(eventsIn(await response.text()))).toBe('chunk 1 chunk 2');
  });

  it('passes between the headers and the first chunk', async () => {
    const response = await client.ask('[[slowfirst:1000]][[chunks:2x0ms]]');
    const openedAt = performance.now();
    await response.text();
    const { acceptedAt, pieceTimes } = last();
    expect(pieceTimes![0]! - acceptedAt).toBeGreaterThan(995);
    expect(openedAt).toBeLessThan(pieceTimes![0]!);
  });

  it('passes between chunks', async () => {
    await bodyOf('[[chunks:6x20ms]]');
    const times = last().pieceTimes!;
    expect(times).toHaveLength(6);
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(95);
  });
});

describe('markers: an answer', () => {
  it('of many chunks is sent without pauses', async () => {
    const events = eventsIn(await bodyOf('[[chunks:20000x0ms]]'));
    expect(events).toHaveLength(20_002);
    expect(events.at(-2)).toMatchObject({ type: 'text', text: 'chunk 20000' });
    await processPace.expectWithin(last().endedAt! - last().acceptedAt, 5000);
  });

  it('waits for a reader under back-pressure', async () => {
    const response = await client.ask('[[big:64MB]]');
    const reader = response.body!.getReader();
    await reader.read();
    const { piecesSent } = await whenRecord((record) => record === last() && record.piecesSent > 0);
    expect(piecesSent).toBeLessThan(64 * 128);
    // As long as nobody reads, another answer from start to end leaves this one where its buffers were full.
    await bodyOf('[[chunks:3000x0ms]]');
    const stalled = site.records.at(-2)!;
    expect(stalled.outcome).toBe('pending');
    expect(stalled.piecesSent).toBeLessThan(64 * 128);
    reader.releaseLock();
    let bytes = 0;
    for await (const chunk of response.body! as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
    }
    expect(bytes).toBeGreaterThan(63 * 2 ** 20);
    expect(stalled).toMatchObject({ outcome: 'completed', piecesSent: 64 * 128 });
  });

  it('has reasoning with thinking on, or inside the text', async () => {
    const events = eventsIn(await bodyOf('[[think:Hm]][[say:x]]', true));
    expect(events.map(({ type }) => type)).toEqual(['start', 'reasoning', 'text', 'done']);
    expect(textOf(eventsIn(await bodyOf('[[think:Hm]][[say:x]][[think-tags]]')))).toBe(
      '<think>Hm</think>\n\nx',
    );
  });

  it('repeats the whole text, or every event', async () => {
    const whole = eventsIn(await bodyOf('[[say:a b c]][[cumulative]]')).slice(1, -1);
    expect(whole.map((event) => 'text' in event && event.text)).toEqual(['a', 'a b', 'a b c']);
    const twice = eventsIn(await bodyOf('[[say:a b]][[duplicate]]'));
    expect(twice.map(({ seq }) => seq)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });

  it('is mixed with that of another conversation', async () => {
    const events = eventsIn(await bodyOf('[[say:a b]][[foreign]]'));
    const own = events.filter(({ conversation_id: id }) => id === last().conversationId);
    expect(textOf(own)).toBe('a b');
    expect(events.length - own.length).toBe(3);
  });

  it('ends with its usage, for length, or without an end', async () => {
    const ends = await Promise.all(
      ['[[usage]]', '[[length]]', '[[partial]]'].map((each) => bodyOf(`[[say:x]]${each}`)),
    );
    const types = ends.map((body) =>
      eventsIn(body)
        .slice(1)
        .map(({ type }) => type),
    );
    expect(types).toEqual([['text', 'usage', 'done'], ['text', 'done'], ['text']]);
    expect(eventsIn(ends[1]!).at(-1)).toMatchObject({ reason: 'length' });
  });

  it('echoes', async () => {
    const prompt =
      '<user>\n[[echo]]\n</user>\n\n<tool_response name="read">\n line 1\n\nline 2 \n</tool_response>';
    expect(textOf(eventsIn(await bodyOf(prompt)))).toBe(' line 1\n\nline 2 ');
  });
});

describe('markers: a break', () => {
  it('destroys the connection before the headers', async () => {
    await expect(client.ask('[[reset]]')).rejects.toThrow('fetch failed');
    expect(last().outcome).toBe('cut');
  });

  it.each([0, 5])('destroys the connection after %i chunks', async (count) => {
    const response = await client.ask(`[[reset:${count}]][[chunks:50x0ms]]`);
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const event of readEvents(response)) {
        seen.push(event.type);
      }
    };
    await expect(read()).rejects.toThrow('terminated');
    expect(seen).toEqual(['start', ...Array.from({ length: count }, () => 'text')]);
    expect(last()).toMatchObject({ outcome: 'cut', piecesSent: count });
  });

  it.each(['[[hang]]', '[[hang:0]]', '[[hang:5]]', '[[hang:100]]'])('never comes with %s', async (marker) => {
    const control = new AbortController();
    const pieces = { '[[hang:5]]': 5, '[[hang:100]]': 20 }[marker] ?? 0;
    const asked = client.ask(`${marker}[[chunks:20x0ms]]`, { signal: control.signal });
    const read = asked.then((response) => response.text());
    const hung = await whenRecord(
      ({ outcome, piecesSent }) => outcome === 'pending' && piecesSent === pieces,
    );
    // By the end of another answer, this one has not moved on.
    await bodyOf('[[chunks:3000x0ms]]');
    expect(hung).toMatchObject({ outcome: 'pending', piecesSent: pieces });
    control.abort();
    await expect(read).rejects.toThrow('aborted');
    await whenRecord((record) => record === hung && record.outcome === 'client_closed');
  });

  it('of 0 chunks comes after the headers', async () => {
    const control = new AbortController();
    const response = await client.ask('[[hang:0]]', { signal: control.signal });
    expect(response.status).toBe(200);
    control.abort();
    await whenRecord((record) => record === last() && record.outcome === 'client_closed');
  });
});

describe('markers: a refusal', () => {
  const limit = 'You have reached the message limit. Please try again later.';

  it.each([
    [
      '[[status:500]]',
      500,
      null,
      { error: { code: 'status_500', message: 'The sandbox answers with status 500.' } },
    ],
    [
      '[[status:429]]',
      429,
      null,
      { error: { code: 'rate_limited', message: 'You have sent too many messages.' } },
    ],
    [
      '[[status:429:retry-after=7]]',
      429,
      '7',
      { error: { code: 'rate_limited', message: 'You have sent too many messages.' } },
    ],
    ['[[limit:page]]', 200, null, { limited: true, message: limit }],
    ['[[limit:page:30]]', 200, null, { limited: true, message: limit, retry_after_seconds: 30 }],
    [
      '[[too-long]]',
      413,
      null,
      { error: { code: 'too_long', message: 'Your message is too long. Please shorten it and try again.' } },
    ],
    [
      '[[overloaded]]',
      503,
      null,
      { error: { code: 'overloaded', message: 'The servers are busy. Please try again in a moment.' } },
    ],
  ])('%s', async (marker, status, retryAfter, body) => {
    const response = await client.ask(marker);
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      status,
      retryAfter,
      body,
    ]);
    expect(last().outcome).toBe('refused');
  });

  it.each([
    ['[[limit:sse]]', {}],
    ['[[limit:sse:30]]', { retry_after_seconds: 30 }],
  ])('%s', async (marker, extra) => {
    const response = await client.ask(marker, { conversationId: 'c1' });
    expect(response.status).toBe(200);
    expect(eventsIn(await response.text())).toEqual([
      { type: 'error', code: 'rate_limited', message: limit, ...extra, conversation_id: 'c1', seq: 0 },
    ]);
  });
});

describe('markers: garbage', () => {
  it.each([
    ['events', 'data: {"type":"text","te\n\ndata: <<<>>>\n\n%%%\u0000\n\n'],
    ['empty', ''],
    ['utf8', 'data: {"type":"text","text":"\ufffd(\ufffd\ufffd\ufffd"}\n\n'],
    ['line', `data: ${'x'.repeat(8 * 2 ** 20)}\n\n`],
  ])('of %s', async (kind, body) => {
    const response = await client.ask(`[[garbage:${kind}]]`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect((await response.text()) === body).toBe(true);
  });

  it('of a false encoding', async () => {
    const response = await client.ask('[[garbage:gzip]]');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    await expect(response.text()).rejects.toThrow();
  });

  it('of the wrong type', async () => {
    const response = await client.ask('[[garbage:html]]');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('<title>Maintenance</title>');
  });
});

describe('markers: a login', () => {
  it('ends with a login page in place of the answer', async () => {
    const own = await SandboxClient.logIn(origin, site);
    const response = await own.ask('[[login-wall]]');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('<form id="login"');
    expect((await own.ask('x')).status).toBe(401);
  });

  it('ends after an answer', async () => {
    const own = await SandboxClient.logIn(origin, site);
    expect(await own.say('[[logout]][[say:good bye]]')).toBe('good bye');
    expect((await own.ask('x')).status).toBe(401);
  });

  it('stands behind a challenge until that is cleared', async () => {
    const own = await SandboxClient.logIn(origin, site, 1);
    const other = await SandboxClient.logIn(origin, site, 2);
    const answers = [await own.ask('[[blocked]]'), await own.ask('x'), await own.get('/')];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await answers[1]!.text()).toContain('Verify you are human');
    expect(await other.say('[[say:not blocked]]')).toBe('not blocked');
    const { name, password } = site.accounts[1]!;
    expect((await postLogin(origin, name, password)).status).toBe(303);
    expect((await own.get('/')).status).toBe(403);
    expect((await own.post('/challenge', {}, { redirect: 'manual' })).status).toBe(303);
    expect((await own.get('/')).status).toBe(200);
    await own.ask('[[blocked]]');
    site.clearSwitches('sandbox-2');
    expect((await own.get('/')).status).toBe(200);
  });
});
