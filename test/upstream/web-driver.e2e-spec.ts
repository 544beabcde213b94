import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type UpstreamSession } from '../../src/upstream/upstream-driver.js';
import { type WebDriver } from '../../src/upstream/web/web-driver.js';
import { ask, WebSite } from '../support/upstream/web-site.js';
import { PATIENCE_MS } from '../support/watch/eventually.js';
import { browserPace } from '../support/watch/machine-pace.js';

const never = new AbortController().signal;

describe('WebDriver on the sandbox site', () => {
  let web: WebSite;
  let driver: WebDriver;
  const sessions: UpstreamSession[] = [];

  beforeAll(async () => {
    web = await WebSite.start({ keepPieceTimes: true });
    driver = web.driver();
  });
  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.close()));
  });
  afterAll(() => web.close());

  async function open(account = 0): Promise<UpstreamSession> {
    const session = await driver.open(web.account(account), never);
    sessions.push(session);
    return session;
  }

  it('streams reasoning, text, usage and the end of an answer', async () => {
    const session = await open();
    const answer = await ask(session, '[[think:Hm.]][[say:Hello there.]][[usage]]', { model: 'svc-plus' });
    expect(answer.error).toBeUndefined();
    expect(answer.events).toEqual([
      { type: 'accepted' },
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ' there.' },
      {
        type: 'usage',
        usage: { promptTokens: 11, completionTokens: 4, reasoningTokens: 1, cachedTokens: 0 },
      },
      { type: 'done', reason: 'stop' },
    ]);
    expect(web.site.records.at(-1)).toMatchObject({
      model: 'svc-plus',
      thinking: true,
      outcome: 'completed',
    });
  });

  it('serves one request after the other, each in a conversation of its own', async () => {
    const session = await open();
    for (const text of ['one', 'two', 'three']) {
      expect((await ask(session, `[[say:${text}]]`)).text).toBe(text);
      expect(session.isUsable).toBe(true);
    }
    await session.close();
    const prompts = web.site.records.filter(({ promptTail }) => /^\[\[say:(one|two|three)/.test(promptTail));
    expect(new Set(prompts.map(({ conversationId }) => conversationId)).size).toBe(3);
    // A page that closes must not send the prompt which the driver took from it.
    expect(prompts).toHaveLength(3);
  });

  it('switches thinking off and on', async () => {
    const session = await open();
    for (const thinking of [false, true]) {
      await ask(session, '[[say:x]]', { thinking, model: 'svc-max' });
      expect(web.site.records.at(-1)).toMatchObject({ thinking, model: 'svc-max' });
    }
  });

  it('ends the exchange at the site at once when the caller leaves', async () => {
    const session = await open();
    const caller = new AbortController();
    let leftAt = 0;
    const answer = await ask(session, '[[chunks:1000x20ms]]', {
      signal: caller.signal,
      onEvent: ({ type }) => {
        if (type === 'text' && leftAt === 0) {
          leftAt = performance.now();
          caller.abort(new Error('left'));
        }
      },
    });
    expect(answer.error).toEqual(new Error('left'));
    const record = await web.site.whenRecord(
      (entry) => entry === web.site.records.at(-1) && entry.outcome !== 'pending',
      AbortSignal.timeout(PATIENCE_MS),
    );
    expect(record.outcome).toBe('client_closed');
    await browserPace.expectWithin((record.endedAt ?? Infinity) - leftAt, 300);
    expect((await ask(session, '[[say:again]]')).text).toBe('again');
  });

  it('sends a prompt of a megabyte whole', async () => {
    const session = await open();
    const prompt = `[[say:long]]${'Zwölf Boxkämpfer jagen Viktor quer. "\\\n'.repeat(26_000)}end`;
    const startedAt = performance.now();
    const answer = await ask(session, prompt);
    const record = web.site.records.at(-1);
    process.stdout.write(
      `prompt of ${prompt.length} characters in ${Math.round((record?.acceptedAt ?? 0) - startedAt)} ms\n`,
    );
    expect({ text: answer.text, error: answer.error }).toEqual({ text: 'long', error: undefined });
    expect(record?.promptHash).toBe(createHash('sha256').update(prompt).digest('hex'));
    // 0.8 s on a machine that does nothing else; typed it would take minutes.
    await browserPace.expectWithin((record?.acceptedAt ?? Infinity) - startedAt, 8000);
  });

  it('carries 20 streams of 3 accounts at a time', async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, (_, i) => open(i % 3)));
    const answers = await Promise.all(opened.map((session, i) => ask(session, `[[chunks:50x20ms]] ${i}`)));
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => undefined));
    expect(answers.every(({ events }) => events.at(-1)?.type === 'done')).toBe(true);
  });

  it('adds at most 3 ms to a chunk (median)', async () => {
    const session = await open();
    const seen: number[] = [];
    await ask(session, '[[chunks:200x10ms]]', {
      thinking: false,
      onEvent: ({ type }) => {
        if (type === 'text') {
          seen.push(performance.now());
        }
      },
    });
    const written = web.site.records.at(-1)?.pieceTimes ?? [];
    const added = seen.map((time, i) => time - (written[i] ?? NaN)).sort((a, b) => a - b);
    const at = (share: number): number => added[Math.floor(added.length * share)] ?? NaN;
    process.stdout.write(`added per chunk: p50 ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms\n`);
    expect(seen).toHaveLength(200);
    await browserPace.expectWithin(at(0.5), 3);
  });
});
