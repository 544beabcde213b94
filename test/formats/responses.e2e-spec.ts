import { type ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMITTED_AT_ONCE_BYTES, BodyAdmission } from '../../src/common/http/body/body-admission.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, endless, hangs, rateLimited, resets } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { eventTexts, readEvents } from '../support/watch/read-events.js';

const ASK = { model: 'svc-max', input: 'Hi' };
const pieces = Array.from({ length: 30 }, (_, index) => `piece ${index} `);

describe('responses over HTTP', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start({ RETRY_MAX_ATTEMPTS: 1, LOG_CONTENT: 'full' });
  });

  afterAll(() => gateway.close());

  afterEach(() => {
    gateway.stub.requests.length = 0;
  });

  const send = (method: string, path = '', body?: object): Promise<Response> =>
    fetch(`${gateway.origin}/v1/responses${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
  const ask = async (method: string, path = '', body?: object): Promise<Record<string, unknown>> =>
    (await (await send(method, path, body)).json()) as Record<string, unknown>;

  /** Log entries of what was created. */
  const completions = (): readonly object[] =>
    gateway.entries.filter(({ operation }) => operation === 'completion');

  /** Begins one in the background; its id. */
  async function begin(fields: object = {}): Promise<string> {
    const response = await send('POST', '', { ...ASK, background: true, ...fields });
    const { id, status } = (await response.json()) as Record<string, unknown>;
    expect([response.status, status]).toEqual([200, 'queued']);
    return String(id);
  }

  /** Waits for the response to be over. */
  const ended = (id: string): Promise<Record<string, unknown>> =>
    eventually(PATIENCE_MS, async () => {
      const response = await ask('GET', `/${id}`);
      expect(['queued', 'in_progress']).not.toContain(response.status);
      return response;
    });

  /** Reads a stream up to a number of characters, then leaves. */
  async function readUntil(response: Response, maxChars: number): Promise<string> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body!) {
      text += decoder.decode(bytes as Uint8Array, { stream: true });
      if (text.length >= maxChars) {
        break;
      }
    }
    const received = text.slice(0, maxChars);
    return received.slice(0, received.lastIndexOf('\n\n') + 2);
  }

  it('emulates tools, custom ones and those of namespaces among them, and notes those left out', async () => {
    gateway.settings.TOOL_MODE = 'emulated';
    const call = (name: string, parameter: string, value: string): string =>
      `<tool_call>\n<function=${name}>\n<parameter=${parameter}>${value}</parameter>\n</function>\n</tool_call>`;
    const text = `${call('crm__find', 'name', 'Ann')}\n${call('patch', 'input', '*** Begin\nx')}`;
    gateway.stub.answerNextWith(answer({ pieces: text.match(/[\s\S]{1,7}/g)! }));
    const find = {
      type: 'function',
      name: 'find',
      parameters: { type: 'object', properties: { name: { type: 'string' } } },
    };
    const tools = [
      { type: 'namespace', name: 'crm', description: 'Customers.', tools: [find] },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: X' } },
      { type: 'web_search' },
    ];
    const response = await send('POST', '', { ...ASK, tools });
    gateway.settings.TOOL_MODE = undefined;
    const { output } = (await response.json()) as { output: object[] };
    expect(output).toMatchObject([
      { type: 'function_call', name: 'find', namespace: 'crm', arguments: '{"name":"Ann"}' },
      { type: 'custom_tool_call', name: 'patch', input: '*** Begin\nx' },
    ]);
    expect(response.headers.get('x-gateway-tools-left-out')).toBe('web_search');
    expect(completions().at(-1)).toMatchObject({
      notes: ['Tools that a provider would run itself were left out: web_search.'],
    });
    const prompt = JSON.stringify(gateway.stub.requests[0]!.body.messages);
    expect(prompt).toContain('matches this Lark grammar from start to end');
    expect(prompt).toContain('Customers.');
    expect(prompt).not.toContain('web_search');
  });

  it('goes on without items that it does not know, and notes them', async () => {
    gateway.stub.answerNextWith(answer({ pieces: ['A.'] }));
    const input = [{ type: 'poem' }, { type: 'message', role: 'user', content: 'Hi' }];
    expect(await ask('POST', '', { ...ASK, input })).toMatchObject({ status: 'completed' });
    expect(gateway.stub.requests[0]!.body.messages).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(completions().at(-1)).toMatchObject({ notes: ['Items of unknown types were left out: poem.'] });
  });

  it('offers tools that stand in the input, to what goes on with it as well', async () => {
    const exec = { type: 'custom', name: 'exec', description: 'Runs JavaScript.' };
    const wait = { type: 'function', name: 'wait', parameters: { type: 'object' }, strict: false };
    const tools = [{ type: 'namespace', name: 'functions', description: '', tools: [exec, wait] }];
    const added = { type: 'additional_tools', id: 'at_1', role: 'developer', tools };
    const input = [added, { type: 'message', role: 'user', content: 'Hi' }];
    const call = { id: 'c1', name: 'functions__wait', arguments: ['{}'] };
    gateway.stub.answerNextWith(answer({ pieces: ['A.'] }), answer({ pieces: [], toolCalls: [call] }));
    const { id } = await ask('POST', '', { ...ASK, input });
    const choice = { type: 'function', name: 'wait', namespace: 'functions' };
    const next = { ...ASK, previous_response_id: id, tool_choice: choice };
    expect(await ask('POST', '', next)).not.toHaveProperty('error.message');
    const offered = gateway.stub.requests.map(({ body }) =>
      (body.tools as { function: { name: string } }[]).map((tool) => tool.function.name),
    );
    expect(offered).toEqual([
      ['functions__exec', 'functions__wait'],
      ['functions__exec', 'functions__wait'],
    ]);
    expect(await ask('GET', `/${String(id)}/input_items?order=asc`)).toMatchObject({ data: [added, {}] });
  });

  it('goes on in the background when the caller leaves, and is in the log once', async () => {
    gateway.stub.answerNextWith(answer({ pieces, intervalMs: 2 }));
    const response = await send('POST', '', { ...ASK, background: true, stream: true });
    const [first] = readEvents(await readUntil(response, 1500));
    const { id } = first!.data.response as { id: string };
    const { status, output } = await ended(id);
    expect([status, output]).toMatchObject(['completed', [{ content: [{ text: pieces.join('') }] }]]);
    expect(completions().at(-1)).toMatchObject({
      outcome: 'ok',
      operation: 'completion',
      path: '/v1/responses',
    });
  });

  it('keeps the room of a large body until its response is over', async () => {
    gateway.stub.answerNextWith(endless(2));
    const id = await begin({ input: 'x '.repeat(ADMITTED_AT_ONCE_BYTES) });
    const next = new PassThrough();
    let isAdmitted = false;
    // Let in only when there is no other.
    const admission = gateway.app.get(BodyAdmission);
    const admitted = Promise.resolve(
      admission.waitForRoom(Number.MAX_SAFE_INTEGER, next as unknown as ServerResponse),
    ).then(() => (isAdmitted = true));
    const stream = await send('GET', `/${id}?stream=true`);
    await readUntil(stream, 3000);
    expect(isAdmitted).toBe(false);
    await ask('POST', `/${id}/cancel`);
    expect(await admitted).toBe(true);
    next.destroy();
  });

  it('replays and joins live, byte-identical to the uncut stream', async () => {
    gateway.stub.answerNextWith(answer({ pieces, reasoning: ['Hm'], intervalMs: 2 }));
    const id = await begin({ reasoning: { summary: 'auto' } });
    const received: string[] = [];
    for (let isWhole = false, limit = 400; !isWhole; limit += 400) {
      const query = received.length === 0 ? '' : `&starting_after=${received.length - 1}`;
      const part = eventTexts(await readUntil(await send('GET', `/${id}?stream=true${query}`), limit));
      received.push(...part);
      isWhole = received.at(-1)?.startsWith('event: response.completed') ?? false;
    }
    await ended(id);
    const uncut = eventTexts(await (await send('GET', `/${id}?stream=true`)).text());
    expect(received).toEqual(uncut);
    const { response } = readEvents(`${uncut.at(-1)}\n\n`)[0]!.data;
    expect(await ask('GET', `/${id}`)).toEqual(response);
  });

  it('tells of the events of one that runs without waiting for them', async () => {
    gateway.stub.answerNextWith(endless(2));
    const id = await begin();
    const head = await send('HEAD', `/${id}?stream=true`);
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
    await ask('POST', `/${id}/cancel`);
  });

  it('cancels what is running, and leaves alone what is over', async () => {
    gateway.stub.answerNextWith(endless(2));
    const id = await begin();
    const stream = await send('GET', `/${id}?stream=true`);
    const texts = readEvents(await readUntil(stream, 3000));
    expect(texts[2]).toMatchObject({ event: 'response.in_progress' });
    const cancelled = await ask('POST', `/${id}/cancel`);
    expect(cancelled).toMatchObject({ id, status: 'cancelled', output: [{ status: 'incomplete' }] });
    expect(await ask('POST', `/${id}/cancel`)).toEqual(cancelled);
    expect(await ask('GET', `/${id}`)).toEqual(cancelled);
    expect(completions().at(-1)).toMatchObject({ outcome: 'cancelled' });
    await eventually(PATIENCE_MS, () => expect(gateway.stub.requests[0]!.abortedAt).toBeDefined());
  });

  it('forgets what is running', async () => {
    gateway.stub.answerNextWith(hangs(1));
    const id = await begin();
    expect(await ask('DELETE', `/${id}`)).toEqual({ id, object: 'response', deleted: true });
    expect((await send('GET', `/${id}`)).status).toBe(404);
  });

  it.each([
    ['within it', resets(2), 'server_error', 'upstream_error'],
    // The account cools down after it.
    ['before it began', rateLimited({ retryAfter: '1' }), 'rate_limit_exceeded', 'rate_limited'],
  ])('tells in the response what failed %s', async (_when, plan, code, outcome) => {
    gateway.stub.answerNextWith(plan);
    const id = await begin();
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code } });
    const events = readEvents(await (await send('GET', `/${id}?stream=true`)).text());
    expect(events.at(-1)).toMatchObject({
      event: 'response.failed',
      data: { response: { error: { code } } },
    });
    expect(completions().at(-1)).toMatchObject({ outcome });
  });
});
