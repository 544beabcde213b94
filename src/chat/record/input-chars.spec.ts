import { describe, expect, it } from '@jest/globals';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { ConversationPrompt } from '../prompt/conversation-prompt.js';
import { inputChars } from './input-chars.js';

const conversation: ChatMessage[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'developer', content: 'And brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Read it.' }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: '1', type: 'function', function: { name: 'read', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: '1', content: 'x'.repeat(100) },
];
const tool = { type: 'function', function: { name: 'read', description: 'd'.repeat(500) } } as const;

describe('inputChars', () => {
  it('adds the parts of an input up to its whole', () => {
    const native = { definitions: [tool], choice: 'auto', parallel: true } as const;
    const prompt = new ConversationPrompt({ conversation, format: { type: 'text' }, native });
    const { rest = 0, ...parts } = inputChars(prompt);
    expect(parts).toEqual({ instructions: 18, user: 8, assistant: 6, results: 100 });
    expect(rest).toBeGreaterThan(500);
    expect(rest + 18 + 8 + 6 + 100).toBe(prompt.input.length);
  });

  it('leaves out parts that are not there', () => {
    const prompt = new ConversationPrompt({
      conversation: [{ role: 'user', content: 'hi' }],
      format: { type: 'text' },
    });
    expect(inputChars(prompt)).toEqual({ user: 2 });
  });
});
