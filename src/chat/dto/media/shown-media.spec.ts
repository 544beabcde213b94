import { describe, expect, it } from '@jest/globals';
import { type ChatMessage, type MediaPart } from '../../interfaces/chat-message.js';
import { withMediaBehindResults } from './shown-media.js';

const IMAGE: MediaPart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const FILE: MediaPart = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:,a' } };
const text = (value: string) => ({ type: 'text', text: value }) as const;
const ASK: ChatMessage = { role: 'user', content: 'Look.' };
const result = (content: ChatMessage['content']): ChatMessage => ({
  role: 'tool',
  tool_call_id: 't1',
  content,
});

describe('withMediaBehindResults', () => {
  it('has the user show, behind all results, what tools have shown', () => {
    const said: ChatMessage = { role: 'assistant', content: 'I see.' };
    const messages = [ASK, result([text('A.'), IMAGE]), result('B.'), result([FILE]), said, result([IMAGE])];
    expect(withMediaBehindResults(messages)).toEqual([
      ASK,
      result('A.\n\n[image: shown after the results]'),
      result('B.'),
      result('[file: shown after the results]'),
      { role: 'user', content: [IMAGE, FILE] },
      said,
      result('[image: shown after the results]'),
      { role: 'user', content: [IMAGE] },
    ]);
  });

  it.each<[ChatMessage['content'], ChatMessage['content']]>([
    ['Go on.', [IMAGE, text('Go on.')]],
    [
      [FILE, text('Go on.')],
      [IMAGE, FILE, text('Go on.')],
    ],
    ['', [IMAGE]],
  ])('puts it before what the user says next: %j', (content, expected) => {
    const next: ChatMessage = { role: 'user', name: 'ann', content };
    expect(withMediaBehindResults([result([text(''), IMAGE]), next, ASK])).toEqual([
      result('[image: shown after the results]'),
      { role: 'user', name: 'ann', content: expected },
      ASK,
    ]);
  });

  it('shows hundreds of thousands from one result', () => {
    const [, shown] = withMediaBehindResults([result(Array.from({ length: 200_000 }, () => IMAGE))]);
    expect(shown?.content).toHaveLength(200_000);
  });

  it('leaves a conversation alone in which no tool shows anything', () => {
    const messages = [ASK, result([text('A.'), text('B.')]), { role: 'user', content: [IMAGE] } as const];
    expect(withMediaBehindResults(messages)).toBe(messages);
  });
});
