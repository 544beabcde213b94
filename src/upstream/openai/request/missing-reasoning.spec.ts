import { describe, expect, it } from '@jest/globals';
import { type UpstreamRequest } from '../../upstream-driver.js';
import { MissingReasoning } from './missing-reasoning.js';

const DEEPSEEK = 'The `reasoning_content` in the thinking mode must be passed back to the API.';
const USER = { role: 'user', content: 'Hi' };
const SILENT = { role: 'assistant', content: 'Ho' };
const EMPTY = { role: 'assistant', content: '', reasoning_content: '' };
const THOUGHT = { role: 'assistant', content: 'Ha', reasoning_content: 'Why' };

const request = (messages: readonly object[] = [USER, SILENT], model = 'm'): UpstreamRequest => ({
  prompt: { messages, text: '' },
  model,
  thinking: true,
  params: { maxTokens: 100, stop: [] },
});

const refused = (text: string, status = 400): { status: number; text: string; quoted: string } => ({
  status,
  text,
  quoted: 'reasoning_content (missing)',
});

describe('MissingReasoning', () => {
  it.each([
    DEEPSEEK,
    'invalid_request_error; thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    'messages[3]: Missing `reasoning_content` field',
  ])('gives answers without reasoning a blank one after: %s', (text) => {
    const missing = new MissingReasoning();
    const messages = [USER, SILENT, EMPTY, THOUGHT];
    const sent = request(messages);
    expect(missing.filled(sent, messages)).toEqual(messages);
    expect(missing.learn(sent, refused(text))).toBe(true);
    const blank = { reasoning_content: ' ' };
    const filled = [USER, { ...SILENT, ...blank }, { ...EMPTY, ...blank }, THOUGHT];
    expect(missing.filled(sent, messages)).toEqual(filled);
    expect(missing.filled(request(), messages)).toEqual(filled);
    expect(missing.filled(request(messages, 'other'), messages)).toEqual(messages);
  });

  it.each<[string, UpstreamRequest, string, number]>([
    ['another complaint', request(), 'The model is overloaded.', 400],
    ['another status', request(), DEEPSEEK, 500],
    ['the words of the caller', request(), "Invalid value: 'reasoning_content (missing)'", 400],
    ['a request whose answers have all their reasoning', request([USER, THOUGHT]), DEEPSEEK, 400],
  ])('learns nothing from %s', (_what, sent, text, status) => {
    const missing = new MissingReasoning();
    missing.filled(sent, sent.prompt.messages);
    expect(missing.learn(sent, refused(text, status))).toBe(false);
  });

  it('does not ask a third time, but for what was sent before another one taught of it', () => {
    const missing = new MissingReasoning();
    const [one, two] = [request(), request()];
    expect(missing.learn(one, refused(DEEPSEEK))).toBe(true);
    expect(missing.learn(two, refused(DEEPSEEK))).toBe(true);
    missing.filled(one, one.prompt.messages);
    expect(missing.learn(one, refused(DEEPSEEK))).toBe(false);
  });
});
