import { describe, expect, it } from '@jest/globals';
import { type UpstreamRequest } from '../../upstream-driver.js';
import { EarlierReasoning } from './earlier-reasoning.js';

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

describe('EarlierReasoning', () => {
  it.each([
    DEEPSEEK,
    'invalid_request_error; thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    'messages[3]: Missing `reasoning_content` field',
  ])('gives answers without reasoning a blank one after: %s', (text) => {
    const reasoning = new EarlierReasoning();
    const messages = [USER, SILENT, EMPTY, THOUGHT];
    const sent = request(messages);
    expect(reasoning.of(sent, messages)).toEqual(messages);
    expect(reasoning.learn(sent, refused(text))).toBe(true);
    const blank = { reasoning_content: ' ' };
    const filled = [USER, { ...SILENT, ...blank }, { ...EMPTY, ...blank }, THOUGHT];
    expect(reasoning.of(sent, messages)).toEqual(filled);
    expect(reasoning.of(request(), messages)).toEqual(filled);
    expect(reasoning.of(request(messages, 'other'), messages)).toEqual(messages);
  });

  it.each<[string, UpstreamRequest, string, number]>([
    ['another complaint', request(), 'The model is overloaded.', 400],
    ['another status', request(), DEEPSEEK, 500],
    ['the words of the caller', request(), "Invalid value: 'reasoning_content (missing)'", 400],
    ['a request whose answers have all their reasoning', request([USER, THOUGHT]), DEEPSEEK, 400],
  ])('learns nothing from %s', (_what, sent, text, status) => {
    const reasoning = new EarlierReasoning();
    reasoning.of(sent, sent.prompt.messages);
    expect(reasoning.learn(sent, refused(text, status))).toBe(false);
  });

  it('does not ask a third time, but for what was sent before another one taught of it', () => {
    const reasoning = new EarlierReasoning();
    const [one, two] = [request(), request()];
    reasoning.of(one, one.prompt.messages);
    reasoning.of(two, two.prompt.messages);
    expect(reasoning.learn(one, refused(DEEPSEEK))).toBe(true);
    expect(reasoning.learn(two, refused(DEEPSEEK))).toBe(true);
    reasoning.of(one, one.prompt.messages);
    expect(reasoning.learn(one, refused(DEEPSEEK))).toBe(false);
  });

  it('gives reasoning back under the name that it has in the answers of the model', () => {
    const reasoning = new EarlierReasoning();
    const messages = [USER, SILENT, THOUGHT];
    reasoning.answered(request(), 'reasoning');
    expect(reasoning.of(request(), messages)).toEqual([
      USER,
      SILENT,
      { role: 'assistant', content: 'Ha', reasoning: 'Why' },
    ]);
    expect(reasoning.of(request(messages, 'other'), messages)).toBe(messages);
    reasoning.answered(request(), 'reasoning_content');
    expect(reasoning.of(request(), messages)).toBe(messages);
  });

  it('gives it back under the name that is asked for, whatever that of the answers', () => {
    const reasoning = new EarlierReasoning();
    const sent = request([USER, THOUGHT]);
    reasoning.answered(sent, 'reasoning');
    reasoning.of(sent, sent.prompt.messages);
    expect(reasoning.learn(sent, refused(DEEPSEEK))).toBe(true);
    reasoning.answered(sent, 'reasoning');
    expect(reasoning.of(sent, sent.prompt.messages)).toEqual([USER, THOUGHT]);
    expect(reasoning.learn(sent, refused(DEEPSEEK))).toBe(false);
  });
});
