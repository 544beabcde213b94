import { keptText, type LogContent } from '../../logs/records/log-content.js';
import { type ContentRecord, type MessageRecord } from '../../logs/records/request-log-entry.js';
import { type Answer } from '../completion/answer.js';
import { type ChatMessage, contentText } from '../interfaces/chat-message.js';

/** Messages that a preview keeps: the first ones say what it is about, the last ones what was asked. */
const PREVIEW_FIRST = 2;
const PREVIEW_LAST = 10;

/** What the log keeps of a conversation and its answer; undefined if nothing. */
export function toContentRecord(
  messages: readonly ChatMessage[],
  answer: Answer,
  mode: LogContent,
): ContentRecord | undefined {
  if (mode === 'none') {
    return undefined;
  }
  const keep = (text: string): string => keptText(text, mode) ?? '';
  const omitted = mode === 'full' ? 0 : Math.max(0, messages.length - PREVIEW_FIRST - PREVIEW_LAST);
  const kept = messages.toSpliced(PREVIEW_FIRST, omitted);
  return {
    messages: kept.map((message) => toMessageRecord(message, keep)),
    ...(omitted > 0 ? { omittedMessages: omitted } : {}),
    reasoning: keep(answer.reasoning),
    answer: keep(answer.refusal === '' ? answer.text : answer.refusal),
  };
}

function toMessageRecord(message: ChatMessage, keep: (text: string) => string): MessageRecord {
  const { role, content, tool_call_id: toolCallId } = message;
  const calls = role === 'assistant' ? (message.tool_calls ?? []) : [];
  return {
    role,
    content: keep(contentText(content)),
    ...(role === 'tool' && toolCallId !== undefined ? { toolCallId } : {}),
    ...(calls.length === 0
      ? {}
      : {
          toolCalls: calls.map(({ id, function: { name, arguments: json } }) => ({
            id,
            name,
            arguments: keep(json),
          })),
        }),
  };
}
