import { afterEach, describe, expect, it } from '@jest/globals';
import { FailureBackoff } from '../../src/common/time/failure-backoff.js';
import { freePort } from '../support/cluster/balancer.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

interface Listed {
  readonly id: string;
  readonly context_window: number;
  readonly max_output_tokens: number;
  readonly modalities: readonly string[];
}

describe('the models of an OpenAI-format upstream', () => {
  let gateway: StubGateway;

  afterEach(() => gateway.close());

  async function start(settings: object = {}): Promise<void> {
    gateway = await StubGateway.start(settings);
    gateway.stub.answerWith(answer());
  }

  async function list(): Promise<readonly Listed[]> {
    const response = await fetch(`${gateway.origin}/v1/models`);
    return ((await response.json()) as { data: readonly Listed[] }).data;
  }

  /** The message of a refusal, in the words of the format. */
  async function refusal(body: object, path?: string): Promise<string> {
    const { status, text } = await gateway.complete({ ...body, stream: false }, {}, path);
    expect(status).toBe(400);
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  }

  it('are listed, answer by their ids, and keep the built-in ids as names', async () => {
    await start();
    gateway.stub.listModels({ id: 'embed' }, { id: 'qwen3', max_model_len: 32_768 });
    // Read at the start already, when there was no list; a minute later it would be read again.
    Object.assign(gateway.upstreamModels, { readAt: undefined });
    const listed = await list();
    // An assumed window would keep agents from shortening their histories.
    expect(listed[0]).not.toHaveProperty('context_length');
    expect(listed[0]).not.toHaveProperty('max_model_len');
    expect(listed).toMatchObject([
      { id: 'embed', context_window: 1_000_000, modalities: ['text'] },
      { id: 'qwen3', context_length: 32_768, max_model_len: 32_768 },
    ]);
    expect(listed).toMatchObject([
      { id: 'embed' },
      { id: 'qwen3', context_window: 32_768, max_output_tokens: 32_768, modalities: ['text'] },
    ]);
    for (const model of ['qwen3', 'svc-max', 'qwen3-no-thinking']) {
      const { status, text } = await gateway.complete({ ...ASK, model, stream: false });
      expect([status, JSON.parse(text)]).toMatchObject([200, { model }]);
    }
    expect(gateway.stub.requests.map(({ body }) => [body.model, body.reasoning_effort])).toEqual([
      ['qwen3', undefined],
      ['qwen3', undefined],
      ['qwen3', 'none'],
    ]);
    expect((await gateway.complete({ ...ASK, model: 'gpt-5' })).status).toBe(404);
  });

  it('are read again where the upstream was away at the start', async () => {
    await start();
    gateway.stub.listModels({ id: 'qwen3' });
    const aMinuteLater = () => Object.assign(gateway.upstreamModels, { readAt: undefined });
    aMinuteLater();
    const shown = await fetch(`${gateway.origin}/dashboard/api/models`);
    expect(await shown.json()).toEqual({ models: ['qwen3'], contextWindows: {}, provider: 'openai' });
    gateway.stub.listModels({ id: 'qwen4' });
    aMinuteLater();
    await eventually(PATIENCE_MS, async () => {
      await gateway.complete(ASK);
      expect(gateway.stub.requests.at(-1)?.body.model).toBe('qwen4');
    });
  });

  it('are read with the next key where one is refused, be it of the configuration or of the dashboard', async () => {
    await start({ UPSTREAM_API_KEYS: 'bad,worse' });
    gateway.stub.listModels({ id: 'qwen3' });
    gateway.stub.denyListTo('bad', 'worse');
    await gateway.upstreamModels.refresh();
    expect(gateway.upstreamModels.list()).toEqual([]);
    const added = await fetch(`${gateway.origin}/dashboard/api/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'mine', credentials: { key: 'good' } }),
    });
    expect(added.status).toBe(201);
    Object.assign(gateway.upstreamModels, { backoff: new FailureBackoff(1000) });
    expect((await list()).map(({ id }) => id)).toEqual(['qwen3']);
  });

  it('are missed in the dashboard where the upstream does not answer', async () => {
    await start({ UPSTREAM_BASE_URL: `http://127.0.0.1:${await freePort()}/v1` });
    const missed = async (): Promise<unknown> =>
      (await fetch(`${gateway.origin}/dashboard/api/status`)).json();
    await eventually(PATIENCE_MS, async () =>
      expect(await missed()).toMatchObject({
        readiness: 'ok',
        upstreamSilence: expect.stringMatching(
          /^Is UPSTREAM_BASE_URL right\? The upstream cannot be reached\./,
        ),
      }),
    );
  });

  it('are waited for where they are asked for before they have been read', async () => {
    const stub = await OpenAiStub.start();
    stub.answerWith(answer());
    const release = stub.holdList();
    stub.listModels({ id: 'qwen3' });
    gateway = await StubGateway.start({ UPSTREAM_BASE_URL: stub.baseUrl });
    try {
      const asked = ['qwen3', 'claude-opus-5-5'].map((model) =>
        gateway.complete({ ...ASK, model, stream: false }),
      );
      // Answered after both have come in.
      await fetch(`${gateway.origin}/health/live`);
      release();
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
      expect(stub.requests.map(({ body }) => body.model)).toEqual(['qwen3', 'qwen3']);
    } finally {
      await stub.close();
    }
  });

  it('are not denied where the upstream does not answer, at any endpoint', async () => {
    await start({ UPSTREAM_BASE_URL: `http://127.0.0.1:${await freePort()}/v1` });
    const asked = { ...ASK, model: 'qwen3', max_tokens: 9 };
    const answers = await Promise.all([
      gateway.complete(asked),
      gateway.complete(asked, {}, '/v1/messages'),
      gateway.complete(asked, {}, '/v1/messages/count_tokens'),
      gateway.complete({ model: 'qwen3', input: 'Hi' }, {}, '/v1/responses'),
    ]);
    for (const { headers, text } of answers) {
      expect([headers.get('x-gateway-reason'), headers.get('retry-after')]).toEqual([
        'upstream_unreachable',
        '2',
      ]);
      expect(text).toContain('its models are not known');
    }
    const { status } = await fetch(`${gateway.origin}/v1/models/qwen3`);
    expect(status).toBe(500);
  });

  it('are UPSTREAM_MODEL alone where that is set', async () => {
    await start({ UPSTREAM_MODEL: 'mine' });
    expect((await list()).map(({ id }) => id)).toEqual(['mine']);
    await gateway.complete({ ...ASK, model: 'mine' });
    expect(gateway.stub.requests[0]?.body.model).toBe('mine');
  });

  it('are asked for answers as long as the caller wants where nobody has stated a limit', async () => {
    await start({ UPSTREAM_MODEL: 'mine' });
    const asked = { ...ASK, model: 'mine', stream: false };
    const tokens = 100_000;
    await gateway.complete({ ...asked, max_tokens: tokens });
    await gateway.complete(
      { model: 'mine', input: 'Hi', max_output_tokens: tokens, stream: false },
      {},
      '/v1/responses',
    );
    expect(gateway.stub.requests.map(({ body }) => body.max_tokens)).toEqual([tokens, tokens]);
    expect(await refusal({ ...asked, max_tokens: 1_000_001 })).toBe(
      'max_tokens must be at most 1000000, the context window of mine.',
    );
    expect(await refusal({ ...asked, model: 'svc-max', max_tokens: tokens })).toBe(
      'max_tokens must be at most 65536, the most that svc-max generates.',
    );
  });

  it('tell the window that the upstream named in a refusal, at every endpoint', async () => {
    await start({ UPSTREAM_MODEL: 'mine' });
    const message =
      "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.";
    gateway.stub.answerWith(failed(400, { message, code: 'context_length_exceeded' }));
    const advice = '(model mine): the prompt is too long. Please reduce the length of the messages.';
    const limit = "This model's maximum context length is 4096 tokens. However,";
    const told = `${limit} your messages resulted in 5000 tokens by estimate ${advice}`;
    const asked = { ...ASK, model: 'mine' };
    expect(await refusal(asked)).toBe(told);
    expect(await refusal({ model: 'mine', input: 'Hi' }, '/v1/responses')).toBe(told);
    expect(await refusal({ ...asked, max_tokens: 9 }, '/v1/messages')).toBe(
      'prompt is too long: 5000 tokens > 4096 maximum',
    );
    expect(await list()).toMatchObject([{ id: 'mine', context_window: 4096 }]);

    gateway.stub.answerWith(failed(400, { message: 'too long', code: 'context_length_exceeded' }));
    expect(await refusal(asked)).toBe(
      `${limit} the input and the answer that is asked for exceed it together ${advice}`,
    );
  });

  it('name no limit where the upstream names none', async () => {
    await start();
    gateway.stub.answerWith(failed(400, { message: 'too long', code: 'context_length_exceeded' }));
    expect(await refusal(ASK)).toBe(
      "The input exceeds this model's maximum context length (model svc-max): the prompt is too long. " +
        'Please reduce the length of the messages.',
    );
  });
});
