import { type InputChars } from '../../logs/records/request-log-entry.js';
import { assistantCalls, callText, type ChatMessage, contentText } from '../interfaces/chat-message.js';
import { type ConversationPrompt } from '../prompt/conversation-prompt.js';

const PARTS: Readonly<Record<ChatMessage['role'], keyof InputChars>> = {
  system: 'instructions',
  developer: 'instructions',
  user: 'user',
  assistant: 'assistant',
  tool: 'results',
};

/** What an input is made of: in characters, since counting the tokens of each part would cost as much as those of all. */
export function inputChars({
  conversation,
  input,
}: Pick<ConversationPrompt, 'conversation' | 'input'>): InputChars {
  const chars: Partial<Record<keyof InputChars, number>> = {};
  let rest = input.length;
  const add = (part: keyof InputChars, length: number): void => {
    if (length > 0) {
      chars[part] = (chars[part] ?? 0) + length;
      rest -= length;
    }
  };
  for (const message of conversation) {
    const calls = assistantCalls(message).map(callText);
    add(
      PARTS[message.role],
      calls.reduce((sum, { length }) => sum + length, contentText(message.content).length),
    );
  }
  add('rest', rest);
  return chars;
}
