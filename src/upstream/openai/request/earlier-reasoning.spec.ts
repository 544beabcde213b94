import { describe, expect, it } from '@jest/globals';
import { EarlierReasoning } from './earlier-reasoning.js';

const DEEPSEEK = 'The `reasoning_content` in the thinking mode must be passed back to the API.';
const USER = { role: 'user', content: 'Hi' };
const SILENT = { role: 'assistant', content: 'Ho' };
const EMPTY = { role: 'assistant', content: '', reasoning_content: '' };
const THOUGHT = { role: 'assistant', content: 'Ha', reasoning_content: 'Why' };

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
    expect(reasoning.of('m', messages)).toEqual(messages);
    expect(reasoning.learn('m', messages, refused(text))).toBe(true);
    const blank = { reasoning_content: ' ' };
    const filled = [USER, { ...SILENT, ...blank }, { ...EMPTY, ...blank }, THOUGHT];
    expect(reasoning.of('m', messages)).toEqual(filled);
    expect(reasoning.learn('m', filled, refused(text))).toBe(false);
    expect(reasoning.of('other', messages)).toEqual(messages);
  });

  it.each<[string, object[], string, number]>([
    ['another complaint', [USER, SILENT], 'The model is overloaded.', 400],
    ['another status', [USER, SILENT], DEEPSEEK, 500],
    ['the words of the caller', [USER, SILENT], "Invalid value: 'reasoning_content (missing)'", 400],
    ['a request whose answers have all their reasoning', [USER, THOUGHT], DEEPSEEK, 400],
  ])('learns nothing from %s', (_what, sent, text, status) => {
    expect(new EarlierReasoning().learn('m', sent, refused(text, status))).toBe(false);
  });

  it('gives reasoning back under the name that it has in the answers of the model', () => {
    const reasoning = new EarlierReasoning();
    const messages = [USER, SILENT, THOUGHT];
    reasoning.answered('m', 'reasoning');
    expect(reasoning.of('m', messages)).toEqual([
      USER,
      SILENT,
      { role: 'assistant', content: 'Ha', reasoning: 'Why' },
    ]);
    expect(reasoning.of('other', messages)).toBe(messages);
    reasoning.answered('m', 'reasoning_content');
    expect(reasoning.of('m', messages)).toBe(messages);
  });

  it('gives it back under the name that is asked for, whatever that of the answers', () => {
    const reasoning = new EarlierReasoning();
    const messages = [USER, THOUGHT];
    reasoning.answered('m', 'reasoning');
    expect(reasoning.learn('m', reasoning.of('m', messages), refused(DEEPSEEK))).toBe(true);
    reasoning.answered('m', 'reasoning');
    expect(reasoning.of('m', messages)).toEqual(messages);
    expect(reasoning.learn('m', messages, refused(DEEPSEEK))).toBe(false);
  });
});
