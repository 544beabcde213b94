import { describe, expect, it } from '@jest/globals';
import { type UpstreamRequest } from '../../upstream-driver.js';
import { RefusedFields } from './refused-fields.js';

const request: UpstreamRequest = {
  prompt: { messages: [{ role: 'user', content: 'Hi' }], text: 'Hi' },
  model: 'm',
  thinking: false,
  params: { temperature: 0.7, topP: 0.9, maxTokens: 100, stop: [] },
};

describe('RefusedFields', () => {
  it.each([
    ['a value out of range', 'temperature must be at most 1.5'],
    ['a field that was not ours', 'Unrecognized request argument supplied: tools'],
    ['a message of one caller', 'extra_forbidden; not permitted; body; messages; 0; temperature'],
    ['a message of one caller, with arrows', 'body -> messages -> 0 -> temperature: not permitted'],
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
    [
      'that nothing thinks',
      { further: { reasoning_effort: 'low' }, stop: ['not support thinking'] },
      "Bad stop 'not support thinking'",
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

  it.each<[string, Partial<UpstreamRequest>]>([
    [
      "Unknown parameter: 'prediction.temperature'.; prediction.temperature",
      { params: { ...request.params, further: { prediction: { type: 'content', temperature: 1 } } } },
    ],
    [
      "[{'type': 'extra_forbidden', 'loc': ('body', 'prediction', 'parts', 0, 'temperature')}]",
      { params: { ...request.params, further: { prediction: { parts: [{ temperature: 1 }] } } } },
    ],
    [
      "Unknown parameter: 'response_format.json_schema.temperature'.",
      { responseFormat: { type: 'json_schema', json_schema: { name: 's', temperature: 1 } } },
    ],
  ])('takes no field away for a member of that name: %s', (text, change) => {
    const refused = new RefusedFields();
    expect(refused.learn({ ...request, ...change }, text)).toBe(true);
    expect(refused.of({ ...request, ...change })).not.toContain('temperature');
    const others = { ...request.params, further: { prediction: { type: 'content' } } };
    expect(refused.of({ ...request, params: others })).toEqual([]);
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
      { params: { ...request.params, seed: 7, further: { 'a(': 'seeds' } } },
      "Unsupported parameter: 'seed'",
      ['seed'],
    ],
  ])('learns of a field whose name is only part of %s', (_what, change, text, fields) => {
    const refused = new RefusedFields();
    expect(refused.learn({ ...request, ...change }, text)).toBe(true);
    expect(refused.of({ ...request, ...change })).toEqual(fields);
  });

  it('learns of a hint from any complaint that names it', () => {
    const refused = new RefusedFields();
    const text = "literal_error Input should be 'low', 'medium' or 'high' body; reasoning_effort";
    expect(refused.learn(request, text)).toBe(true);
    expect(refused.of(request)).toEqual(['reasoning_effort']);
  });

  const asking = (further: object, params: object = {}): UpstreamRequest => ({
    ...request,
    thinking: true,
    params: { ...request.params, ...params, further: { ...further } },
  });

  it.each<[UpstreamRequest, string, string, UpstreamRequest]>([
    [
      asking({ reasoning_effort: 'banana' }),
      "Invalid value: 'banana'. Supported values are: 'low', 'medium', and 'high'.; reasoning_effort",
      'reasoning_effort',
      asking({ reasoning_effort: 'high' }),
    ],
    [
      asking({ reasoning_effort: 'xhigh' }),
      "literal_error; Input should be 'low', 'medium' or 'high'; body; reasoning_effort",
      'reasoning_effort',
      request,
    ],
    [
      request,
      '`reasoning_effort` must be one of `low`, `medium`, or `high`',
      'reasoning_effort',
      asking({ reasoning_effort: 'low' }),
    ],
    [
      asking({ service_tier: 'gold' }),
      "Unsupported value: 'service_tier' does not support 'gold' with this model.",
      'service_tier',
      asking({ service_tier: 'flex' }),
    ],
    [
      asking({}, { temperature: 2 }),
      "Unsupported value: 'temperature' does not support 2 with this model.",
      'temperature',
      asking({}, { temperature: 1.5 }),
    ],
    [
      asking({ structured_outputs: { regex: 'a', strict: true } }),
      'extra_forbidden; body; structured_outputs; strict; Extra inputs are not permitted',
      'structured_outputs',
      asking({ structured_outputs: { choice: ['a'], strict: true } }),
    ],
  ])('holds a value against that value alone: %#', (bad, text, field, good) => {
    const refused = new RefusedFields();
    expect(refused.learn(bad, text)).toBe(true);
    expect([refused.of({ ...bad }), refused.of(good)]).toEqual([[field], []]);
    expect(refused.learn(good, text)).toBe(true);
    expect([refused.of(bad), refused.of(good)]).toEqual([[field], [field]]);
  });

  it('holds a value against the field where only the default is supported', () => {
    const refused = new RefusedFields();
    const text =
      "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.";
    expect(refused.learn(request, text)).toBe(true);
    expect(refused.of(asking({}, { temperature: 0.2 }))).toEqual(['temperature']);
  });

  it('remembers twenty values of a field, and long ones for their request alone', () => {
    const refused = new RefusedFields();
    const tier = (name: string) => asking({ service_tier: name });
    const refuse = (sent: UpstreamRequest) => refused.learn(sent, 'Unsupported value of service_tier');
    Array.from({ length: 21 }, (_, index) => expect(refuse(tier(`t${index}`))).toBe(true));
    expect(refused.of(tier('t0'))).toEqual([]);
    expect(refused.of(tier('t1'))).toEqual(['service_tier']);
    const long = tier('t'.repeat(300));
    expect(refuse(long)).toBe(true);
    expect([refused.of(long), refused.of({ ...long }), refused.of(tier('t20'))]).toEqual([
      ['service_tier'],
      [],
      ['service_tier'],
    ]);
  });

  it('learns nothing of a field that was not sent', () => {
    expect(new RefusedFields().learn(request, "Unsupported parameter: 'seed'")).toBe(false);
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
