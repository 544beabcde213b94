import { describe, expect, it } from '@jest/globals';
import { cpuMs, expectCostRatio } from '../../../test/support/watch/cpu-time.js';
import { type ChatMessage, contentText } from '../interfaces/chat-message.js';
import { emulatedMessages } from './emulated-messages.js';

const picture = { type: 'image_url', image_url: { url: 'data:,' } } as const;
const history = {
  renderAnswer: ({ content }: ChatMessage): string => `answer ${contentText(content)}`,
  renderResult: ({ content }: ChatMessage): string => `result ${contentText(content)}`,
};
const result = (content: ChatMessage['content']): ChatMessage => ({
  role: 'tool',
  tool_call_id: 'c',
  content,
});
const asked = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content });

describe('emulatedMessages', () => {
  it('merges results with each other and with what the user says beside them', () => {
    expect(
      emulatedMessages(
        [asked('Hi'), asked('Go'), result('a'), result('b'), asked(''), asked('Why?'), asked([picture])],
        history,
      ),
    ).toEqual([asked('Hi'), asked('Go\n\nresult a\n\nresult b\n\n'), asked('Why?'), asked([picture])]);
  });

  it('keeps what is no text in its place', () => {
    expect(emulatedMessages([result('a'), result([picture]), result('b')], history)).toEqual([
      asked([
        { type: 'text', text: 'result a' },
        { type: 'text', text: 'result [image]' },
        picture,
        { type: 'text', text: 'result b' },
      ]),
    ]);
  });

  it('makes no part of an empty text', () => {
    expect(emulatedMessages([result([picture]), asked('')], history)).toEqual([
      asked([{ type: 'text', text: 'result [image]' }, picture]),
    ]);
  });

  it('merges many in linear time', () => {
    const cost = (count: number): number =>
      cpuMs(() => emulatedMessages(Array<ChatMessage>(count).fill(result([picture])), history));
    expectCostRatio({ small: () => cost(1000), large: () => cost(8000) }, 24);
  });
});
