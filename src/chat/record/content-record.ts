import { cutLength, keptText, type LogContent } from '../../logs/records/log-content.js';
import { type ContentRecord, type MessageRecord } from '../../logs/records/request-log-entry.js';
import { type Answer } from '../completion/answer.js';
import {
  assistantCalls,
  type ChatMessage,
  contentText,
  MEDIA_KINDS,
  mediaParts,
  type ToolCall,
} from '../interfaces/chat-message.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { newestOwnMessage, withoutReminders } from '../interfaces/own-message.js';
import { textParameters } from './parameters-record.js';

/** Messages that a preview keeps: the first ones say what it is about, the last ones what was asked. */
const PREVIEW_FIRST = 2;
const PREVIEW_LAST = 10;

/** The logged part of a conversation and its answer; undefined if none is kept. */
export function toContentRecord(
  request: CompletionRequest,
  answer: Pick<Answer, 'text' | 'reasoning' | 'refusal'>,
  mode: LogContent,
): ContentRecord | undefined {
  if (mode === 'none') {
    return undefined;
  }
  const { messages, tools } = request;
  const omitted = mode === 'full' ? 0 : Math.max(0, messages.length - PREVIEW_FIRST - PREVIEW_LAST);
  const kept = messages.toSpliced(PREVIEW_FIRST, omitted);
  const said = saidBy(answer);
  const texts = textParameters(request, mode);
  return {
    messages: kept.map((message) => toMessageRecord(message, mode)),
    omittedMessages: omitted > 0 ? omitted : undefined,
    reasoning: keep(answer.reasoning, mode),
    reasoningChars: cutLength(answer.reasoning, mode).chars,
    answer: keep(said, mode),
    answerChars: cutLength(said, mode).chars,
    toolNames: tools.length > 0 ? tools.map((tool) => tool.function.name) : undefined,
    texts: Object.keys(texts).length > 0 ? texts : undefined,
  };
}

/** The same for a completion that is running: always what there is so far. @param answer the present one */
export function toGrowingRecord(
  request: CompletionRequest,
  answer: () => Pick<Answer, 'text' | 'reasoning' | 'refusal'>,
  mode: LogContent,
): ContentRecord | undefined {
  return mode === 'none' ? undefined : new GrowingContent(() => toContentRecord(request, answer(), mode)!);
}

/** Made anew when it is read: most completions end before anybody does. */
class GrowingContent implements ContentRecord {
  constructor(private readonly make: () => ContentRecord) {}

  get messages(): readonly MessageRecord[] {
    return this.make().messages;
  }

  get reasoning(): string {
    return this.make().reasoning;
  }

  get answer(): string {
    return this.make().answer;
  }

  toJSON(): ContentRecord {
    return this.make();
  }
}

/** What the user wrote last, without what agents add to it; empty without a message. */
export function lastUserText(messages: readonly ChatMessage[]): string {
  return withoutReminders(contentText(messages[newestOwnMessage(messages)]?.content));
}

function saidBy({ refusal, text }: Pick<Answer, 'text' | 'refusal'>): string {
  return text === '' || refusal === '' ? text + refusal : `${text}\n\n${refusal}`;
}

function keep(text: string, mode: LogContent): string {
  return keptText(text, mode) ?? '';
}

function toMessageRecord(message: ChatMessage, mode: LogContent): MessageRecord {
  const { role, content, tool_call_id: toolCallId } = message;
  const text = contentText(content);
  const media = mediaParts(content).map(({ type }) => MEDIA_KINDS[type]);
  const calls = assistantCalls(message);
  return {
    role,
    content: keep(text, mode),
    ...cutLength(text, mode),
    media: media.length > 0 ? media : undefined,
    toolCallId: role === 'tool' ? toolCallId : undefined,
    toolCalls: calls.length > 0 ? calls.map((call) => toCallRecord(call, mode)) : undefined,
  };
}

function toCallRecord(
  { id, function: { name, arguments: json } }: ToolCall,
  mode: LogContent,
): NonNullable<MessageRecord['toolCalls']>[number] {
  return { id, name, arguments: keep(json, mode), ...cutLength(json, mode) };
}
