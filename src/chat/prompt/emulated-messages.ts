import {
  type ChatMessage,
  contentParts,
  contentText,
  mediaParts,
  type MessageContent,
} from '../interfaces/chat-message.js';
import { type ToolHistoryRenderer } from './tool-history-renderer.js';

type HistoryTexts = Pick<ToolHistoryRenderer, 'renderAnswer' | 'renderResult'>;

/**
 * A conversation with calls and results as text, for an upstream that takes messages but knows no tools. Results become
 * user messages and are merged with neighbouring ones, because many servers require alternating roles. Messages without
 * calls stay unchanged.
 */
export function emulatedMessages(messages: readonly ChatMessage[], history: HistoryTexts): ChatMessage[] {
  const runs: ChatMessage[][] = [];
  let isResult = false;
  for (const message of messages) {
    const run = runs.at(-1);
    const text = emulated(message, history);
    if (run?.[0]?.role === 'user' && text.role === 'user' && (isResult || message.role === 'tool')) {
      run.push(text);
    } else {
      runs.push([text]);
    }
    isResult = message.role === 'tool';
  }
  return runs.map(merged);
}

function emulated(message: ChatMessage, history: HistoryTexts): ChatMessage {
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

/** Messages of one role as one: of parts where one of them has more than text, else of paragraphs. */
function merged(run: readonly ChatMessage[]): ChatMessage {
  const [first] = run as readonly [ChatMessage];
  if (run.length === 1) {
    return first;
  }
  const texts = run.map(({ content }) => contentText(content));
  return {
    ...first,
    content: run.some(({ content }) => mediaParts(content).length > 0)
      ? run.flatMap(({ content }) => contentParts(content))
      : texts.slice(texts.findIndex((text) => text !== '')).join('\n\n'),
  };
}

/** A message with a paragraph appended. */
export function withText(message: ChatMessage, text: string): ChatMessage {
  if (mediaParts(message.content).length > 0) {
    return { ...message, content: [...contentParts(message.content), { type: 'text', text }] };
  }
  const before = contentText(message.content);
  return { ...message, content: before === '' ? text : `${before}\n\n${text}` };
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
