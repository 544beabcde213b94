import { describe, expect, it } from '@jest/globals';
import { refuseLoneSearch } from '../../chat/omissions.js';
import { Settings } from '../../common/config/settings.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type Model } from '../../models/model.js';
import { type GeminiRequest, toGeminiRequest } from './gemini-request.factory.js';
import { LOOKS_UP } from './gemini-tools.js';

const MODEL: Model = {
  id: 'm',
  contextWindow: 9000,
  maxOutputTokens: 5000,
  thinking: true,
  upstreamModel: 'u',
};
const CONTENTS = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const READ = { name: 'read', parameters: { type: 'OBJECT', properties: { path: { type: 'STRING' } } } };
const WRITE = { name: 'write', description: 'Writes.', parametersJsonSchema: { type: 'object' } };
const TOOLS = [{ functionDeclarations: [READ, WRITE] }];

function read(fields: object): GeminiRequest {
  const call = { model: 'm', stream: true };
  return toGeminiRequest({ contents: CONTENTS, ...fields }, call, () => MODEL, new Settings());
}

function generating(generationConfig: object): GeminiRequest {
  return read({ generationConfig });
}

function choosing(functionCallingConfig: object): GeminiRequest {
  return read({ tools: TOOLS, toolConfig: { functionCallingConfig } });
}

describe('toGeminiRequest', () => {
  it('has no limit but that of the model by default, and lets it reason', () => {
    expect(read({})).toMatchObject({
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      thinking: true,
      params: { maxTokens: 5000, stop: [] },
      tools: [],
      toolChoice: 'auto',
      responseFormat: { type: 'text' },
      fieldNames: { messages: 'contents', sent: { messages: 'contents' } },
      includesThoughts: false,
    });
  });

  it('passes sampling on under the names of the chat format, and names it by its own', () => {
    const { params, fieldNames } = generating({
      temperature: 0,
      topP: 0.9,
      topK: 64,
      seed: 7,
      maxOutputTokens: 80_000,
      stopSequences: ['END'],
      presencePenalty: 1,
    });
    expect(params).toEqual({
      temperature: 0,
      topP: 0.9,
      maxTokens: 5000,
      seed: 7,
      stop: ['END'],
      further: { top_k: 64, presence_penalty: 1 },
    });
    expect(fieldNames.sent).toMatchObject({
      top_k: 'generationConfig.topK',
      stop: 'generationConfig.stopSequences',
    });
  });

  it('takes snake case', () => {
    const request = read({
      system_instruction: { parts: { text: 'Be brief.' } },
      generation_config: { max_output_tokens: 5, thinking_config: { include_thoughts: true } },
      tools: { function_declarations: [{ name: 'a', parameters_json_schema: { type: 'object' } }] },
      tool_config: { function_calling_config: { mode: 'NONE', allowed_function_names: ['a'] } },
    });
    expect(request).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, {}],
      params: { maxTokens: 5 },
      includesThoughts: true,
      tools: [{ function: { name: 'a', parameters: { type: 'object' } } }],
      toolChoice: 'none',
    });
  });

  it.each<[object, boolean, object]>([
    [{ thinkingBudget: 0 }, false, {}],
    [{ thinkingBudget: -1 }, true, {}],
    [{ thinkingBudget: 512 }, true, { reasoning_effort: 'low' }],
    [{ thinkingBudget: 32_768 }, true, { reasoning_effort: 'high' }],
    [{ thinkingLevel: 'HIGH', thinkingBudget: 0 }, true, { reasoning_effort: 'high' }],
    [{ thinkingLevel: 'minimal' }, true, { reasoning_effort: 'minimal' }],
    [{ thinkingLevel: 'XHIGH' }, true, { reasoning_effort: 'xhigh' }],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' }, true, {}],
    [{ thinkingLevel: null, thinkingBudget: null }, true, {}],
  ])('reasons as %j says', (thinkingConfig, thinking, further) => {
    const { params, ...request } = generating({ thinkingConfig });
    expect([request.thinking, params.further]).toEqual([thinking, further]);
  });

  it.each<[object, object]>([
    [{ responseMimeType: 'application/json' }, { type: 'json_object' }],
    [{ responseMimeType: 'text/plain' }, { type: 'text' }],
    [
      { responseSchema: { type: 'ARRAY', items: { type: 'INTEGER', nullable: true }, minItems: '1' } },
      {
        json_schema: {
          strict: true,
          schema: { type: 'array', items: { type: ['integer', 'null'] }, minItems: 1 },
        },
      },
    ],
    [{ responseJsonSchema: { const: 1 } }, { json_schema: { schema: { const: 1 } } }],
    [{ responseFormat: { text: { mimeType: 'APPLICATION_JSON' } } }, { type: 'json_object' }],
    [{ responseFormat: [{ text: { mime_type: 'text/plain' } }] }, { type: 'text' }],
    [
      {
        responseFormat: { text: { mimeType: 'application/json', schema: { type: 'OBJECT' } } },
        responseMimeType: 'text/plain',
      },
      { json_schema: { strict: true, schema: { type: 'object' } } },
    ],
  ])('asks for the form %j', (config, format) => {
    expect(generating(config).responseFormat).toMatchObject(format);
  });

  it('tells of functions in both forms of their schemas', () => {
    expect(read({ tools: TOOLS }).tools).toEqual([
      {
        type: 'function',
        function: { name: 'read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
      },
      {
        type: 'function',
        function: { name: 'write', description: 'Writes.', parameters: { type: 'object' } },
      },
    ]);
  });

  it.each<[object, string, readonly string[]]>([
    [{}, 'auto', ['read', 'write']],
    [{ mode: 'VALIDATED' }, 'auto', ['read', 'write']],
    [{ mode: 'ANY' }, 'required', ['read', 'write']],
    [{ mode: 'ANY', allowedFunctionNames: ['write'] }, 'required', ['write']],
    [{ mode: 'NONE' }, 'none', ['read', 'write']],
  ])('permits with %j %s of %j', (config, choice, names) => {
    const { tools, toolChoice } = choosing(config);
    expect([toolChoice, tools.map((tool) => tool.function.name)]).toEqual([choice, names]);
  });

  it('leaves tools of the provider out, and refuses a search alone', () => {
    const search = { googleSearch: {} };
    expect(read({ tools: [...TOOLS, search] }).unsupportedTools).toEqual(['googleSearch']);
    expect(() => refuseLoneSearch(read({ tools: [...TOOLS, search] }), LOOKS_UP)).not.toThrow();
    expect(() => refuseLoneSearch(read({ tools: [search] }), LOOKS_UP)).toThrow(
      'must not be googleSearch alone',
    );
    expect(() => refuseLoneSearch(read({ tools: [{ urlContext: {} }] }), LOOKS_UP)).toThrow(
      InvalidRequestError,
    );
  });

  it('tells of demands that have no effect', () => {
    expect(generating({ responseLogprobs: true }).ignoredFields).toEqual([
      'generationConfig.responseLogprobs',
    ]);
  });

  it.each<[object, string]>([
    [{ generationConfig: 5 }, 'generationConfig'],
    [{ generationConfig: { temperature: 3 } }, 'generationConfig.temperature'],
    [{ generationConfig: { maxOutputTokens: 0 } }, 'generationConfig.maxOutputTokens'],
    [{ generationConfig: { candidateCount: 2 } }, 'generationConfig.candidateCount'],
    [{ generationConfig: { responseMimeType: 'text/x.enum' } }, 'generationConfig.responseMimeType'],
    [{ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }, 'generationConfig.responseModalities'],
    [{ generationConfig: { responseFormat: { image: {} } } }, 'generationConfig.responseFormat.image'],
    [
      { generationConfig: { responseFormat: { text: { mimeType: 'text/html' } } } },
      'generationConfig.responseFormat.text.mimeType',
    ],
    [
      { generationConfig: { responseFormat: { text: { schema: 'a' } } } },
      'generationConfig.responseFormat.text.schema',
    ],
    [{ generationConfig: { responseSchema: 'a' } }, 'generationConfig.responseSchema'],
    [{ generationConfig: { responseJsonSchema: [] } }, 'generationConfig.responseJsonSchema'],
    [{ generationConfig: { stopSequences: [''] } }, 'generationConfig.stopSequences[0]'],
    [{ generationConfig: { thinkingConfig: [] } }, 'generationConfig.thinkingConfig'],
    [
      { generationConfig: { thinkingConfig: { thinkingLevel: 'MAX' } } },
      'generationConfig.thinkingConfig.thinkingLevel',
    ],
    [{ systemInstruction: 5 }, 'systemInstruction'],
    [{ tools: ['a'] }, 'tools[0]'],
    [{ tools: [{ functionDeclarations: [{}] }] }, 'tools[0].functionDeclarations[0].name'],
    [{ tools: [{ functionDeclarations: [READ, READ] }] }, 'tools[0].functionDeclarations[1].name'],
    [
      { tools: [{ functionDeclarations: [{ name: 'a', parametersJsonSchema: 'b' }] }] },
      'tools[0].functionDeclarations[0].parametersJsonSchema',
    ],
    [{ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }, 'toolConfig.functionCallingConfig.mode'],
    [{ toolConfig: { functionCallingConfig: { mode: 'SOME' } } }, 'toolConfig.functionCallingConfig.mode'],
    [
      { toolConfig: { functionCallingConfig: { allowedFunctionNames: ['none'] } } },
      'toolConfig.functionCallingConfig.allowedFunctionNames[0]',
    ],
  ])('refuses %j and names %s', (fields, param) => {
    expect(() => read(fields)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });
});
