import { describe, expect, it } from '@jest/globals';
import { Answer } from '../completion/answer.js';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { toContentRecord } from './content-record.js';

const LONG = 'x'.repeat(501);

function answered(): Answer {
  const answer = new Answer();
  answer.addReasoning('Why.');
  answer.addText(LONG);
  return answer;
}

const CONVERSATION: ChatMessage[] = [
  { role: 'system', content: [{ type: 'text', text: LONG }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: LONG } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'Text.' },
];

describe('toContentRecord', () => {
  it('keeps nothing, a preview of each text, or everything', () => {
    const record = (text: string) => ({
      messages: [
        { role: 'system', content: text },
        { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'read', arguments: text }] },
        { role: 'tool', content: 'Text.', toolCallId: 'c1' },
      ],
      reasoning: 'Why.',
      answer: text,
    });
    expect(toContentRecord(CONVERSATION, answered(), 'none')).toBeUndefined();
    expect(toContentRecord(CONVERSATION, answered(), 'preview')).toEqual(record('x'.repeat(500)));
    expect(toContentRecord(CONVERSATION, answered(), 'full')).toEqual(record(LONG));
  });

  it('leaves out the middle of a long conversation in a preview only', () => {
    const messages = Array.from({ length: 15 }, (_, index): ChatMessage => ({
      role: 'user',
      content: `${index}`,
    }));
    const texts = (mode: 'preview' | 'full') =>
      toContentRecord(messages, new Answer(), mode)?.messages.map(({ content }) => content);
    expect(texts('full')).toHaveLength(15);
    expect(texts('preview')).toEqual(['0', '1', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14']);
    expect(toContentRecord(messages, new Answer(), 'preview')?.omittedMessages).toBe(3);
    expect(toContentRecord(messages, new Answer(), 'full')).not.toHaveProperty('omittedMessages');
  });
});
