import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed, rateLimited } from '../support/upstream/openai-stub-plans.js';
import { PATIENCE_MS } from '../support/watch/eventually.js';

const HEARTBEAT = ': heartbeat\n\n';
const TOOLS = [{ type: 'function', function: { name: 'write', parameters: { type: 'object' } } }];

describe('a caller that asks as it likes', () => {
  let gateway: StubGateway;

  beforeEach(async () => {
    gateway = await StubGateway.start();
    gateway.stub.answerWith(answer({ pieces: [' one', ' two', ' three'] }));
  });

  afterEach(() => gateway.close());

  it.each([
    ['a browser or curl', { 'user-agent': 'curl/8.5.0', accept: '*/*' }, 'text/event-stream'],
    ['an SDK', { 'x-stainless-lang': 'js', accept: 'application/json' }, 'application/json'],
    ['the AI SDK', { 'user-agent': 'ai/7.0.173', accept: '*/*' }, 'application/json'],
    ['whoever accepts JSON only', { accept: 'application/json' }, 'application/json'],
  ])('without `stream`, as %s', async (_who, headers, type) => {
    const answered = await gateway.complete(ASK, { headers });
    expect([answered.status, answered.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    const streamed = await gateway.complete({ ...ASK, stream: true }, { headers });
    expect(streamed.text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('without `max_tokens`, is cut by its model alone if it has tools', async () => {
    await gateway.complete({ ...ASK, stream: false });
    await gateway.complete({ ...ASK, stream: false, tools: TOOLS });
    // What the gateway but assumes of a model is for the model to say.
    expect(gateway.stub.requests.map(({ body }) => body.max_tokens)).toEqual([1000, undefined]);
    gateway.settings.models = { own: { contextWindow: 9000, maxOutputTokens: 900, thinking: true } };
    await gateway.complete({ ...ASK, model: 'own', stream: false, tools: TOOLS });
    expect(gateway.stub.requests[2]?.body.max_tokens).toBe(900);
  });

  it('reaches the upstream with all that it asks for, and with no sampling of the gateway', async () => {
    const cached = {
      prompt_cache_key: 'k',
      prompt_cache_options: { mode: 'explicit' },
      prompt_cache_retention: '24h',
    };
    const asked = { reasoning_effort: 'low', top_k: 5, ...cached, temperature: 0 };
    await gateway.complete({ ...ASK, ...asked });
    await gateway.complete({ ...ASK, chat_template_kwargs: { enable_thinking: false } });
    const [whole, silent] = gateway.stub.requests.map(({ body }) => body);
    expect(whole).toMatchObject(asked);
    expect(whole).not.toHaveProperty('top_p');
    expect(silent).toMatchObject({
      reasoning_effort: 'none',
      chat_template_kwargs: { enable_thinking: false },
    });
  });

  it.each([
    [{ reasoning: { effort: 'low' } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 3000 } }, 'medium'],
  ])('has the effort of %j reach the upstream', async (fields, effort) => {
    await gateway.complete({ ...ASK, ...fields });
    expect(gateway.stub.requests[0]?.body).toMatchObject({ reasoning_effort: effort });
    expect(gateway.stub.requests[0]?.body).not.toHaveProperty(Object.keys(fields)[0]!);
  });

  it('reaches the upstream over /v1/responses as well, and without what it refuses', async () => {
    const shared = {
      prompt_cache_key: 'conversation-7',
      prompt_cache_options: { ttl: '30m' },
      prompt_cache_retention: '24h',
      safety_identifier: 'user-7',
      service_tier: 'flex',
    };
    const message = 'Unsupported parameter: prompt_cache_retention';
    gateway.stub.answerNextWith(failed(400, { message }));
    const { status } = await gateway.complete(
      {
        ...{ model: 'svc-max', input: 'Hi', user: 'ann', metadata: { run: '1' }, store: false },
        ...{ ...shared, text: { verbosity: 'low' }, reasoning: { effort: 'minimal', summary: 'auto' } },
      },
      {},
      '/v1/responses',
    );
    const [first, second] = gateway.stub.requests.map(({ body }) => body);
    const rest = {
      model: 'svc-max',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
    };
    const sent = { ...rest, ...shared, verbosity: 'low', reasoning_effort: 'minimal' };
    // An entry that is undefined counts as missing.
    expect([status, first, second]).toEqual([200, sent, { ...sent, prompt_cache_retention: undefined }]);
  });

  it('has a model that does not reason asked again without the effort', async () => {
    const message = '"m" does not support thinking';
    gateway.stub.answerNextWith(failed(400, { message }));
    const thinking = { type: 'enabled', budget_tokens: 2000 };
    const asked = { ...ASK, max_tokens: 9, thinking };
    expect((await gateway.complete(asked, {}, '/v1/messages')).status).toBe(200);
    expect(gateway.stub.requests.map(({ body }) => body.reasoning_effort)).toEqual(['low', undefined]);
  });

  it('is understood although it mixes the parts of three formats', async () => {
    const messages = [
      { role: 'user', content: [{ type: 'input_text', text: 'Read it.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 's' },
          { type: 'output_text', text: 'I have.', annotations: [] },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'And?' }] },
    ];
    expect((await gateway.complete({ ...ASK, messages })).status).toBe(200);
    expect(gateway.stub.requests[0]?.body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Read it.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'I have.' }], reasoning_content: 'Hm.' },
      messages[2],
    ]);
  });

  it('is told what to send instead of functions of the old form', async () => {
    const functions = TOOLS.map((tool) => tool.function);
    const { status, text } = await gateway.complete({ ...ASK, functions });
    expect([status, JSON.parse(text)]).toEqual([
      400,
      {
        error: {
          message: 'functions is no longer supported: send the functions as `tools`.',
          type: 'invalid_request_error',
          param: 'functions',
          code: 'invalid_request',
        },
      },
    ]);
    expect(gateway.stub.requests).toEqual([]);
  });

  it('is told what this gateway serves at an unknown path', async () => {
    const response = await fetch(`${gateway.origin}/chat/completions`, { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        error: {
          message:
            'There is nothing at this path. This gateway serves /v1/chat/completions, /v1/completions, /v1/messages, ' +
            '/v1/models, /v1/responses, /v1/usage; a base URL ends in /v1.',
          type: 'invalid_request_error',
          param: null,
          code: 'not_found',
        },
      },
    ]);
  });

  it.each(['/v1/conversations', '/v1/conversations/conv_1/items'])(
    'is told what to do without %s',
    async (path) => {
      const response = await fetch(`${gateway.origin}${path}`, { method: 'POST' });
      const { error } = (await response.json()) as { error: { message: string } };
      expect([response.status, error.message]).toEqual([
        404,
        'There is nothing at this path. Conversations are not kept here: go on from previous_response_id, or let the client keep them.',
      ]);
    },
  );

  it.each([
    ['/V1/v1/chat/completions', 'It has /v1 twice: this client adds it to the base URL by itself.'],
    ['/v1//models', 'It has // in it: this client takes a base URL without a slash at its end.'],
    ['//v1/messages', 'It has // in it: this client takes a base URL without a slash at its end.'],
  ])('is told of a path that its base URL spoils, %s', async (path, hint) => {
    const response = await fetch(`${gateway.origin}${path}`, { method: 'POST' });
    const { error } = (await response.json()) as { error: { message: string } };
    expect([response.status, error.message]).toEqual([404, `There is nothing at this path. ${hint}`]);
  });

  it('is told in the log that a default cut its answer, and only then', async () => {
    gateway.settings.DEFAULT_MAX_TOKENS = 1;
    const cut = await gateway.complete({ ...ASK, stream: false });
    expect(JSON.parse(cut.text)).toMatchObject({ choices: [{ finish_reason: 'length' }] });
    expect(gateway.lastEntry?.notes).toEqual([
      'The answer was cut at 1 tokens, since the request named no limit.',
    ]);
    await gateway.complete({ ...ASK, stream: false, max_tokens: 1 });
    expect(gateway.lastEntry).toMatchObject({ finishReason: 'length' });
    expect(gateway.lastEntry).not.toHaveProperty('notes');
  });

  it.each([true, false])('waits for an account that is back soon, stream: %s', async (stream) => {
    gateway.stub.answerNextWith(rateLimited({ retryAfter: '1' }));
    const answered = await gateway.complete({ ...ASK, stream });
    expect([answered.status, answered.text.includes(' three')]).toEqual([200, true]);
    expect(gateway.lastEntry?.attempts?.map(({ outcome }) => outcome)).toEqual(['rate_limited', 'ok']);
  });

  it('hears heartbeats while it waits', async () => {
    const patient = { WAIT_FOR_COOLDOWN_MS: PATIENCE_MS, POOL_ACQUIRE_TIMEOUT_MS: PATIENCE_MS };
    Object.assign(gateway.settings, { ...patient, HEARTBEAT_AFTER_MS: 20, HEARTBEAT_INTERVAL_MS: 20 });
    gateway.stub.answerNextWith(rateLimited({ retryAfter: String(PATIENCE_MS / 2000) }));
    const { body } = await gateway.post(ASK);
    const [account] = gateway.app.get(AccountRegistry).list();
    let text = '';
    let isWaiting = true;
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      // It waits until the operator ends the cooldown, which is when three heartbeats have come.
      if (isWaiting && text.length >= 3 * HEARTBEAT.length) {
        isWaiting = false;
        await gateway.app.get(AccountCommands).clearCooldown(null, account!.id);
      }
    }
    expect(text.replaceAll(HEARTBEAT, '')).toMatch(/^data: [^]*data: \[DONE\]\n\n$/);
    expect(text.startsWith(HEARTBEAT.repeat(3))).toBe(true);
  });

  it('is refused at once where waiting is switched off', async () => {
    gateway.settings.WAIT_FOR_COOLDOWN_MS = 0;
    gateway.stub.answerNextWith(rateLimited({ retryAfter: '1' }));
    const { status, headers } = await gateway.complete(ASK);
    expect([status, headers.get('x-gateway-reason')]).toEqual([429, 'rate_limited']);
    expect(gateway.stub.requests).toHaveLength(1);
  });
});
