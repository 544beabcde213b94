import { describe, expect, it } from '@jest/globals';
import { Settings } from '../../common/config/settings.js';
import { GatewayError } from '../../common/errors/gateway.errors.js';
import { ValidationPipe } from '../../common/http/body/validation.pipe.js';
import { ModelCatalog } from '../../models/model-catalog.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { toCompletionRequest, wantsUsage } from './completion-request.factory.js';
import { CreateChatCompletionDto } from './create-chat-completion.dto.js';

const messages = [{ role: 'user', content: 'hi' }];
const minimal = { model: 'svc-max', messages };
const tool = { type: 'function', function: { name: 'read' } };

/** Converts a body as the controller does: with the pipe, then with the factory. */
function accept(
  body: object,
  changes: Partial<Settings> = {},
): CompletionRequest & { readonly includeUsage: boolean } {
  const settings = Object.assign(new Settings(), changes);
  const catalog = new ModelCatalog(settings);
  const dto = new ValidationPipe().transform(body, { type: 'body', metatype: CreateChatCompletionDto });
  const given = dto as CreateChatCompletionDto;
  const request = toCompletionRequest(given, (id) => catalog.get(id), settings, true);
  return { ...request, includeUsage: wantsUsage(given) };
}

function refusal(body: object): { code: string; param: string | undefined; message: string } {
  try {
    accept(body);
  } catch (error) {
    if (error instanceof GatewayError) {
      return { code: error.code, param: error.param, message: error.message };
    }
    throw error;
  }
  throw new Error('The request was accepted');
}

describe('toCompletionRequest', () => {
  it('fills in the defaults of the contract', () => {
    expect(accept(minimal)).toEqual({
      model: {
        id: 'svc-max',
        contextWindow: 1_000_000,
        maxOutputTokens: 65_536,
        thinking: true,
        upstreamModel: 'svc-max',
        modalities: ['text'],
      },
      messages,
      stream: true,
      includeUsage: false,
      thinking: true,
      params: { maxTokens: 1000, stop: [], further: {} },
      isLimitDefault: true,
      tools: [],
      toolChoice: 'auto',
      parallelToolCalls: true,
      responseFormat: { type: 'text' },
      fieldNames: {
        messages: 'messages',
        schema: 'response_format.json_schema.schema',
        sent: { model: 'model', messages: 'messages' },
      },
      unsupportedTools: [],
      ignoredFields: [],
      customTools: new Set(),
    });
  });

  it('reads every field', () => {
    const body = {
      model: 'svc-plus-no-thinking',
      messages,
      stream: false,
      stream_options: { include_usage: true, include_obfuscation: false },
      temperature: 2,
      top_p: 0,
      max_tokens: 5,
      tools: [tool],
      tool_choice: { type: 'function', function: { name: 'read' } },
      parallel_tool_calls: false,
      stop: ['END', '\n\n'],
      seed: -7,
      n: 1,
      reasoning_effort: 'high',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
      user: 'ann',
      metadata: { trace: '1' },
      store: true,
      logprobs: true,
      top_logprobs: 2,
      moderation: { model: 'omni-moderation-latest' },
    };
    expect(accept(body)).toEqual({
      model: {
        id: 'svc-plus-no-thinking',
        contextWindow: 1_000_000,
        maxOutputTokens: 65_536,
        thinking: false,
        upstreamModel: 'svc-plus',
        modalities: ['text'],
      },
      messages,
      stream: false,
      includeUsage: true,
      thinking: false,
      params: {
        temperature: 2,
        topP: 0,
        maxTokens: 5,
        stop: ['END', '\n\n'],
        seed: -7,
        further: { reasoning_effort: 'high' },
      },
      tools: [tool],
      toolChoice: { type: 'function', function: { name: 'read' } },
      parallelToolCalls: false,
      responseFormat: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
      fieldNames: {
        messages: 'messages',
        schema: 'response_format.json_schema.schema',
        sent: expect.objectContaining({ max_tokens: 'max_tokens', stop: 'stop' }),
      },
      unsupportedTools: [],
      ignoredFields: ['logprobs', 'moderation', 'store'],
      customTools: new Set(),
    });
  });

  it('treats null as not given in every optional field', () => {
    const optional = Object.keys(new CreateChatCompletionDto()).filter((name) => !(name in minimal));
    const nulls = Object.fromEntries(optional.map((name) => [name, null]));
    expect(accept({ ...minimal, ...nulls })).toEqual(accept(minimal));
  });

  it('ignores unknown fields, also names of the prototype', () => {
    const unknown = JSON.parse(
      '{"api_base":"http://x","__proto__":{"stream":false},"constructor":1}',
    ) as object;
    expect(accept({ ...unknown, logprobs: false, ...minimal })).toEqual(accept(minimal));
  });

  it.each<[object, Partial<CompletionRequest['params']>]>([
    [{ max_completion_tokens: 7 }, { maxTokens: 7 }],
    [{ max_completion_tokens: 7, max_tokens: 9 }, { maxTokens: 7 }],
    [{ max_completion_tokens: null, max_tokens: 9 }, { maxTokens: 9 }],
    [{ max_tokens: 65_536 }, { maxTokens: 65_536 }],
    // The name of another model, whose limit its clients know.
    [{ model: 'claude-opus-4-5', max_tokens: 128_000 }, { maxTokens: 65_536 }],
    [{ stop: 'END' }, { stop: ['END'] }],
    [{ stop: [] }, { stop: [] }],
    [{ stop: 'x'.repeat(1000) }, { stop: ['x'.repeat(1000)] }],
    [
      { temperature: 0, top_p: 1 },
      { temperature: 0, topP: 1 },
    ],
    [{ seed: 0 }, { seed: 0 }],
  ])('accepts %j', (fields, params) => {
    expect(accept({ ...minimal, ...fields }).params).toEqual({ ...accept(minimal).params, ...params });
  });

  it('reads its defaults from the settings', () => {
    expect(accept(minimal, { DEFAULT_MAX_TOKENS: 100_000 }).params.maxTokens).toBe(65_536);
    expect(accept(minimal, { DEFAULT_MAX_TOKENS: 50 }).params.maxTokens).toBe(50);
  });

  it('lets the model alone cut an answer that may call tools, unless a default is set', () => {
    const tools = [{ type: 'function', function: { name: 'write' } }];
    const limits = (fields: object, settings = {}): unknown[] => {
      const { params, isLimitDefault } = accept({ ...minimal, ...fields }, settings);
      return [params.maxTokens, isLimitDefault];
    };
    expect(limits({})).toEqual([1000, true]);
    expect(limits({ tools })).toEqual([65_536, true]);
    expect(limits({ tools }, { DEFAULT_MAX_TOKENS: 50 })).toEqual([50, true]);
    expect(limits({ tools, max_tokens: 70 })).toEqual([70, undefined]);
    expect(limits({ tools, max_tokens: 200_000 })).toEqual([65_536, undefined]);
  });

  it.each(['max_tokens', 'max_completion_tokens'])('takes %s of -1 for no limit but the model’s', (field) => {
    const { params, isLimitDefault } = accept({ ...minimal, [field]: -1 });
    expect([params.maxTokens, isLimitDefault]).toEqual([65_536, undefined]);
  });

  it('takes an empty text for no stop sequence', () => {
    expect(accept({ ...minimal, stop: '' }).params.stop).toEqual([]);
  });

  it('passes on what upstreams of the format know, and nothing else', () => {
    const further = { top_k: 5, logit_bias: { 7: 1 }, verbosity: 'low', prompt_cache_key: 'k' };
    const fields = {
      ...minimal,
      ...further,
      presence_penalty: null,
      logprobs: false,
      x_custom: 1,
      user: 'ann',
    };
    expect(accept(fields).params.further).toEqual(further);
  });

  it('passes demands on the text on to an API, and says that no other upstream knows them', () => {
    const demands = {
      guided_choice: ['a', 'b'],
      grammar: 'root ::= "a"',
      structured_outputs: { regex: 'a+' },
    };
    const fields = { ...minimal, ...demands, min_tokens: 5, store: true };
    const over = (PROVIDER: Settings['PROVIDER']): object => {
      const { params, ignoredFields } = accept(fields, { PROVIDER });
      return { further: params.further, ignoredFields };
    };
    const further = { ...demands, min_tokens: 5 };
    expect(over('openai')).toEqual({ further, ignoredFields: ['store'] });
    expect(over('sandbox')).toEqual({
      further,
      ignoredFields: ['structured_outputs', 'guided_choice', 'grammar', 'store'],
    });
  });

  it('does not pass a schema on twice', () => {
    const fields = { ...minimal, structured_outputs: { json: { type: 'object' } } };
    const { params, responseFormat, ignoredFields } = accept(fields);
    expect(params.further).toEqual({});
    expect([responseFormat.type, ignoredFields]).toEqual(['json_schema', []]);
  });

  it.each<[fields: object, effort: string | undefined]>([
    [{ reasoning: { effort: 'low' } }, 'low'],
    [{ reasoning: { max_tokens: 2000 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 4000 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 16_384 }, reasoning: { effort: 'minimal' } }, 'minimal'],
    [{ reasoning_effort: 'high', reasoning: { effort: 'low' } }, 'high'],
    [{ reasoning: { effort: 3 }, thinking: { budget_tokens: '9' } }, undefined],
    [{ thinking: { budget_tokens: 0 } }, undefined],
    [{ reasoning: 'low', thinking: 'yes' }, undefined],
  ])('reads from %j the effort %s', (fields, effort) => {
    const { thinking, params } = accept({ ...minimal, ...fields });
    expect({ thinking, further: params.further }).toEqual({
      thinking: true,
      further: effort === undefined ? {} : { reasoning_effort: effort },
    });
  });

  it.each([
    { reasoning_effort: 'none' },
    { enable_thinking: false },
    { chat_template_kwargs: { enable_thinking: false } },
    { chat_template_kwargs: { thinking: false } },
    { thinking: { type: 'disabled' } },
    { thinking: false },
    { reasoning: { effort: 'none' } },
    { reasoning: { enabled: false } },
  ])('takes %j for no reasoning', (fields) => {
    expect(accept({ ...minimal, ...fields }).thinking).toBe(false);
  });

  const ON = { enable_thinking: true, thinking: true };
  it.each([
    [{ enable_thinking: true }, ON],
    [{ thinking: true }, ON],
    [{ thinking: { type: 'enabled' } }, ON],
    [{ reasoning: { enabled: true } }, ON],
    [{ chat_template_kwargs: { thinking: true } }, { thinking: true }],
    [
      { chat_template_kwargs: { enable_thinking: true, tone: 'dry' }, enable_thinking: true },
      { ...ON, tone: 'dry' },
    ],
    [{ chat_template_kwargs: { tone: 'dry' } }, { tone: 'dry' }],
    [{ chat_template_kwargs: null, thinking: { type: 'adaptive' } }, undefined],
    [{ chat_template_kwargs: 'x', reasoning: { enabled: 'x' } }, undefined],
  ])('passes what %j switches on to the chat template', (fields, template) => {
    const { thinking, params } = accept({ ...minimal, ...fields });
    expect({ thinking, further: params.further }).toEqual({
      thinking: true,
      further: template === undefined ? {} : { chat_template_kwargs: template },
    });
  });

  it('takes text as the only form of the answer', () => {
    expect(accept({ ...minimal, modalities: ['text'] })).toMatchObject({ messages });
  });

  it('leaves out what a provider would run', () => {
    const fields = { tools: [{ type: 'mcp' }], web_search_options: {} };
    expect(accept({ ...minimal, ...fields }).unsupportedTools).toEqual(['mcp', 'web_search_options']);
  });

  it('refuses functions of the old form with a hint', () => {
    expect(() => accept({ ...minimal, functions: [] })).not.toThrow();
    expect(() => accept({ ...minimal, functions: [{ name: 'f' }] })).toThrow(
      'functions is no longer supported: send the functions as `tools`.',
    );
  });

  it('asks for reasoning unless the model or the caller rules it out', () => {
    const thinking = (fields: object): boolean => accept({ ...minimal, ...fields }).thinking;
    expect(thinking({ reasoning_effort: 'none' })).toBe(false);
    expect(thinking({ reasoning_effort: 'minimal' })).toBe(true);
    expect(thinking({ model: 'svc-max-no-thinking', reasoning_effort: 'high' })).toBe(false);
  });

  it.each<CompletionRequest['responseFormat']>([
    { type: 'text' },
    { type: 'json_object' },
    { type: 'json_schema', json_schema: { schema: {} } },
  ])('accepts the response format %j', (response_format) => {
    expect(accept({ ...minimal, response_format }).responseFormat).toEqual(response_format);
  });

  it.each<[fields: object, param: string, problem: string]>([
    [{ model: undefined }, 'model', 'is required'],
    [{ model: null }, 'model', 'is required'],
    [{ model: 5 }, 'model', 'must be a string'],
    [{ model: ['svc-max'] }, 'model', 'must be a string'],
    [{ model: '' }, 'model', 'must not be empty'],
    [{ model: 'x'.repeat(201) }, 'model', 'must be shorter than or equal to 200 characters'],
    [{ messages: undefined }, 'messages', 'is required'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content', 'must be a string or an array of text parts'],
    [{ stream: 'false' }, 'stream', 'must be a boolean value'],
    [{ stream: 0 }, 'stream', 'must be a boolean value'],
    [{ stream_options: true }, 'stream_options', 'must be an object'],
    [{ stream_options: [] }, 'stream_options', 'must be an object'],
    [{ stream_options: { include_usage: 1 } }, 'stream_options.include_usage', 'must be a boolean'],
    [{ temperature: '1' }, 'temperature', 'must be a number'],
    [{ temperature: -0.1 }, 'temperature', 'must not be less than 0'],
    [{ temperature: 2.01 }, 'temperature', 'must not be greater than 2'],
    [{ top_p: 1.5 }, 'top_p', 'must not be greater than 1'],
    [{ top_p: -1 }, 'top_p', 'must not be less than 0'],
    [{ frequency_penalty: 'low' }, 'frequency_penalty', 'must be a number'],
    [{ frequency_penalty: 2.1 }, 'frequency_penalty', 'must not be greater than 2'],
    [{ presence_penalty: -2.1 }, 'presence_penalty', 'must not be less than -2'],
    [{ top_logprobs: 21 }, 'top_logprobs', 'must not be greater than 20'],
    [{ max_tokens: 0 }, 'max_tokens', 'must not be less than 1'],
    [{ max_tokens: 1.5 }, 'max_tokens', 'must be an integer number'],
    [{ max_tokens: '10' }, 'max_tokens', 'must be an integer number'],
    [{ max_tokens: 1e300 }, 'max_tokens', 'must be at most 65536, the most that svc-max generates'],
    [{ max_tokens: 65_537 }, 'max_tokens', 'must be at most 65536, the most that svc-max generates'],
    [{ max_completion_tokens: -2 }, 'max_completion_tokens', 'must not be less than 1'],
    [
      { max_completion_tokens: 65_537, max_tokens: 5 },
      'max_completion_tokens',
      'must be at most 65536, the most that svc-max generates',
    ],
    [{ tools: 'all' }, 'tools', 'must be an array'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].function', 'must be an object'],
    [
      { tool_choice: 'required' },
      'tool_choice',
      'must not be "required" without tools that the model can call',
    ],
    [
      { tools: [tool], tool_choice: { type: 'function', function: { name: 'write' } } },
      'tool_choice.function.name',
      'must be the name of one of the tools',
    ],
    [{ parallel_tool_calls: 'no' }, 'parallel_tool_calls', 'must be a boolean value'],
    [{ stop: 5 }, 'stop', 'must be a string of 1 to 1000 characters'],
    [{ stop: {} }, 'stop', 'must be a string of 1 to 1000 characters'],
    [{ stop: ['a', ''] }, 'stop[1]', 'must be a string of 1 to 1000 characters'],
    [{ stop: ['a', null] }, 'stop[1]', 'must be a string of 1 to 1000 characters'],
    [{ stop: ['x'.repeat(1001)] }, 'stop[0]', 'must be a string of 1 to 1000 characters'],
    [{ stop: Array(65).fill('a') }, 'stop', 'must hold at most 64 sequences'],
    [{ seed: 1.5 }, 'seed', 'must be an integer number'],
    [{ n: 129 }, 'n', 'must not be greater than 128'],
    [{ n: 0 }, 'n', 'must not be less than 1'],
    [{ n: '1' }, 'n', 'must be an integer number'],
    [{ modalities: ['text', 'audio'] }, 'modalities', 'must not hold "audio": the gateway answers in text'],
    [{ reasoning_effort: 3 }, 'reasoning_effort', 'must be a string'],
    [{ response_format: 'json' }, 'response_format', 'must be an object'],
    [{ response_format: {} }, 'response_format.type', 'must be text, json_object or json_schema'],
    [
      { response_format: { type: 'xml' } },
      'response_format.type',
      'must be text, json_object or json_schema',
    ],
    ...[undefined, null, 'x', [], {}, { schema: null }, { schema: 'x' }, { schema: [] }].map(
      (json_schema): [object, string, string] => [
        { response_format: { type: 'json_schema', json_schema } },
        'response_format.json_schema.schema',
        'must be a JSON Schema object',
      ],
    ),
    [{ user: 7 }, 'user', 'must be a string'],
    [{ metadata: 'x' }, 'metadata', 'must be an object'],
    [{ store: 'yes' }, 'store', 'must be a boolean value'],
  ])('refuses %j', (fields, param, problem) => {
    expect(refusal({ ...minimal, ...fields })).toEqual({
      code: 'invalid_request',
      param,
      message: `${param} ${problem}.`,
    });
  });

  it.each(['svc-mini', 'SVC-MAX', '__proto__', 'constructor', 'svc-max '])(
    'refuses the unknown model %j',
    (model) => {
      expect(refusal({ ...minimal, model })).toEqual({
        code: 'model_not_found',
        param: 'model',
        message: `The model '${model}' does not exist. GET /v1/models lists the available ones.`,
      });
    },
  );

  it('reports invalid messages rather than an unknown model', () => {
    expect(refusal({ model: 'svc-mini', messages: [] }).param).toBe('messages');
  });
});
