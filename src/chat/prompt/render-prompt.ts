import { type ChatMessage, contentText } from '../interfaces/chat-message.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { ToolHistoryRenderer } from './tool-history-renderer.js';

const CONTINUE = 'Write the next message of the assistant in this conversation, and nothing else.';

/** What stands around a conversation. */
export interface PromptFrame {
  readonly format?: ResponseFormat;
  /** Definitions of the tools that past calls belong to. */
  readonly tools?: readonly ToolDefinition[];
  /** Whether the answer can be a tool call. */
  readonly mayCall?: boolean;
  /** What to remember at the end, on tool calls. */
  readonly reminder?: string;
  /** The last thing to read. */
  readonly correction?: string;
}

/**
 * Renders a conversation to the one text that a chat box takes. A lone user message goes as it is, as a person
 * would type it, unless it is blank, which no chat box sends; anything else is a transcript whose tags stand on lines
 * of their own. Equal input gives equal bytes, and a longer transcript keeps the bytes of its beginning up to the closing line, so that upstream prompt
 * caches hit.
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
        reminder ? `${CONTINUE} ${reminder}` : CONTINUE,
      ];
  const text = [...parts, formatInstruction(format, mayCall), correction]
    .filter((part) => part !== undefined)
    .join('\n\n');
  // A lone surrogate cannot travel as UTF-8 and would make the prompt differ from what is verified upstream.
  return text.toWellFormed();
}

function renderTranscript(messages: readonly ChatMessage[], calls: ToolHistoryRenderer): string {
  return messages.map((message) => renderMessage(message, calls)).join('\n\n');
}

function renderMessage(message: ChatMessage, calls: ToolHistoryRenderer): string {
  switch (message.role) {
    case 'system':
    case 'developer':
      return `<system>\n${contentText(message.content)}\n</system>`;
    case 'user':
      return `<user>\n${contentText(message.content)}\n</user>`;
    case 'assistant':
      return `<assistant>\n${calls.renderAnswer(message)}\n</assistant>`;
    case 'tool':
      return calls.renderResult(message);
  }
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
