import { describe, expect, it } from '@jest/globals';
import { Answer } from '../../chat/completion/answer.js';
import { carriedText } from '../../chat/dto/carried-text.js';
import { InternalError } from '../../common/errors/gateway.errors.js';
import { GeminiAnswer } from './gemini-answer.js';
import { GeminiArrayFrames, GeminiFrames } from './gemini-frames.js';

const USAGE = { promptTokens: 30, completionTokens: 20, reasoningTokens: 5, cachedTokens: 10 };
const IDENTITY = { modelVersion: 'a "text":"" b', responseId: 'r1' };
const FIGURES = {
  promptTokenCount: 30,
  candidatesTokenCount: 15,
  thoughtsTokenCount: 5,
  cachedContentTokenCount: 10,
  totalTokenCount: 50,
};
const ERROR = new InternalError('upstream_cut', 'the upstream broke off.');

const shown = (includesThoughts = true): GeminiAnswer => new GeminiAnswer(IDENTITY, includesThoughts);
const saying = (...parts: object[]) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0 }],
  usageMetadata: {},
  ...IDENTITY,
});

function answered(...calls: string[]): Answer {
  const answer = new Answer();
  answer.addReasoning('Hm.');
  calls.forEach((name, index) => answer.addToolCall({ index, id: `c${index}`, name, arguments: '{"a":1}' }));
  return answer;
}

function events(text: string): unknown[] {
  return text
    .split('\n\n')
    .filter((event) => event.trim() !== '')
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as unknown);
}

// Fields: https://ai.google.dev/api/generate-content
describe('GeminiFrames', () => {
  it('sends each piece in an event of its own', () => {
    const frames = new GeminiFrames(shown());
    const text =
      frames.begin() + frames.reasoning('why\n') + frames.text('so "it" is $&') + frames.refusal('no');
    expect(events(text)).toEqual([
      saying({ text: 'why\n', thought: true }),
      saying({ text: 'so "it" is $&' }),
      saying({ text: 'no' }),
    ]);
  });

  it('shows thoughts only to those who want them', () => {
    expect(new GeminiFrames(shown(false)).reasoning('why')).toBe('');
  });

  it('sends calls as a whole at the end, with the thoughts before them in the signature of the first', () => {
    const frames = new GeminiFrames(shown());
    expect(frames.toolCall()).toBe('');
    expect(events(frames.end(answered('read', 'write'), 'tool_calls', USAGE))).toEqual([
      {
        ...IDENTITY,
        candidates: [
          {
            content: {
              role: 'model',
              parts: [
                {
                  functionCall: { id: 'c0', name: 'read', args: { a: 1 } },
                  thoughtSignature: expect.any(String),
                },
                { functionCall: { id: 'c1', name: 'write', args: { a: 1 } } },
              ],
            },
            finishReason: 'STOP',
            index: 0,
          },
        ],
        usageMetadata: FIGURES,
      },
    ]);
    const [, signature] =
      /"thoughtSignature":"([^"]+)/.exec(frames.end(answered('read'), 'stop', USAGE)) ?? [];
    expect(carriedText(signature)).toBe('Hm.');
  });

  it.each([
    ['stop', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
  ] as const)('tells of the end %s', (reason, finishReason) => {
    expect(events(new GeminiFrames(shown()).end(answered(), reason, USAGE))).toMatchObject([
      { candidates: [{ content: { parts: [{ text: '' }] }, finishReason }] },
    ]);
  });

  it('tells of a refusal', () => {
    const answer = answered();
    answer.addRefusal('No.');
    expect(shown(false).whole(answer, 'stop', USAGE)).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'No.' }] }, finishReason: 'SAFETY' }],
    });
  });

  // A library matches the rest of its stream against `^data\: (.*)\n\n`.
  it('is nothing but events, whatever the silence before and between them', () => {
    const frames = new GeminiFrames(shown(false));
    let text = frames.heartbeat() + frames.heartbeat() + frames.begin() + frames.reasoning('why');
    text += frames.heartbeat() + frames.text('a') + frames.text('b');
    text += frames.heartbeat() + frames.end(answered(), 'stop', USAGE);
    expect(text).toMatch(/^(?:data: .*\n\n){3}$/);
    expect(events(text)).toMatchObject([saying({ text: 'a' }), saying({ text: 'b' }), {}]);
  });

  it.each([false, true])('sends an error outside of events, also of an open one: %s', (isOpen) => {
    const frames = new GeminiFrames(shown());
    const opened = isOpen ? frames.heartbeat() : '';
    expect(opened.includes('\n')).toBe(false);
    const text = frames.error(ERROR);
    expect(text.startsWith('\n')).toBe(isOpen);
    expect(JSON.parse(text)).toEqual({
      error: { code: 500, message: ERROR.message, status: 'INTERNAL' },
    });
  });
});

describe('GeminiArrayFrames', () => {
  it('makes one array of all pieces', () => {
    const frames = new GeminiArrayFrames(shown());
    let text = frames.heartbeat() + frames.reasoning('a') + frames.heartbeat();
    text += frames.text('b') + frames.heartbeat() + frames.end(answered(), 'stop', USAGE);
    expect(JSON.parse(text)).toEqual([
      saying({ text: 'a', thought: true }),
      saying({ text: 'b' }),
      expect.objectContaining({ usageMetadata: FIGURES }),
    ]);
  });

  it('ends with an error where an answer fails', () => {
    const frames = new GeminiArrayFrames(shown(false));
    expect(JSON.parse(frames.reasoning('a') + frames.refusal('b') + frames.error(ERROR))).toEqual([
      saying({ text: 'b' }),
      { error: expect.objectContaining({ code: 500 }) },
    ]);
  });
});
