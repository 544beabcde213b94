import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI, { APIError, BadRequestError, NotFoundError, RateLimitError } from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { READ_FILE } from '../support/gateway/agent-workspace.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, rateLimited, resets } from '../support/upstream/openai-stub-plans.js';

const read = { type: 'function', strict: true, ...READ_FILE } as const;
const callsRead: StubPlan = answer({
  pieces: ['I read.'],
  toolCalls: [{ id: 'c1', name: 'read_file', arguments: ['{"path"', ':"a"}'] }],
});

/** The official client, unmodified. */
describe('responses with openai', () => {
  let gateway: StubGateway;
  let client: OpenAI;

  beforeAll(async () => {
    gateway = await StubGateway.start({ RETRY_MAX_ATTEMPTS: 1 });
    client = new OpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: 'none', maxRetries: 0 });
  });

  afterAll(() => gateway.close());

  it('creates a response', async () => {
    gateway.stub.answerNextWith(answer({ reasoning: ['Hm'], pieces: ['Hel', 'lo'] }));
    const response = await client.responses.create({
      model: 'svc-max',
      instructions: 'Be brief.',
      input: 'Hi',
      reasoning: { summary: 'auto' },
    });
    expect([response.status, response.output_text]).toEqual(['completed', 'Hello']);
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(gateway.stub.requests.at(-1)!.body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
  });

  it('streams text and reasoning', async () => {
    gateway.stub.answerNextWith(answer({ reasoning: ['Hm', '!'], pieces: ['Hel', 'lo'] }));
    const seen: string[] = [];
    const stream = client.responses
      .stream({ model: 'svc-max', input: 'Hi', reasoning: { summary: 'auto' } })
      .on('response.output_text.delta', ({ delta }) => seen.push(delta))
      .on('response.reasoning_summary_text.delta', ({ delta }) => seen.push(`(${delta})`));
    const response = await stream.finalResponse();
    expect(seen.join('')).toBe('(Hm)(!)Hello');
    expect([response.status, response.output_text]).toEqual(['completed', 'Hello']);
  });

  it('runs a loop of tools, the results sent back with the items before', async () => {
    gateway.stub.answerNextWith(callsRead);
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Read a.' }];
    const first = await client.responses
      .stream({ model: 'svc-max', input, tools: [read], store: false })
      .finalResponse();
    const call = first.output.find((item) => item.type === 'function_call')!;
    expect(call).toMatchObject({ name: 'read_file', arguments: '{"path":"a"}', status: 'completed' });
    gateway.stub.answerNextWith(answer({ pieces: ['Done.'] }));
    const second = await client.responses.create({
      model: 'svc-max',
      input: [
        ...input,
        ...(first.output as OpenAI.Responses.ResponseInputItem[]),
        { type: 'function_call_output', call_id: call.call_id, output: 'A' },
      ],
      tools: [read],
    });
    expect(second.output_text).toBe('Done.');
    expect(gateway.stub.requests.at(-1)!.body.messages?.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'I read.',
        tool_calls: [
          {
            id: call.call_id,
            type: 'function',
            function: { name: 'read_file', arguments: '{"path":"a"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: call.call_id, content: 'A' },
    ]);
  });

  it('runs the same loop by the id of the response before', async () => {
    gateway.stub.answerNextWith(callsRead);
    const first = await client.responses.create({ model: 'svc-max', input: 'Read a.', tools: [read] });
    const call = first.output.find((item) => item.type === 'function_call')!;
    gateway.stub.answerNextWith(answer({ pieces: ['Done.'] }));
    const second = await client.responses.create({
      model: 'svc-max',
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'A' }],
      tools: [read],
    });
    expect([second.output_text, second.previous_response_id]).toEqual(['Done.', first.id]);
    const { input_tokens: tokens } = await client.responses.inputTokens.count({
      model: 'svc-max',
      previous_response_id: second.id,
      tools: [read],
    });
    expect(tokens).toBeGreaterThan(second.usage?.input_tokens ?? Infinity);
    const messages = gateway.stub.requests.at(-1)!.body.messages;
    expect(messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('compacts a conversation and goes on from what is left of it', async () => {
    gateway.stub.answerNextWith(answer({ reasoning: ['Hm'], pieces: ['It was ', 'blue.'] }));
    const compacted = await client.responses.compact({
      model: 'svc-max',
      input: [
        { role: 'user', content: 'What colour?' },
        { role: 'assistant', content: 'Blue, as I saw.' },
      ],
    });
    expect(compacted.output.map(({ type }) => type)).toEqual(['message', 'compaction']);
    gateway.stub.answerNextWith(answer({ pieces: ['Still blue.'] }));
    const input = [...compacted.output, { role: 'user', content: 'And now?' }];
    const next = await client.responses.create({
      model: 'svc-max',
      input: input as OpenAI.Responses.ResponseInput,
    });
    expect(next.output_text).toBe('Still blue.');
    expect(gateway.stub.requests.at(-1)!.body.messages).toEqual([
      { role: 'user', content: 'What colour?' },
      { role: 'user', content: 'Summary of the conversation so far:\n\nIt was blue.' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('parses structured output with zod', async () => {
    gateway.stub.answerNextWith(answer({ pieces: ['{"city":', '"Bern"}'] }));
    const schema = z.object({ city: z.string() });
    const response = await client.responses.parse({
      model: 'svc-max',
      input: 'Where?',
      text: { format: zodTextFormat(schema, 'place') },
    });
    expect(response.output_parsed).toEqual({ city: 'Bern' });
    expect(gateway.stub.requests.at(-1)!.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'place', strict: true, schema: { type: 'object' } },
    });
  });

  it('retrieves, lists and deletes', async () => {
    gateway.stub.answerNextWith(answer({ pieces: ['Hello'] }));
    const { id } = await client.responses.create({ model: 'svc-max', input: 'Hi', metadata: { a: 'b' } });
    expect(await client.responses.retrieve(id)).toMatchObject({ output_text: 'Hello', metadata: { a: 'b' } });
    const items: object[] = [];
    for await (const item of client.responses.inputItems.list(id)) {
      items.push(item);
    }
    expect(items).toMatchObject([{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }]);
    await client.responses.delete(id);
    await expect(client.responses.retrieve(id)).rejects.toBeInstanceOf(NotFoundError);
  });

  it('is answered in the background, polled', async () => {
    gateway.stub.answerNextWith(answer({ pieces: ['Hel', 'lo'], intervalMs: 5 }));
    let response = await client.responses.create({ model: 'svc-max', input: 'Hi', background: true });
    expect([response.status, response.background]).toEqual(['queued', true]);
    while (response.status === 'queued' || response.status === 'in_progress') {
      response = await client.responses.retrieve(response.id);
    }
    expect([response.status, response.output_text]).toEqual(['completed', 'Hello']);
  });

  it('is answered in the background, its stream taken up again after a break', async () => {
    gateway.stub.answerNextWith(answer({ pieces: 20, intervalMs: 2 }));
    const begun = await client.responses.create({
      model: 'svc-max',
      input: 'Hi',
      background: true,
      stream: true,
    });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of begun) {
      events.push(event);
      if (events.length === 8) {
        break;
      }
    }
    const { id } = (events[0] as OpenAI.Responses.ResponseCreatedEvent).response;
    const rest = await client.responses.retrieve(id, {
      stream: true,
      starting_after: events.at(-1)!.sequence_number,
    });
    for await (const event of rest) {
      events.push(event);
    }
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)).toMatchObject({ type: 'response.completed' });
    const replayed = await client.responses.stream({ response_id: id, starting_after: 3 }).finalResponse();
    expect(replayed.output_text).toBe(Array.from({ length: 20 }, (_, index) => `${index} `).join(''));
  });

  it('throws the typed errors', async () => {
    await expect(client.responses.create({ model: 'svc-max', input: [] })).rejects.toMatchObject({
      constructor: BadRequestError,
      param: 'input',
    });
    await expect(client.responses.create({ model: 'nobody', input: 'Hi' })).rejects.toMatchObject({
      constructor: NotFoundError,
      code: 'model_not_found',
    });
    gateway.stub.answerNextWith(resets(1));
    await expect(
      client.responses.stream({ model: 'svc-max', input: 'Hi' }).finalResponse(),
    ).rejects.toMatchObject({
      constructor: APIError,
      code: 'server_error',
      message: 'Internal server error: the upstream cut its answer off.',
    });
    gateway.stub.answerNextWith(rateLimited({ retryAfter: '1' }));
    const limited = client.responses.create({ model: 'svc-max', input: 'Hi' });
    await expect(limited).rejects.toBeInstanceOf(RateLimitError);
    await expect(limited).rejects.toBeInstanceOf(APIError);
    await expect(limited).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });
});
