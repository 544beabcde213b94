import { type ChatMessage, contentText } from '../interfaces/chat-message.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { ToolHistoryRenderer } from './tool-history-renderer.js';

const CLOSING_LINE = 'Write the next message of the assistant in this conversation, and nothing else.';

/** What could end the attribute or the tag that a participant's name stands in. */
const NO_NAME = /[\s"<>]+/g;
/** The format's own limit of names. */
const MAX_NAME_CHARS = 64;

/** The parts of a prompt around the conversation. */
export interface PromptFrame {
  readonly format?: ResponseFormat;
  /** Definitions of the tools, by which past calls are rendered; those of other tools are rendered without. */
  readonly tools?: readonly ToolDefinition[];
  /** Whether the answer can be a tool call. */
  readonly mayCall?: boolean;
  /** Instruction for calling tools; behind the closing line. */
  readonly reminder?: string;
  /** Instruction on a rejected answer; the very end of the prompt. */
  readonly correction?: string;
}

/**
 * Renders a conversation to the one text that a chat box takes. A lone user message is sent unchanged, as a person would
 * type it, unless it is blank, which no chat box sends. Anything else becomes a transcript with tags on lines of their
 * own, which name the participants that the caller names. Equal input gives equal bytes, and a longer transcript keeps the
 * bytes of its beginning up to the closing line, so that upstream prompt caches hit.
 */
export function renderPrompt(messages: readonly ChatMessage[], frame: PromptFrame = {}): string {
  const { format = { type: 'text' }, tools, mayCall = false, reminder, correction } = frame;
  const [first] = messages;
  const isLoneUser = messages.length === 1 && first?.role === 'user' && !reminder && !correction;
  const typed = isLoneUser ? contentText(first.content) : '';
  const parts = typed.trim()
    ? [typed]
    : [
        renderTranscript(messages, new ToolHistoryRenderer(tools)),
        reminder ? `${CLOSING_LINE} ${reminder}` : CLOSING_LINE,
      ];
  const text = [...parts, formatInstruction(format, mayCall), correction]
    .filter((part) => part !== undefined)
    .join('\n\n');
  // A lone surrogate cannot be encoded as UTF-8, so the prompt would differ from the text that is verified upstream.
  return text.toWellFormed();
}

function renderTranscript(messages: readonly ChatMessage[], history: ToolHistoryRenderer): string {
  return messages.map((message) => renderMessage(message, history)).join('\n\n');
}

function renderMessage(message: ChatMessage, history: ToolHistoryRenderer): string {
  switch (message.role) {
    case 'system':
    case 'developer':
      return renderTurn('system', message, contentText(message.content));
    case 'user':
      return renderTurn('user', message, contentText(message.content));
    case 'assistant':
      return renderTurn('assistant', message, history.renderAnswer(message));
    case 'tool':
      return history.renderResult(message);
  }
}

function renderTurn(tag: string, { name }: ChatMessage, text: string): string {
  const who = name?.replace(NO_NAME, ' ').trim().slice(0, MAX_NAME_CHARS);
  return `<${tag}${who ? ` name="${who}"` : ''}>\n${text}\n</${tag}>`;
}

function formatInstruction(format: ResponseFormat, mayCall: boolean): string | undefined {
  const answer = mayCall ? 'Unless you call a tool, answer' : 'Answer';
  switch (format.type) {
    case 'text':
      return undefined;
    case 'json_object':
      return `${answer} with one valid JSON object and nothing else: no code fence, no comment.`;
    case 'json_schema':
      return (
        `${answer} with one valid JSON value and nothing else: no code fence, no comment. ` +
        `It must conform to this JSON Schema:\n${JSON.stringify(format.json_schema.schema)}`
      );
  }
}
