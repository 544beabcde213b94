import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, API_KEY, ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { ACCEPTED, DONE, type ScriptedDriver } from '../../test/support/upstream/scripted-driver.js';
import { readEvents } from '../../test/support/watch/read-events.js';
import { carryText } from '../chat/dto/carried-text.js';
import { type UpstreamBatch, UpstreamDriver } from '../upstream/upstream-driver.js';
import { ResponsesModule } from './responses.module.js';

const ASK = { model: 'svc-max', input: 'Hello?' };
const tool = { type: 'function', name: 'read' };

describe('ResponsesController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(ResponsesModule);
  });

  afterAll(() => app.close());

  describeRoutes(() => app, {
    'POST /v1/responses/compact': {
      bad: [
        [{ ...ASK, input: undefined }, 'input'],
        [{ ...ASK, input: [] }, 'input'],
        [{ ...ASK, model: 5 }, 'model'],
        [{ ...ASK, background: true }, 'background'],
        [{ ...ASK, stream: true }, 'stream'],
      ],
      good: { input: ASK, body: { object: 'response.compaction', output: [{}, { type: 'compaction' }] } },
    },
    'POST /v1/responses': {
      bad: [
        [{ ...ASK, model: 5 }, 'model'],
        [{ ...ASK, input: undefined }, 'input'],
        [{ ...ASK, input: [{ role: 'nobody', content: '' }] }, 'input[0].role'],
        [{ ...ASK, temperature: 3 }, 'temperature'],
        [{ ...ASK, presence_penalty: 3 }, 'presence_penalty'],
        [{ ...ASK, top_logprobs: -1 }, 'top_logprobs'],
        [{ ...ASK, input: [] }, 'input'],
        [{ ...ASK, max_output_tokens: 0 }, 'max_output_tokens'],
        [{ ...ASK, conversation: 'conv_1' }, 'conversation'],
        [{ ...ASK, tools: [{ type: 'function' }] }, 'tools[0].name'],
        [{ ...ASK, tools: [tool], tool_choice: { type: 'web_search' } }, 'tool_choice.type'],
        [{ ...ASK, text: { format: { type: 'xml' } } }, 'text.format.type'],
        [{ ...ASK, metadata: { a: 1 } }, 'metadata'],
        [{ ...ASK, input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0].id'],
        [{ ...ASK, background: true, store: false }, 'background'],
      ],
      good: {
        input: ASK,
        body: {
          object: 'response',
          status: 'completed',
          model: 'svc-max',
          output: [
            {
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: 'hi', annotations: [], logprobs: [] }],
            },
          ],
        },
      },
    },
    'POST /v1/responses/input_tokens': {
      bad: [
        [{ ...ASK, input: undefined }, 'input'],
        [{ ...ASK, tools: [{ type: 'function' }] }, 'tools[0].name'],
      ],
      good: { input: ASK, body: { object: 'response.input_tokens', input_tokens: 2 } },
    },
    'GET /v1/responses/resp_1': {
      bad: [
        ['?stream=maybe', 'stream'],
        ['?stream=true&starting_after=-1', 'starting_after'],
        ['?stream=true&starting_after=x', 'starting_after'],
      ],
      good: { status: 404 },
    },
    'GET /v1/responses/resp_1/input_items': {
      bad: [
        ['?limit=0', 'limit'],
        ['?limit=101', 'limit'],
        ['?order=up', 'order'],
      ],
      good: { status: 404 },
    },
    'POST /v1/responses/resp_1/cancel': { good: { status: 404 } },
    'DELETE /v1/responses/resp_1': { good: { status: 404 } },
  });

  const ask = (method: string, path: string, body?: object): Promise<Answer> =>
    app.ask(method, `/v1/responses${path}`, { body });

  it('keeps a response, lists its input and forgets it', async () => {
    const input = ['a', 'b', 'c'].map((content) => ({ role: 'user', content }));
    const created = await ask('POST', '', { ...ASK, input, instructions: 'Be brief.' });
    const { id } = created.body as { id: string };
    expect(await ask('GET', `/${id}`)).toMatchObject({ status: 200, body: created.body as object });
    const item = (index: number, text: string): object => ({
      id: `in_${id.slice(5)}${index}`,
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_text', text }],
    });
    const list = async (query: string): Promise<unknown> =>
      (await ask('GET', `/${id}/input_items${query}`)).body;
    const [a, b, c] = [item(0, 'a'), item(1, 'b'), item(2, 'c')] as { id: string }[];
    const page = (data: { id: string }[], has_more: boolean): object => ({
      object: 'list',
      data,
      first_id: data[0]!.id,
      last_id: data.at(-1)!.id,
      has_more,
    });
    expect(await list('')).toEqual(page([c!, b!, a!], false));
    expect(await list('?limit=2&order=asc')).toEqual(page([a!, b!], true));
    expect(await list(`?limit=1&order=asc&after=${a!.id}`)).toEqual(page([b!], true));
    expect(await list('?limit=1&after=')).toEqual(page([c!], true));
    expect(await list('?after=in_x')).toMatchObject({ error: { param: 'after' } });
    expect(await ask('GET', `/${id}?stream=true`)).toMatchObject({
      status: 400,
      body: { error: { param: 'stream' } },
    });
    expect(await ask('POST', `/${id}/cancel`)).toMatchObject({ status: 400 });
    expect(await ask('DELETE', `/${id}`)).toMatchObject({
      status: 200,
      body: { id, object: 'response', deleted: true },
    });
    expect(await ask('GET', `/${id}`)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  const PREWARMS = [{ prompt_cache_options: { prewarm: true } }, { generate: false, max_output_tokens: 16 }];

  it.each(PREWARMS)('asks nothing of the upstream for %j', async (fields) => {
    const driver: ScriptedDriver = app.app.get(UpstreamDriver);
    const asked = driver.prompts.length;
    const { body } = await ask('POST', '', { ...ASK, ...fields });
    expect(body).toMatchObject({ status: 'completed', output: [], usage: { output_tokens: 0 } });
    const { text } = await ask('POST', '', { ...ASK, ...fields, stream: true });
    expect(text.match(/(?<=^event: response\.).*$/gm)).toEqual(['created', 'in_progress', 'completed']);
    expect(driver.prompts).toHaveLength(asked);
    const { id } = body as { id: string };
    const { body: next } = await ask('POST', '', { ...ASK, previous_response_id: id });
    expect(next).toMatchObject({ output: [{ type: 'message' }] });
  });

  const SUMMARY = {
    id: expect.stringMatching(/^cmp_/),
    type: 'compaction',
    encrypted_content: carryText('hi'),
  };

  it('compacts a conversation to what its user said and a summary', async () => {
    const input = [
      { role: 'user', content: 'Hello?' },
      { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'found' },
    ];
    const first = (await ask('POST', '', { ...ASK, input: 'First.' })).body as { id: string };
    const { body } = await ask('POST', '/compact', { ...ASK, input, previous_response_id: first.id });
    const said = (text: string): object => ({
      id: expect.stringMatching(/^in_/),
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_text', text }],
    });
    expect(body).toEqual({
      id: expect.stringMatching(/^resp_/),
      object: 'response.compaction',
      created_at: expect.any(Number),
      output: [said('First.'), said('Hello?'), SUMMARY],
      usage: expect.objectContaining({ output_tokens: expect.any(Number) }),
    });
    const { id, output } = body as { id: string; output: object[] };
    expect((await ask('GET', `/${id}`)).status).toBe(404);
    expect((await ask('POST', '', { ...ASK, input: output })).status).toBe(200);
  });

  it('goes on from a stored summary without what it stands for', async () => {
    const long = { role: 'assistant', content: 'word '.repeat(500) };
    const trigger = { type: 'compaction_trigger' };
    const input = [{ role: 'user', content: 'Hello?' }, long, trigger];
    const { body } = await ask('POST', '', { ...ASK, input });
    expect(body).toMatchObject({ status: 'completed', output: [SUMMARY] });
    const { id, output } = body as { id: string; output: { id: string }[] };
    const reference = { type: 'item_reference', id: output[0]!.id };
    expect((await ask('POST', '', { ...ASK, input: [reference] })).status).toBe(200);
    const next = await ask('POST', '/input_tokens', { ...ASK, previous_response_id: id });
    const { input_tokens: tokens } = next.body as { input_tokens: number };
    expect(tokens).toBeGreaterThan(10);
    expect(tokens).toBeLessThan(100);
  });

  it('goes on from a stored summary with the system prompt, settings and tools', async () => {
    const { prompts }: ScriptedDriver = app.app.get(UpstreamDriver);
    const found = { type: 'function', name: 'find' };
    const input = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Hello?' },
      { type: 'configuration_update', reasoning: { effort: 'low' } },
      { type: 'additional_tools', role: 'developer', tools: [tool] },
      { type: 'tool_search_call', call_id: 's', execution: 'client', arguments: {} },
      { type: 'tool_search_output', call_id: 's', execution: 'client', tools: [found] },
      { type: 'compaction_trigger' },
    ];
    app.settings.TOOL_MODE = 'native';
    const { id } = (await ask('POST', '', { ...ASK, input })).body as { id: string };
    const next = await ask('POST', '', { ...ASK, previous_response_id: id });
    expect(next.body).toMatchObject({ reasoning: { effort: 'low' } });
    app.settings.TOOL_MODE = undefined;
    const { prompt, tools } = prompts.at(-1)!.request;
    const roles = ['system', 'user', 'user', 'user'];
    expect(prompt.messages).toMatchObject(roles.map((role) => ({ role })));
    expect(tools?.definitions).toMatchObject(['read', 'find'].map((name) => ({ function: { name } })));
  });

  it('keeps a caller from going on without a summary', async () => {
    const driver: ScriptedDriver = app.app.get(UpstreamDriver);
    const { onPrompt } = driver;
    const input = [{ role: 'user', content: 'Hello?' }, { type: 'compaction_trigger' }];
    const answerOf = async (batches: UpstreamBatch[]): Promise<Answer[]> => {
      driver.onPrompt = (prompt) => {
        prompt.emit(ACCEPTED, ...batches);
        prompt.end();
      };
      const stream = await ask('POST', '', { ...ASK, input, stream: true });
      const answers = [stream, await ask('POST', '/compact', ASK)];
      driver.onPrompt = onPrompt;
      return answers;
    };
    const { TOOL_MODE } = app.settings;
    app.settings.TOOL_MODE = 'native';
    const look: UpstreamBatch = [{ type: 'text', text: 'Let me look at the file first.' }];
    for (const batch of [
      [{ type: 'reasoning', text: 'Hm.' }],
      [...look, { type: 'toolCall', delta: { index: 0, id: 'c', name: 'read', arguments: '{}' } }],
      [...look, { type: 'refusal', text: 'I cannot.' }],
    ] satisfies UpstreamBatch[]) {
      const [silent, refused] = await answerOf([batch, DONE]);
      expect(readEvents(silent!.text).at(-1)!.event).toBe('response.failed');
      expect(refused!.status).toBe(500);
      expect(refused!.headers.get('x-gateway-reason')).toBe('answer_unusable');
    }
    app.settings.TOOL_MODE = TOOL_MODE;
    const [cut, failed] = await answerOf([
      [{ type: 'text', text: 'Half' }],
      [{ type: 'done', reason: 'length' }],
    ]);
    expect(readEvents(cut!.text).at(-1)!.event).toBe('response.incomplete');
    expect(failed!.status).toBe(500);
  });

  it('keeps nothing where the request says so', async () => {
    const { body } = await ask('POST', '', { ...ASK, store: false });
    expect(body).toMatchObject({ store: false });
    expect((await ask('GET', `/${(body as { id: string }).id}`)).status).toBe(404);
  });

  it('keeps a streamed response as its last event has it', async () => {
    const { text } = await ask('POST', '', { ...ASK, stream: true });
    const { response } = readEvents(text).at(-1)!.data as { response: { id: string } };
    expect((await ask('GET', `/${response.id}`)).body).toEqual(response);
  });

  it('goes on from a response before, and from single items of it', async () => {
    const first = (await ask('POST', '', { ...ASK, instructions: 'Once.' })).body as {
      id: string;
      output: { id: string }[];
    };
    const second = await ask('POST', '', { ...ASK, previous_response_id: first.id });
    expect(second).toMatchObject({ status: 200, body: { previous_response_id: first.id } });
    const third = { ...ASK, previous_response_id: (second.body as { id: string }).id };
    expect((await ask('POST', '', third)).status).toBe(200);
    for (const input of [undefined, []]) {
      expect((await ask('POST', '', { ...third, input })).status).toBe(200);
    }
    const counted = await ask('POST', '/input_tokens', third);
    const answered = await ask('POST', '', third);
    expect(answered.body).toMatchObject({
      usage: { input_tokens: (counted.body as { input_tokens: number }).input_tokens },
    });
    const reference = { type: 'item_reference', id: first.output[0]!.id };
    expect(
      (await ask('POST', '', { ...ASK, input: [reference, { role: 'user', content: 'x' }] })).status,
    ).toBe(200);
    const unknown = { type: 'item_reference', id: first.output[0]!.id.replace(/.$/, 'x') };
    for (const [references, param, message] of [
      [[reference, reference], 'input[1].id', `Duplicate item with id '${reference.id}'.`],
      [[reference, unknown, unknown], 'input[1].id', `Item with id '${unknown.id}' not found.`],
    ]) {
      expect(await ask('POST', '', { ...ASK, input: references })).toMatchObject({
        status: 400,
        body: { error: { param, message } },
      });
    }
    await ask('DELETE', `/${first.id}`);
    expect(await ask('POST', '', third)).toMatchObject({
      status: 400,
      body: {
        error: {
          message: `Previous response with id '${first.id}' not found.`,
          param: 'previous_response_id',
          code: 'previous_response_not_found',
        },
      },
    });
  });

  it('reads no more for a small request than a request may hold', async () => {
    const asked = { ...ASK, input: 'x'.repeat(400), instructions: 'Be brief. '.repeat(50) };
    const first = (await ask('POST', '', asked)).body as { id: string; output: { id: string }[] };
    const { BODY_LIMIT } = app.settings;
    app.settings.BODY_LIMIT = 400;
    // Only the item counts of the response that made it.
    const small = { type: 'item_reference', id: first.output[0]!.id };
    expect((await ask('POST', '', { ...ASK, input: [small] })).status).toBe(200);
    for (const [fields, param] of [
      [{ input: [{ type: 'item_reference', id: `in_${first.id.slice(5)}0` }] }, 'input'],
      [{ input: 'x', previous_response_id: first.id }, 'previous_response_id'],
    ] as const) {
      expect(await ask('POST', '', { ...ASK, ...fields })).toMatchObject({
        status: 413,
        body: { error: { code: 'payload_too_large', param } },
      });
    }
    app.settings.BODY_LIMIT = BODY_LIMIT;
  });

  it('names its own field where the conversation is too long', async () => {
    const { status, body } = await ask('POST', '', { ...ASK, input: ' word'.repeat(1_100_000) });
    expect([status, body]).toMatchObject([
      400,
      { error: { param: 'input', code: 'context_length_exceeded' } },
    ]);
  });

  it('refuses a WebSocket at once', async () => {
    const refusal = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${API_KEY}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      };
      get(`${app.origin}/v1/responses`, { headers }, resolve).on('error', reject);
    });
    refusal.resume();
    expect([refusal.statusCode, refusal.headers['x-gateway-reason']]).toEqual([426, 'upgrade_required']);
    expect(refusal.headers.upgrade).toBe('HTTP/1.1');
  });

  it.each(['GET', 'HEAD', 'PUT'])('takes no %s, and names the method that it takes', async (method) => {
    const { status, headers } = await app.ask(method, '/v1/responses');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('lowers a limit that the model cannot reach, and says so', async () => {
    const { status, body } = await app.ask('POST', '/v1/responses', {
      body: { ...ASK, max_output_tokens: 70_000 },
    });
    expect([status, body]).toEqual([200, expect.objectContaining({ max_output_tokens: 65_536 })]);
  });

  it('repeats the request in its answer, defaults filled in', async () => {
    const { body } = await app.ask('POST', '/v1/responses', { body: ASK });
    expect(body).toEqual({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      object: 'response',
      created_at: expect.any(Number),
      completed_at: expect.any(Number),
      status: 'completed',
      background: false,
      error: null,
      frequency_penalty: 0,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      metadata: {},
      model: 'svc-max',
      output: [expect.objectContaining({ type: 'message' })],
      parallel_tool_calls: true,
      presence_penalty: 0,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: null, summary: null },
      safety_identifier: null,
      service_tier: 'default',
      store: true,
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_logprobs: 0,
      top_p: 1,
      truncation: 'disabled',
      user: null,
      usage: {
        input_tokens: expect.any(Number),
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: expect.any(Number),
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: expect.any(Number),
      },
    });
  });

  it('streams where the request says so', async () => {
    const { status, headers, text } = await app.ask('POST', '/v1/responses', {
      body: { ...ASK, stream: true },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(text).toMatch(
      /^: heartbeat\n\nevent: response\.created\n[^]*event: response\.completed\n[^]*\n\n$/,
    );
  });
});
