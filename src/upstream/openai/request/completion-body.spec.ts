import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type UpstreamRequest } from '../../upstream-driver.js';
import { completionBody } from './completion-body.js';
import { MessageOrders } from './message-orders.js';
import { RefusedFields } from './refused-fields.js';

const request: UpstreamRequest = {
  prompt: { messages: [{ role: 'user', content: 'Hi' }], text: 'Hi' },
  model: 'm',
  thinking: true,
  params: { temperature: 0.7, topP: 0.9, maxTokens: 100, stop: [] },
};

const bodyOf = (asking: UpstreamRequest, refused: RefusedFields): unknown =>
  JSON.parse(completionBody(asking, refused, new MessageOrders().of(asking)));

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
    const fast = { ...request, thinking: false };
    expect(refused.learn(fast, 'Unrecognized request argument supplied: chat_template_kwargs')).toBe(true);
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

  it('sends as many stop sequences as the format allows', () => {
    const params = { ...request.params, stop: ['a', 'b', 'c', 'd', 'e'] };
    expect(body({ params })).toEqual({ ...plain, stop: ['a', 'b', 'c', 'd'] });
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
    'Thinking mode does not support this tool_choice',
    'The tool_choice parameter does not support being set to required or object in thinking mode',
    "tool_choice 'required' is incompatible with thinking enabled",
  ])('leaves a refused choice of tools out of that request alone: %s', (text) => {
    const refused = new RefusedFields();
    const definitions = [{ type: 'function', function: { name: 'f' } }];
    const asking = { ...request, tools: { definitions, choice: 'required', parallel: true } };
    expect(refused.learn(asking, text)).toBe(true);
    expect(bodyOf(asking, refused)).toEqual({ ...plain, tools: definitions });
    expect(body({ tools: asking.tools }, refused)).toMatchObject({ tool_choice: 'required' });
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
