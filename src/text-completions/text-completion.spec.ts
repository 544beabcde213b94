import { describe, expect, it, jest } from '@jest/globals';
import { ONLY_CHOICE } from '../chat/completion/output/choice-place.js';
import { TextCompletionFrames } from './text-completion.js';

const IDENTITY = { id: 'cmpl-1', created: 5, model: 'a "text":"" b' };

describe('TextCompletionFrames', () => {
  it('sends each text in a piece of its own', () => {
    const frames = new TextCompletionFrames(IDENTITY, false, ONLY_CHOICE);
    const [start, end] = frames.text('so "it" is\n$&').split('data: ');
    expect(start).toBe('');
    expect(JSON.parse(end!)).toEqual({
      ...IDENTITY,
      object: 'text_completion',
      system_fingerprint: expect.any(String),
      choices: [{ text: 'so "it" is\n$&', index: 0, logprobs: null, finish_reason: null }],
    });
    expect(end).toMatch(/[^\n]\n\n$/);
  });

  it('serialises nothing but the text for a piece', () => {
    const frames = new TextCompletionFrames(IDENTITY, false, ONLY_CHOICE);
    const stringify = jest.spyOn(JSON, 'stringify');
    frames.text('a');
    expect(stringify.mock.calls).toEqual([['a']]);
    stringify.mockRestore();
  });
});
