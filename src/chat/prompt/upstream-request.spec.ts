import { describe, expect, it } from '@jest/globals';
import { Settings } from '../../common/config/settings.js';
import { type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { ConversationPrompt } from './conversation-prompt.js';
import { promptTools, toUpstreamRequest } from './upstream-request.js';

const request: CompletionRequest = {
  model: { id: 'a', contextWindow: 10, maxOutputTokens: 5, thinking: true, upstreamModel: 'b' },
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
  thinking: false,
  params: { temperature: 1, topP: 1, maxTokens: 5, stop: ['x'], seed: 3 },
  tools: [{ type: 'function', function: { name: 'read' } }],
  toolChoice: 'required',
  parallelToolCalls: false,
  responseFormat: { type: 'text' },
  fieldNames: { messages: 'messages', schema: 'schema' },
};
const { messages, params, tools } = request;
const prompt = new ConversationPrompt({ conversation: messages, format: { type: 'text' } });

function translate(settings: Partial<Settings>, fields: Partial<CompletionRequest> = {}): UpstreamRequest {
  const changed = { ...request, ...fields };
  const { native } = promptTools(changed, Object.assign(new Settings(), settings));
  return toUpstreamRequest(changed, prompt, native);
}

describe('toUpstreamRequest', () => {
  const plain = { prompt, model: 'b', thinking: false, params };
  const native = { definitions: tools, choice: 'required', parallel: false };

  it('sends tools if the upstream calls tools itself', () => {
    expect(translate({ PROVIDER: 'openai' })).toEqual({ ...plain, tools: native });
    expect(translate({ PROVIDER: 'web', TOOL_MODE: 'native' })).toEqual({ ...plain, tools: native });
  });

  it('sends no tools if they are emulated or if there are none', () => {
    expect(translate({ PROVIDER: 'sandbox' })).toEqual(plain);
    expect(translate({ PROVIDER: 'openai', TOOL_MODE: 'emulated' })).toEqual(plain);
    expect(translate({ PROVIDER: 'openai' }, { tools: [] })).toEqual(plain);
  });

  it('keeps stop sequences to itself where it must say which one ended the answer', () => {
    expect(translate({}, { tellsStopSequence: true }).params).toEqual({ ...params, stop: [] });
  });

  it('sends a response format other than text', () => {
    const responseFormat = { type: 'json_schema', json_schema: { schema: {} } } as const;
    expect(translate({}, { responseFormat })).toEqual({ ...plain, responseFormat });
  });
});

describe('promptTools', () => {
  const emulated = (settings: Partial<Settings>, fields: Partial<CompletionRequest> = {}): unknown =>
    promptTools({ ...request, ...fields }, Object.assign(new Settings(), settings)).offer;

  it('offers tools as text if the upstream does not call tools itself', () => {
    const offer = { definitions: tools, choice: 'required', parallel: false };
    expect(emulated({ PROVIDER: 'sandbox' })).toEqual(offer);
    expect(emulated({ PROVIDER: 'openai', TOOL_MODE: 'emulated' })).toEqual(offer);
    expect(emulated({ PROVIDER: 'web' }, { tools: [] })).toEqual({ ...offer, definitions: [] });
    expect(emulated({ PROVIDER: 'openai' })).toBeUndefined();
    expect(emulated({ PROVIDER: 'web', TOOL_MODE: 'native' })).toBeUndefined();
  });
});
