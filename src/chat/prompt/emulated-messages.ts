import {
  type ChatMessage,
  type ContentPart,
  contentText,
  mediaParts,
  type MessageContent,
} from '../interfaces/chat-message.js';
import { type ToolHistoryRenderer } from './tool-history-renderer.js';

/**
 * A conversation with calls and results as text, for an upstream that takes messages but knows no tools. Results become
 * user messages and are merged with neighbouring ones, because many servers require alternating roles. Messages without
 * calls stay unchanged.
 */
export function emulatedMessages(
  messages: readonly ChatMessage[],
  history: ToolHistoryRenderer,
): ChatMessage[] {
  const found: ChatMessage[] = [];
  let isResult = false;
  for (const message of messages) {
    const last = found.at(-1);
    const text = emulated(message, history);
    if (last?.role === 'user' && text.role === 'user' && (isResult || message.role === 'tool')) {
      found[found.length - 1] = joined(last, text);
    } else {
      found.push(text);
    }
    isResult = message.role === 'tool';
  }
  return found;
}

function emulated(message: ChatMessage, history: ToolHistoryRenderer): ChatMessage {
  const { role, tool_calls, ...rest } = message;
  switch (role) {
    case 'tool':
      return { role: 'user', content: withMedia(history.renderResult(message), message) };
    case 'assistant':
      return tool_calls?.length
        ? { role, ...rest, content: withMedia(history.renderAnswer(message), message) }
        : message;
    case 'system':
    case 'developer':
    case 'user':
      return message;
  }
}

/** A text that stands for a message, and what of the message is no text behind it. */
function withMedia(text: string, { content }: ChatMessage): MessageContent {
  const media = mediaParts(content);
  return media.length === 0 ? text : [{ type: 'text', text }, ...media];
}

/** Two messages of one role as one. */
function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  const { content } = second;
  return mediaParts(content).length === 0
    ? withText(first, contentText(content))
    : { ...first, content: [...partsOf(first.content), ...partsOf(content)] };
}

/** A message with a paragraph appended. */
export function withText(message: ChatMessage, text: string): ChatMessage {
  if (mediaParts(message.content).length > 0) {
    return { ...message, content: [...partsOf(message.content), { type: 'text', text }] };
  }
  const before = contentText(message.content);
  return { ...message, content: before === '' ? text : `${before}\n\n${text}` };
}

function partsOf(content: MessageContent): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

/** Appends instructions to the last system message at the beginning, or adds one in front. */
export function withInstructions(
  messages: readonly ChatMessage[],
  instructions: string,
): readonly ChatMessage[] {
  const count = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const last = (count === -1 ? messages.length : count) - 1;
  return last === -1
    ? [{ role: 'system', content: instructions }, ...messages]
    : messages.with(last, withText(messages[last]!, instructions));
}
