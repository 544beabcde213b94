import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, resets } from '../support/upstream/openai-stub-plans.js';

/*
 * Whole streams of the Responses format. The rules are those of
 * [R] https://platform.openai.com/docs/api-reference/responses-streaming (names, members and order of the events)
 * [G] https://platform.openai.com/docs/guides/streaming-responses (which events there are of which kind of answer)
 * [O] https://github.com/openai/openai-openapi, schemas Response, ResponseStreamEvent and OutputItem (fields, states)
 * [C] https://platform.openai.com/docs/guides/function-calling#custom-tools (calls of custom tools)
 */

type Event = readonly [type: string, members: object];

const UNIQUE = '0'.repeat(32);
const ASK = { model: 'svc-max', input: 'Hi', stream: true };
const USAGE = {
  prompt_tokens: 30,
  completion_tokens: 20,
  prompt_tokens_details: { cached_tokens: 10 },
  completion_tokens_details: { reasoning_tokens: 5 },
};
const READ = {
  type: 'function',
  name: 'read',
  parameters: { type: 'object' },
  description: null,
  strict: null,
};
const PATCH = { type: 'custom', name: 'patch' };
const SCHEMA = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] };
const FORMAT = { type: 'json_schema', name: 'answer', strict: true, schema: SCHEMA, description: null };

/** A response repeats its request, defaults filled in, and is whole in each event that carries it [O]. */
function response(asked: object, state: Readonly<Record<string, unknown>>): object {
  return {
    id: `resp_${UNIQUE}`,
    object: 'response',
    created_at: 1,
    completed_at: state.status === 'completed' ? 1 : null,
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
    background: false,
    frequency_penalty: 0,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model: 'svc-max',
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
    ...asked,
    ...state,
  };
}

/** An event is named by the type of its data, and numbered from 0 on [R]. */
function stream(events: readonly Event[]): string {
  return events
    .map(([name, members], sequence_number) => {
      const type = name === 'error' ? name : `response.${name}`;
      return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...members })}\n\n`;
    })
    .join('');
}

const textPart = (text: string): object => ({ type: 'output_text', annotations: [], logprobs: [], text });
const messageOf = (index: number, status: string, content: readonly object[]): object => ({
  id: `msg_${UNIQUE}${index}`,
  type: 'message',
  status,
  role: 'assistant',
  content,
});
const reasoningOf = (index: number, members: object): object => ({
  id: `rs_${UNIQUE}${index}`,
  type: 'reasoning',
  status: 'completed',
  ...members,
});

const added = (index: number, item: object): Event => ['output_item.added', { output_index: index, item }];
const done = (index: number, item: object): Event => ['output_item.done', { output_index: index, item }];

/** An item and its part are added empty, grow by deltas, and are done from the inside out [R]. */
function text(index: number, pieces: readonly string[], status = 'completed', isDone = true): Event[] {
  const at = { item_id: `msg_${UNIQUE}${index}`, output_index: index, content_index: 0 };
  const whole = pieces.join('');
  return [
    added(index, messageOf(index, 'in_progress', [])),
    ['content_part.added', { ...at, part: textPart('') }],
    ...pieces.map((delta): Event => ['output_text.delta', { ...at, delta, logprobs: [] }]),
    ...(isDone
      ? ([
          ['output_text.done', { ...at, text: whole, logprobs: [] }],
          ['content_part.done', { ...at, part: textPart(whole) }],
          done(index, messageOf(index, status, [textPart(whole)])),
        ] satisfies Event[])
      : []),
  ];
}

/** Reasoning is shown as a summary where one was asked for [G]. */
function summary(index: number, ...pieces: readonly string[]): Event[] {
  const at = { item_id: `rs_${UNIQUE}${index}`, output_index: index, summary_index: 0 };
  const part = (whole: string): object => ({ type: 'summary_text', text: whole });
  const whole = pieces.join('');
  return [
    added(index, reasoningOf(index, { status: 'in_progress', summary: [] })),
    ['reasoning_summary_part.added', { ...at, part: part('') }],
    ...pieces.map((delta): Event => ['reasoning_summary_text.delta', { ...at, delta }]),
    ['reasoning_summary_text.done', { ...at, text: whole }],
    ['reasoning_summary_part.done', { ...at, part: part(whole) }],
    done(index, reasoningOf(index, { summary: [part(whole)] })),
  ];
}

/** Otherwise as the text that it is, which models with open reasoning have in this format [O]. */
function reasoning(index: number, ...pieces: readonly string[]): Event[] {
  const at = { item_id: `rs_${UNIQUE}${index}`, output_index: index, content_index: 0 };
  const part = (whole: string): object => ({ type: 'reasoning_text', text: whole });
  const whole = pieces.join('');
  return [
    added(index, reasoningOf(index, { status: 'in_progress', summary: [], content: [] })),
    ['content_part.added', { ...at, part: part('') }],
    ...pieces.map((delta): Event => ['reasoning_text.delta', { ...at, delta }]),
    ['reasoning_text.done', { ...at, text: whole }],
    ['content_part.done', { ...at, part: part(whole) }],
    done(index, reasoningOf(index, { summary: [], content: [part(whole)] })),
  ];
}

const callOf = (index: number, status: string, callId: string, json: string): object => ({
  id: `fc_${UNIQUE}${index}`,
  type: 'function_call',
  status,
  call_id: callId,
  name: 'read',
  arguments: json,
});

/** The beginning of a call: its item without arguments, then these piece by piece [R]. */
function begunCall(index: number, callId: string, ...pieces: readonly string[]): Event[] {
  const at = { item_id: `fc_${UNIQUE}${index}`, output_index: index };
  return [
    added(index, callOf(index, 'in_progress', callId, '')),
    ...pieces.map((delta): Event => ['function_call_arguments.delta', { ...at, delta }]),
  ];
}

function endOfCall(index: number, callId: string, json: string): Event[] {
  const at = { item_id: `fc_${UNIQUE}${index}`, output_index: index };
  return [
    ['function_call_arguments.done', { ...at, name: 'read', arguments: json }],
    done(index, callOf(index, 'completed', callId, json)),
  ];
}

/** A custom tool takes a text, not JSON [C]. */
function customCall(index: number, callId: string, input: string): Event[] {
  const at = { item_id: `ctc_${UNIQUE}${index}`, output_index: index };
  const item = (status: string, written: string): object => ({
    id: at.item_id,
    type: 'custom_tool_call',
    status,
    call_id: callId,
    name: 'patch',
    input: written,
  });
  return [
    added(index, item('in_progress', '')),
    ['custom_tool_call_input.delta', { ...at, delta: input }],
    ['custom_tool_call_input.done', { ...at, input }],
    done(index, item('completed', input)),
  ];
}

/** A refusal is a part of its own kind in a message [O]. */
function refusal(index: number, words: string): Event[] {
  const at = { item_id: `msg_${UNIQUE}${index}`, output_index: index, content_index: 0 };
  const part = (whole: string): object => ({ type: 'refusal', refusal: whole });
  return [
    added(index, messageOf(index, 'in_progress', [])),
    ['content_part.added', { ...at, part: part('') }],
    ['refusal.delta', { ...at, delta: words }],
    ['refusal.done', { ...at, refusal: words }],
    ['content_part.done', { ...at, part: part(words) }],
    done(index, messageOf(index, 'completed', [part(words)])),
  ];
}

/** The items of the finished response are those of its `output_item.done` events [R]. */
function outputOf(events: readonly Event[]): unknown[] {
  return events
    .filter(([type]) => type === 'output_item.done')
    .map(([, members]) => members as { readonly output_index: number; readonly item: object })
    .toSorted((a, b) => a.output_index - b.output_index)
    .map(({ item }) => item);
}

/** Both begin the stream, the response without output [R]. */
function started(asked: object): Event[] {
  const state = { response: response(asked, { status: 'in_progress' }) };
  return [
    ['created', state],
    ['in_progress', state],
  ];
}

/** The last event: its name is the state of the response [R], whose counts are the upstream's [O]. */
function ended(asked: object, items: readonly Event[], state: object = { status: 'completed' }): Event {
  const usage = {
    input_tokens: 30,
    input_tokens_details: { cached_tokens: 10, cache_write_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 50,
  };
  const whole = response(asked, { output: outputOf(items), usage, ...state });
  return [(whole as { status: string }).status, { response: whole }];
}

const call = (id: string, name: string, ...args: string[]) => ({ id, name, arguments: args });

describe('streams of responses', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start({ RETRY_MAX_ATTEMPTS: 1 });
  });

  afterAll(() => gateway.close());

  async function ask(fields: object, plan: StubPlan) {
    gateway.stub.answerNextWith(plan);
    const answered = await gateway.complete({ ...ASK, ...fields }, {}, '/v1/responses');
    const [, unique = ''] = /"id":"resp_([0-9a-f]{32})"/.exec(answered.text) ?? [];
    const known = answered.text
      .replaceAll(unique, UNIQUE)
      .replaceAll(/"(created|completed)_at":\d{10}\b/g, '"$1_at":1');
    return { ...answered, text: known.replace(/^: heartbeat\n\n/, '') };
  }

  it.each<[string, object, StubPlan, readonly Event[]]>([
    ['text', {}, answer({ pieces: ['Hel', 'lo "you"\n'], usage: USAGE }), text(0, ['Hel', 'lo "you"\n'])],
    [
      'reasoning as a summary, then text',
      { reasoning: { effort: null, summary: 'auto' } },
      answer({ reasoning: ['Let me', ' see.'], pieces: ['Yes.'], usage: USAGE }),
      [...summary(0, 'Let me', ' see.'), ...text(1, ['Yes.'])],
    ],
    [
      'reasoning as it is, then text',
      {},
      answer({ reasoning: ['Let me', ' see.'], pieces: ['Yes.'], usage: USAGE }),
      [...reasoning(0, 'Let me', ' see.'), ...text(1, ['Yes.'])],
    ],
    [
      // A value is checked before it is passed on, so it comes whole (decision 36).
      'text, then a call of a function',
      { tools: [READ] },
      answer({ pieces: ['I look.'], toolCalls: [call('c1', 'read', '{"path":', '"a.txt"}')], usage: USAGE }),
      [
        ...text(0, ['I look.']),
        ...begunCall(1, 'c1', '{"path":"a.txt"}'),
        ...endOfCall(1, 'c1', '{"path":"a.txt"}'),
      ],
    ],
    [
      // Clients run a tool when its item is done, so all are done at the very end (decisions 67 and 413).
      'several calls',
      { tools: [READ] },
      answer({
        pieces: [],
        toolCalls: [call('c1', 'read', '{"path":"a"}'), call('c2', 'read', '{}')],
        usage: USAGE,
      }),
      [
        ...begunCall(0, 'c1', '{"path":"a"}'),
        ...endOfCall(0, 'c1', '{"path":"a"}'),
        ...begunCall(1, 'c2', '{}'),
        ...endOfCall(1, 'c2', '{}'),
      ],
    ],
    [
      'a call of a custom tool',
      { tools: [PATCH] },
      answer({
        pieces: [],
        toolCalls: [call('c1', 'patch', '{"input":"*** Begin', '\\n\\"x\\""}')],
        usage: USAGE,
      }),
      customCall(0, 'c1', '*** Begin\n"x"'),
    ],
    [
      'a refusal to give what a schema asks for',
      { text: { format: FORMAT } },
      answer({ pieces: ["I'm sorry, but I can't help with that."], usage: USAGE }),
      refusal(0, "I'm sorry, but I can't help with that."),
    ],
    // Every response has an item of output that clients can read a text from [G].
    ['no answer at all', {}, answer({ pieces: [], usage: USAGE }), text(0, [''])],
  ])('%s', async (_what, fields, plan, items) => {
    const answered = await ask(fields, plan);
    expect([answered.status, answered.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(answered.text).toBe(stream([...started(fields), ...items, ended(fields, items)]));
  });

  it('encrypted reasoning, which Codex asks for: carried by the item to the next request', async () => {
    const fields = { store: false, reasoning: { effort: null, summary: 'auto' } };
    const include = ['reasoning.encrypted_content'];
    const plan = answer({ reasoning: ['Hm.'], pieces: ['Yes.'], usage: USAGE });
    const items = [...summary(0, 'Hm.'), ...text(1, ['Yes.'])];
    const { text: received } = await ask({ ...fields, include }, plan);
    const carried = btoa('gateway: Hm.');
    const parts = received.split(`,"encrypted_content":"${carried}"`);
    // In the item once it is done, and in the response.
    expect(parts).toHaveLength(3);
    expect(parts.join('')).toBe(stream([...started(fields), ...items, ended(fields, items)]));
    const given = (encrypted_content: unknown): object[] => [
      { ...reasoningOf(0, { summary: [] }), encrypted_content },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Hi' },
    ];
    for (const content of [null, carried]) {
      expect((await ask({ ...fields, include, input: given(content) }, plan)).status).toBe(200);
    }
    const sent = gateway.stub.requests.slice(-2).map(({ body }) => (body.messages as object[])[0]);
    const said = { role: 'assistant', content: 'Yes.' };
    expect(sent).toEqual([said, { ...said, reasoning_content: 'Hm.' }]);
  });

  it('an answer that the upstream cut at its limit: incomplete, and so is its last item [O]', async () => {
    const { text: received } = await ask(
      {},
      answer({ pieces: ['One two'], finishReason: 'length', usage: USAGE }),
    );
    const items = text(0, ['One two'], 'incomplete');
    const state = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(received).toBe(stream([...started({}), ...items, ended({}, items, state)]));
  });

  it('an answer that failed: what it said so far, and nothing is done [R]', async () => {
    const answered = await ask({ tools: [READ] }, resets(1));
    const output = [messageOf(0, 'incomplete', [textPart('0 ')])];
    const error = {
      code: 'server_error',
      message: 'Internal server error: the upstream cut its answer off.',
    };
    const failed = response({ tools: [READ] }, { status: 'failed', error, output });
    const told = { ...error, param: null };
    expect(answered.text).toBe(
      stream([
        ...started({ tools: [READ] }),
        ...text(0, ['0 '], '', false),
        ['error', { ...told, error: { type: 'server_error', ...told } }],
        ['failed', { response: failed }],
      ]),
    );
  });
});
