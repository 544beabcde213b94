import { describe, expect, it } from '@jest/globals';
import { Settings } from '../../common/config/settings.js';
import { type Model } from '../../models/model.js';
import { CreateResponseDto } from './create-response.dto.js';
import { validateInput } from './input-items.validator.js';
import { type ResponseRequest, toResponseRequest } from './response-request.factory.js';

const MODEL: Model = {
  id: 'm',
  contextWindow: 9000,
  maxOutputTokens: 500,
  thinking: true,
  upstreamModel: 'u',
};
const LOGPROBS = 'message.output_text.logprobs';
const schema = { type: 'object', properties: {} };

function read(fields: object, provider: Settings['PROVIDER'] = 'web'): ResponseRequest {
  const dto = Object.assign(new CreateResponseDto(), { model: 'm', input: 'Hi', ...fields });
  CreateResponseDto.validate(dto);
  const settings = Object.assign(new Settings(), { PROVIDER: provider });
  return toResponseRequest(dto, () => MODEL, settings, [], validateInput(dto.input));
}

describe('toResponseRequest', () => {
  it('heeds fields that only chat completions have', () => {
    const further = { top_k: 40, repetition_penalty: 1.2, verbosity: 'low' };
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const fields = { ...further, seed: 42, stop: 'END', max_tokens: 30, reasoning_effort: 'low' };
    const { completion, repeated } = read({ ...fields, response_format });
    expect(completion).toMatchObject({
      params: {
        seed: 42,
        stop: ['END'],
        maxTokens: 30,
        further: { ...further, reasoning_effort: 'low' },
      },
      responseFormat: response_format,
      fieldNames: {
        messages: 'input',
        schema: 'response_format.json_schema.schema',
        sent: { messages: 'input', max_tokens: 'max_tokens', response_format: 'response_format' },
      },
    });
    expect([completion.isLimitDefault, repeated.max_output_tokens]).toEqual([undefined, 30]);
    expect(read({ reasoning_effort: 'none' }).completion.thinking).toBe(false);
  });

  it('prefers the fields of its own format', () => {
    const { completion } = read({
      max_output_tokens: 10,
      max_completion_tokens: 20,
      max_tokens: 30,
      reasoning: { effort: 'high' },
      reasoning_effort: 'low',
      verbosity: 'low',
      text: { format: { type: 'json_object' }, verbosity: 'high' },
      response_format: { type: 'json_schema', json_schema: { schema } },
    });
    expect(completion).toMatchObject({
      params: { maxTokens: 10, further: { reasoning_effort: 'high', verbosity: 'high' } },
      responseFormat: { type: 'json_object' },
      fieldNames: {
        schema: 'text.format.schema',
        sent: {
          max_tokens: 'max_output_tokens',
          response_format: 'text.format',
          verbosity: 'text.verbosity',
        },
      },
    });
  });

  it('heeds no field of chat completions beside its own, whatever that holds', () => {
    const text = { format: { type: 'json_object' } };
    const { completion } = read({ max_output_tokens: 10, max_tokens: 0, text, response_format: 'json' });
    expect(completion).toMatchObject({ params: { maxTokens: 10 }, responseFormat: text.format });
  });

  it.each(['max_tokens', 'max_completion_tokens'])('takes a %s of -1 for none', (field) => {
    const { completion, repeated } = read({ [field]: -1 });
    expect(completion).toMatchObject({ params: { maxTokens: 500 }, isLimitDefault: true });
    expect(repeated.max_output_tokens).toBeNull();
  });

  it('fills in what clients expect of a function and of a schema', () => {
    const tool = { type: 'function', name: 'read' };
    const described = { description: 'Writes.', parameters: schema, strict: true };
    const tools = [tool, { ...tool, name: 'write', ...described }, { type: 'web_search' }];
    const text = { format: { type: 'json_schema', name: 'x', schema }, verbosity: 'low' };
    const penalties = { presence_penalty: 0.5, frequency_penalty: -0.5 };
    const { completion, repeated } = read({ ...penalties, tools, text, user: 'ann' });
    expect(completion.params.further).toEqual({ ...penalties, verbosity: 'low' });
    expect(repeated).toMatchObject({
      ...penalties,
      tools: [{ ...tool, description: null, parameters: null, strict: null }, tools[1], tools[2]],
      text: { ...text, format: { ...text.format, description: null, strict: false } },
      user: 'ann',
    });
  });

  it.each<[object, readonly string[]]>([
    [{}, []],
    [{ context_management: [{ type: 'compaction', compact_threshold: 1000 }] }, ['context_management']],
    [{ moderation: { model: 'omni-moderation-latest' } }, ['moderation']],
    [{ top_logprobs: 0, include: ['reasoning.encrypted_content'] }, []],
    [{ top_logprobs: 3, include: [LOGPROBS] }, ['top_logprobs', LOGPROBS]],
    [{ logprobs: true, grammar: 'root ::= "x"' }, ['grammar', 'logprobs']],
    [{ logprobs: false, structured_outputs: { json: schema } }, []],
  ])('tells of what has no effect in %j', (fields, names) => {
    expect(read(fields).completion.ignoredFields).toEqual(names);
  });

  it('heeds the last settings that items of the conversation bring', () => {
    const update = (fields: object) => ({ type: 'configuration_update', ...fields });
    const ask = { role: 'user', content: 'Hi' };
    const json = { format: { type: 'json_schema', name: 'x', schema } };
    const own = { reasoning: { effort: 'low', summary: 'auto' }, text: { verbosity: 'low' } };
    const found = (...input: object[]) => read({ ...own, input: [ask, ...input] }).completion;
    expect(found(update({ reasoning: { effort: 'high' } }), update({ text: json }))).toMatchObject({
      params: { further: { reasoning_effort: 'high', verbosity: 'low' } },
      responseFormat: { type: 'json_schema', json_schema: { name: 'x', schema } },
    });
    const plain = update({ text: { format: { type: 'text' } }, reasoning: { effort: 'none' } });
    expect(found(update({ text: json }), plain)).toMatchObject({
      thinking: false,
      responseFormat: { type: 'text' },
    });
    expect(found(update({}), update({ reasoning: {} }))).toMatchObject({
      params: { further: { reasoning_effort: 'low' } },
    });
  });

  it('tells nothing of demands that an API gets', () => {
    expect(read({ guided_regex: '[0-9]+' }, 'openai').completion).toMatchObject({
      params: { further: { guided_regex: '[0-9]+' } },
      ignoredFields: [],
    });
  });

  it('repeats tools of other formats in its own', () => {
    const tools = [{ type: 'function', function: { name: 'read' } }];
    const tool_choice = { type: 'function', function: { name: 'read' } };
    expect(read({ tools, tool_choice }).repeated).toMatchObject({
      tools: [{ type: 'function', name: 'read', description: null, parameters: null, strict: null }],
      tool_choice: { type: 'function', name: 'read' },
    });
    expect(read({ tools, tool_choice: { type: 'any' } }).repeated.tool_choice).toBe('required');
  });

  it.each<[object, string]>([
    [
      { conversation: 'conv_1' },
      'conversation is not kept by this gateway: go on from previous_response_id.',
    ],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt names a template of a provider: send its text as instructions.'],
    [{ seed: 1.5 }, 'seed must be an integer number.'],
    [{ stop: 5 }, 'stop must be a string of 1 to 1000 characters.'],
    [{ max_tokens: 0 }, 'max_tokens must not be less than 1.'],
    [
      { input: undefined, messages: [{ role: 'user', content: 'Hi' }] },
      'input is required: messages go to /v1/chat/completions.',
    ],
    [{ max_output_tokens: -1 }, 'max_output_tokens must not be less than 1.'],
    [{ response_format: { type: 'xml' } }, 'response_format.type must be text, json_object or json_schema.'],
    [{ response_format: 'json' }, 'response_format must be an object.'],
  ])('refuses %j', (fields, problem) => {
    expect(() => read(fields)).toThrow(problem);
  });
});
