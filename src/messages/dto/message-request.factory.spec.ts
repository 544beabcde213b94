import { describe, expect, it } from '@jest/globals';
import { ModelNotFoundError } from '../../common/errors/gateway.errors.js';
import { type Model } from '../../models/model.js';
import { CountTokensDto, CreateMessageDto } from './create-message.dto.js';
import { omitsThinking, toCountRequest, toMessageRequest } from './message-request.factory.js';

const MODEL: Model = {
  id: 'm',
  contextWindow: 9000,
  maxOutputTokens: 500,
  thinking: true,
  upstreamModel: 'u',
};
const ASK = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] };

function findModel(id: string): Model {
  if (id.startsWith('m')) {
    return { ...MODEL, thinking: id === 'm' };
  }
  throw new ModelNotFoundError(id);
}

function dto(fields: object): CreateMessageDto {
  return Object.assign(new CreateMessageDto(), { ...ASK, ...fields });
}

const request = (fields: object = {}) => toMessageRequest(dto(fields), findModel);

// Parameters: https://platform.claude.com/docs/en/api/messages/create
describe('toMessageRequest', () => {
  it('fills in the defaults of the format', () => {
    expect(request()).toEqual({
      model: MODEL,
      messages: ASK.messages,
      callIdPrefix: 'toolu_',
      stream: false,
      thinking: false,
      params: { maxTokens: 100, stop: [] },
      tools: [],
      toolChoice: 'auto',
      parallelToolCalls: true,
      responseFormat: { type: 'text' },
      fieldNames: {
        messages: 'messages',
        schema: 'output_config.format.schema',
        sent: { model: 'model', messages: 'messages', max_tokens: 'max_tokens' },
      },
      tellsStopSequence: true,
      unsupportedTools: [],
      ignoredFields: [],
    });
  });

  it('takes every parameter', () => {
    const schema = { type: 'object' };
    expect(
      request({
        system: 'Be brief.',
        stream: true,
        temperature: 0.2,
        top_p: 0.5,
        top_k: 40,
        stop_sequences: ['a', 'b'],
        thinking: { type: 'enabled', budget_tokens: 2000 },
        output_config: { effort: 'high', format: { type: 'json_schema', schema } },
        tools: [
          { name: 'read', input_schema: schema },
          { type: 'web_search_20250305', name: 'web_search' },
        ],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
      }),
    ).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, ...ASK.messages],
      fieldNames: {
        sent: {
          top_k: 'top_k',
          stop: 'stop_sequences',
          parallel_tool_calls: 'tool_choice',
          response_format: 'output_config.format',
        },
      },
      stream: true,
      thinking: true,
      params: {
        temperature: 0.2,
        topP: 0.5,
        maxTokens: 100,
        stop: ['a', 'b'],
        further: { top_k: 40, reasoning_effort: 'high' },
      },
      tools: [{ function: { name: 'read' } }],
      toolChoice: 'required',
      parallelToolCalls: false,
      responseFormat: { type: 'json_schema', json_schema: { schema } },
      unsupportedTools: ['web_search_20250305'],
    });
  });

  const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
  const READ = { name: 'read', input_schema: {} };

  it.each<[string, object]>([
    ['a search', { tools: [SEARCH] }],
    [
      'a search',
      { tools: [SEARCH, { type: 'computer_20250124', name: 'computer' }], tool_choice: { type: 'auto' } },
    ],
    ['a fetch', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }],
  ])('refuses a request that offers nothing but %s, which the model would make up: %j', (_what, fields) => {
    expect(() => request(fields)).toThrow(
      expect.objectContaining({ param: 'tools', message: expect.stringMatching(/web_\w+ alone/) }),
    );
  });

  it.each<[object]>([
    [{ tools: [SEARCH, READ] }],
    [{ tools: [SEARCH], tool_choice: { type: 'none' } }],
    [{ tools: [{ type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }] }],
  ])('takes %j', (fields) => {
    expect(request(fields).unsupportedTools).toHaveLength(1);
  });

  it('lowers a limit that the model cannot reach', () => {
    expect(request({ max_tokens: 128_000 }).params.maxTokens).toBe(500);
  });

  it.each<[object | undefined, boolean]>([
    [undefined, false],
    [{ type: 'disabled' }, false],
    [{ type: 'adaptive', display: 'omitted' }, true],
    [{ type: 'adaptive', display: 'highlights' }, true],
    [{ type: 'enabled', budget_tokens: 1024 }, true],
    [{ type: 'between_tools' }, true],
  ])('switches thinking %j to %j', (thinking, isOn) => {
    expect(request({ thinking }).thinking).toBe(isOn);
    expect(request({ thinking, model: 'm-no-thinking' }).thinking).toBe(false);
  });

  it('leaves out what a provider would run', () => {
    const mcp_servers = [{ type: 'url', url: 'https://mcp.test', name: 'm' }];
    expect(request({ tools: [{ type: 'memory' }], mcp_servers }).unsupportedTools).toEqual([
      'memory',
      'mcp_servers',
    ]);
    expect(request({ mcp_servers: [] }).unsupportedTools).toEqual([]);
  });

  it.each<[fields: object, effort: string | undefined]>([
    [{ thinking: { type: 'adaptive' } }, undefined],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'high'],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'utmost' } }, undefined],
    // LiteLLM's budgets for the three efforts.
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 2048 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 4096 } }, 'high'],
    [{ thinking: { type: 'enabled', budget_tokens: 2047 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 4095 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 16_384 }, output_config: { effort: 'low' } }, 'low'],
    [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, undefined],
    [{ output_config: { effort: 'high' } }, undefined],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' }, model: 'm-no-thinking' },
      undefined,
    ],
  ])('reads from %j the effort %s', (fields, effort) => {
    expect(request(fields).params.further).toEqual(effort && { reasoning_effort: effort });
  });

  it('reads the effort that the conversation has set', () => {
    const messages = [{ role: 'system', output_config: { effort: 'low' } }, ...ASK.messages];
    const fields = { thinking: { type: 'adaptive' }, output_config: { effort: 'high' }, messages };
    expect(request(fields).params.further).toEqual({ reasoning_effort: 'low' });
  });

  it.each([0, 1.5, '2000'])('refuses a budget of %j tokens', (budget_tokens) => {
    expect(() => request({ thinking: { type: 'enabled', budget_tokens } })).toThrow(
      'thinking.budget_tokens must be a positive integer.',
    );
  });

  it.each<[object, string]>([
    [{ thinking: {} }, 'thinking.type'],
    [{ thinking: { type: 'adaptive', display: 5 } }, 'thinking.display'],
    [{ stop_sequences: 'a' }, 'stop_sequences'],
    [{ stop_sequences: Array.from({ length: 65 }, () => 'a') }, 'stop_sequences'],
    [{ stop_sequences: ['a', ''] }, 'stop_sequences[1]'],
    [{ output_config: { format: { type: 'text' } } }, 'output_config.format'],
    [{ output_format: { type: 'json_schema' } }, 'output_format'],
    [{ model: 'x' }, 'model'],
    [{ model: 'x', tool_choice: 5 }, 'tool_choice'],
  ])('refuses %j by the name %s', (fields, param) => {
    expect(() => request(fields)).toThrow(expect.objectContaining({ param }));
  });
});

describe('toCountRequest', () => {
  it('needs no limit', () => {
    const body = Object.assign(new CountTokensDto(), { model: 'm', messages: ASK.messages });
    expect(toCountRequest(body, findModel).params.maxTokens).toBe(500);
  });
});

describe('CreateMessageDto', () => {
  it.each<[object, string]>([
    [{ model: '' }, 'model'],
    [{ max_tokens: undefined }, 'max_tokens'],
    [{ max_tokens: null }, 'max_tokens'],
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ stream: 'yes' }, 'stream'],
    [{ temperature: 1.1 }, 'temperature'],
    [{ top_p: -1 }, 'top_p'],
    [{ top_k: 0.5 }, 'top_k'],
    [{ thinking: true }, 'thinking'],
    [{ output_config: 'x' }, 'output_config'],
    [{ thread: { type: 'create' } }, 'thread'],
    [{ compaction: { type: 'summarize' } }, 'compaction'],
  ])('refuses %j by the name %s', (fields, param) => {
    expect(() => CreateMessageDto.validate(dto(fields))).toThrow(expect.objectContaining({ param }));
  });

  it('takes null for what is not given', () => {
    const absent = {
      compaction: null,
      stream: null,
      temperature: null,
      top_p: null,
      top_k: null,
      thinking: null,
    };
    expect(() => CreateMessageDto.validate(dto(absent))).not.toThrow();
    expect(request(absent)).toEqual(request());
  });
});

describe('omitsThinking', () => {
  it.each([
    [undefined, false],
    [{ type: 'adaptive' }, false],
    [{ type: 'adaptive', display: 'summarized' }, false],
    [{ type: 'adaptive', display: 'omitted' }, true],
    [{ type: 'adaptive', display: 'updates' }, true],
  ])('reads %j as %j', (thinking, omits) => {
    expect(omitsThinking(dto({ thinking }))).toBe(omits);
  });
});
