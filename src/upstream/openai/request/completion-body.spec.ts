import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type UpstreamRequest } from '../../upstream-driver.js';
import { completionBody, RefusedFields } from './completion-body.js';
import { MessageOrders } from './message-orders.js';

const request: UpstreamRequest = {
  prompt: { messages: [{ role: 'user', content: 'Hi' }], text: 'Hi' },
  model: 'm',
  thinking: true,
  params: { temperature: 0.7, topP: 0.9, maxTokens: 100, stop: [] },
};

const bodyOf = (asking: UpstreamRequest, refused: RefusedFields): unknown =>
  JSON.parse(completionBody(asking, refused, new MessageOrders()));

const body = (change: Partial<UpstreamRequest> = {}, refused = new RefusedFields()): unknown =>
  bodyOf({ ...request, ...change }, refused);

const plain = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0.7,
  top_p: 0.9,
  max_tokens: 100,
};

describe('completionBody', () => {
  it('sends what every server knows', () => {
    expect(body()).toEqual(plain);
  });

  it('sends stop sequences, seed and response format where there are some', () => {
    const params = { ...request.params, stop: ['END'], seed: 7 };
    expect(body({ params, responseFormat: { type: 'json_object' } })).toEqual({
      ...plain,
      stop: ['END'],
      seed: 7,
      response_format: { type: 'json_object' },
    });
  });

  it('sends what the caller asked for beyond that, and leaves sampling to the model where it asked for none', () => {
    const params = { maxTokens: 5, stop: [], further: { reasoning_effort: 'low', top_k: 3 } };
    const { model, messages, stream, stream_options } = plain;
    const rest = { model, messages, stream, stream_options };
    expect(body({ params })).toEqual({ ...rest, max_tokens: 5, reasoning_effort: 'low', top_k: 3 });
    expect(body({ params, thinking: false })).toMatchObject({ reasoning_effort: 'none', top_k: 3 });
    const refused = new RefusedFields();
    expect(refused.learn(request, 'Unknown field: top_k')).toBe(false);
    expect(refused.learn({ ...request, params }, 'Unknown field: top_k')).toBe(true);
    expect(body({ params }, refused)).toEqual({ ...rest, max_tokens: 5, reasoning_effort: 'low' });
  });

  it('asks for no reasoning in both ways that servers know', () => {
    expect(body({ thinking: false })).toEqual({
      ...plain,
      reasoning_effort: 'none',
      chat_template_kwargs: { enable_thinking: false, thinking: false },
    });
    const further = { chat_template_kwargs: { enable_thinking: true, tone: 'dry' } };
    const params = { ...request.params, further };
    expect(body({ params })).toMatchObject(further);
    expect(body({ params, thinking: false })).toMatchObject({
      chat_template_kwargs: { enable_thinking: false, thinking: false, tone: 'dry' },
    });
  });

  it('passes tools on', () => {
    const definitions = [{ type: 'function', function: { name: 'f' } }];
    expect(body({ tools: { definitions, choice: 'auto', parallel: true } })).toEqual({
      ...plain,
      tools: definitions,
      tool_choice: 'auto',
    });
    expect(body({ tools: { definitions, choice: 'required', parallel: false } })).toEqual({
      ...plain,
      tools: definitions,
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
    expect(body({ tools: { definitions: [], choice: 'auto', parallel: true } })).toEqual(plain);
  });

  it('turns a developer message into a system message', () => {
    const messages = [{ role: 'developer', content: 'Be brief.' }];
    expect(body({ prompt: { messages, text: '' } })).toEqual({
      ...plain,
      messages: [{ role: 'system', content: 'Be brief.' }],
    });
  });

  it.each([
    ['cut\ud83d', 'cut\ufffd'],
    ['\udc00\ud83d\n', '\ufffd\ufffd\n'],
    ['\u{1f600} \ud83d\\', '\u{1f600} \ufffd\\'],
    ['\\ud83d is no half', '\\ud83d is no half'],
    ['\\\ud83d', '\\\ufffd'],
  ])('holds no half of a character: %j', (content, sent) => {
    const messages = [{ role: 'user', content }];
    expect(body({ prompt: { messages, text: '' } })).toEqual({
      ...plain,
      messages: [{ role: 'user', content: sent }],
    });
  });

  it('holds the whole characters of any text', () => {
    const unit = fc.constantFrom('\\', 'u', 'd83d', '"', '\n', '\ud83d', '\ude00', 'a');
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const content = units.join('');
        const messages = [{ role: 'user', content }];
        expect(body({ prompt: { messages, text: '' } })).toMatchObject({
          messages: [{ role: 'user', content: content.toWellFormed() }],
        });
      }),
    );
  });

  it('leaves out what the model has refused', () => {
    const refused = new RefusedFields();
    expect(refused.learn(request, 'Unrecognized request argument supplied: chat_template_kwargs')).toBe(true);
    expect(
      refused.learn(request, "Unsupported value: 'temperature' does not support 0.7 with this model."),
    ).toBe(true);
    expect(body({ thinking: false }, refused)).toEqual({
      ...plain,
      temperature: undefined,
      reasoning_effort: 'none',
    });
    expect(body({ thinking: false, model: 'other' }, refused)).toEqual({
      ...plain,
      model: 'other',
      reasoning_effort: 'none',
      chat_template_kwargs: { enable_thinking: false, thinking: false },
    });
  });

  it('leaves a refused response format out of that request alone', () => {
    const refused = new RefusedFields();
    const asking = { ...request, responseFormat: { type: 'json_object' } };
    const text = "'response_format' of type 'json_object' is not supported with tools.";
    expect(refused.learn(asking, text)).toBe(true);
    expect(bodyOf(asking, refused)).toEqual(plain);
    expect(body({ responseFormat: { type: 'json_object' } }, refused)).toEqual({
      ...plain,
      response_format: { type: 'json_object' },
    });
    expect(refused.learn(asking, text)).toBe(false);
  });

  it.each([
    "Unsupported parameter: 'stop' is not supported with this model.; invalid_request_error; stop",
    'Argument not supported on this model: stop',
  ])('leaves stop sequences to the gateway: %s', (text) => {
    const refused = new RefusedFields();
    const asking = { ...request, params: { ...request.params, stop: ['END'] } };
    expect(refused.learn(asking, text)).toBe(true);
    expect(bodyOf(asking, refused)).toEqual(plain);
  });

  it('signs the calls of the history for a model that asks for it', () => {
    const refused = new RefusedFields();
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
    ];
    const asking = { ...request, prompt: { messages, text: '' } };
    const text = '400; INVALID_ARGUMENT; Function call is missing a thought_signature in functionCall parts.';
    expect(refused.learn(asking, `Bad text: '${text}'`)).toBe(false);
    expect(refused.learn(asking, text)).toBe(true);
    const google = { thought_signature: 'skip_thought_signature_validator' };
    expect(bodyOf(asking, refused)).toEqual({
      ...plain,
      messages: [
        messages[0],
        { role: 'assistant', content: null, tool_calls: [{ ...call, extra_content: { google } }] },
      ],
    });
    expect(refused.learn(asking, text)).toBe(false);
  });

  it('uses the newer name of the limit for models that require it', () => {
    const refused = new RefusedFields();
    const text = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
    expect(refused.learn(request, text)).toBe(true);
    expect(body({}, refused)).toEqual({ ...plain, max_tokens: undefined, max_completion_tokens: 100 });
  });
});

describe('RefusedFields', () => {
  it.each([
    ['a value out of range', 'temperature must be at most 1.5'],
    ['a field that was not ours', 'Unrecognized request argument supplied: tools'],
    [
      'a schema that one caller asked for',
      "Invalid schema for response_format 'x': In context=('properties', 'a'), 'oneOf' is not permitted.",
    ],
    ['a schema that it quotes', 'Unrecognized schema: {"type":"numbr","title":"temperature"}'],
    ['a tool of one caller', "'temperature' is not permitted; invalid_value; tools[0].function.parameters"],
    ['a message of one caller', 'extra_forbidden; not permitted; body; messages; 0; seed'],
    ['a field whose name is only part of a word', 'unknown: stream_options_x'],
    ['nothing', ''],
  ])('learns nothing from %s', (_what, text) => {
    expect(new RefusedFields().learn(request, text)).toBe(false);
  });

  it.each<[string, Partial<UpstreamRequest['params']>, string]>([
    [
      'the value of a field',
      { further: { service_tier: 'unsupported temperature top_p stream_options' } },
      "Invalid value: 'unsupported temperature top_p stream_options'. Supported values are: 'auto'.",
    ],
    [
      'the complaint alone',
      { further: { service_tier: 'unsupported' } },
      "Invalid value: 'unsupported'. Supported values are: 'auto'; service_tier",
    ],
    [
      'the complaint within a word',
      { further: { service_tier: 'unsupported_tier' } },
      "Invalid value: 'unsupported_tier'. Supported values are: 'auto'; service_tier",
    ],
    [
      'the hint alone',
      { further: { metadata: { a: "it's stream_options" } } },
      'Invalid metadata "it\'s stream_options"',
    ],
    ['a stop sequence', { stop: ['temperature'] }, "Unsupported sequence 'temperature'"],
    [
      'the request in a copy',
      {},
      "[{'type': 'value_error', 'msg': 'no', 'input': {'messages': ['unsupported'], 'temperature': 1}}]",
    ],
    ['an address', {}, 'Cannot load https://example.com/unsupported/temperature/top_p'],
  ])('learns nothing from what a caller wrote: %s', (_what, params, text) => {
    const asking = { ...request, params: { ...request.params, ...params } };
    const refused = new RefusedFields();
    expect([refused.learn(asking, text), refused.of(request)]).toEqual([false, []]);
  });

  it('learns nothing from the name of a tool', () => {
    const definitions = [{ type: 'function', function: { name: 'temperature' } }];
    const asking = { ...request, tools: { definitions, choice: 'auto', parallel: true } };
    expect(new RefusedFields().learn(asking, 'Unknown tool temperature')).toBe(false);
  });

  it('learns of a field although the request holds other words', () => {
    const params = { ...request.params, further: { service_tier: 'unsupported' } };
    const refused = new RefusedFields();
    expect(refused.learn({ ...request, params }, "Unsupported parameter: 'temperature'")).toBe(true);
    expect(refused.of(request)).toEqual(['temperature']);
  });

  it.each<[string, Pick<UpstreamRequest, 'params' | 'tools'>, string, string[]]>([
    [
      'the name of a tool',
      {
        params: request.params,
        tools: {
          definitions: [
            { type: 'function', function: { name: 'get_temperature' } },
            { type: 'function', function: { name: 'list_unsupported' } },
          ],
          choice: 'auto',
          parallel: true,
        },
      },
      "unsupported_value; Unsupported value: 'temperature' does not support 0.5 with this model.; unsupported",
      ['temperature'],
    ],
    [
      'a field of a field',
      { params: { ...request.params, further: { reasoning: { max_tokens: 5 } } } },
      "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
      ['max_tokens'],
    ],
    [
      'a stop sequence',
      { params: { ...request.params, stop: ['stop_here', 'unsupported_case'] } },
      "Unsupported parameter: 'stop' is not supported with this model.",
      ['stop'],
    ],
    [
      'an odd field',
      { params: { ...request.params, further: { 'a(': 'seeds' } } },
      "Unsupported parameter: 'seed'",
      ['seed'],
    ],
  ])('learns of a field whose name is only part of %s', (_what, change, text, fields) => {
    const refused = new RefusedFields();
    expect(refused.learn({ ...request, ...change }, text)).toBe(true);
    expect(refused.of(request)).toEqual(fields);
  });

  it('learns of a hint from any complaint that names it', () => {
    const refused = new RefusedFields();
    const text = "literal_error Input should be 'low', 'medium' or 'high' body; reasoning_effort";
    expect(refused.learn(request, text)).toBe(true);
    expect(refused.of(request)).toEqual(['reasoning_effort']);
  });

  it('learns that a model does not reason from words that name no field', () => {
    const refused = new RefusedFields();
    expect(refused.learn(request, '"m" does not support thinking')).toBe(true);
    expect(refused.of(request)).toEqual(['reasoning_effort']);
  });

  it('reports only once that a retry can help', () => {
    const refused = new RefusedFields();
    expect(refused.learn(request, 'unknown field stream_options')).toBe(true);
    expect(refused.of(request)).toEqual(['stream_options']);
    expect(refused.learn(request, 'unknown field stream_options')).toBe(false);
  });

  it('reports it of each request that was on its way with the field', () => {
    const refused = new RefusedFields();
    const [first, second] = [{ ...request }, { ...request }];
    [first, second].forEach((sent) => refused.of(sent));
    expect(refused.learn(first, 'unknown field stream_options')).toBe(true);
    expect(refused.learn(second, 'unknown field stream_options')).toBe(true);
    expect(refused.of(second)).toEqual(['stream_options']);
    expect(refused.learn(second, 'unknown field stream_options')).toBe(false);
  });
});
