import { type ChatMessage, type MessageContent } from '../interfaces/chat-message.js';
import { assistantCalls } from './tool-history-renderer.js';

const LEAD = 'Result of an earlier tool call:';

/**
 * A conversation for an upstream that knows tools. Callers that shorten their histories leave results without the calls
 * before them, which no such upstream takes: the user says these, behind results that do have their call. The
 * conversation itself if there are none.
 */
export function withUnpairedAsText(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const called = new Set<string | undefined>();
  const unpaired: ChatMessage[] = [];
  let isChanged = false;
  const written = messages.flatMap((message) => {
    if (message.role !== 'tool') {
      assistantCalls(message).forEach(({ id }) => called.add(id));
      return [...unpaired.splice(0), message];
    }
    if (called.has(message.tool_call_id)) {
      return [message];
    }
    isChanged = true;
    unpaired.push({ role: 'user', content: asText(message.content) });
    return [];
  });
  return isChanged ? [...written, ...unpaired] : messages;
}

function asText(content: MessageContent): MessageContent {
  return typeof content === 'string'
    ? `${LEAD}\n\n${content}`
    : [{ type: 'text', text: LEAD }, ...(content ?? [])];
}
