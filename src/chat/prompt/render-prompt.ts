import { type ChatMessage, contentText, type ToolCall } from '../interfaces/chat-message.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { renderToolCall } from './render-tool-call.js';

const CONTINUE = 'Write the next message of the assistant in this conversation, and nothing else.';

/**
 * Renders a conversation to the one text that a chat box takes. A lone user message goes as it is, as a person
 * would type it; anything more is a transcript whose tags stand on lines of their own. Equal input gives equal
 * bytes, and a longer transcript keeps the bytes of its beginning up to the closing line, so that upstream prompt
 * caches hit.
 */
export function renderPrompt(
  messages: readonly ChatMessage[],
  format: ResponseFormat = { type: 'text' },
): string {
  const [first] = messages;
  const isLoneUser = messages.length === 1 && first?.role === 'user';
  const body = isLoneUser ? contentText(first.content) : `${renderTranscript(messages)}\n\n${CONTINUE}`;
  // A lone surrogate cannot travel as UTF-8 and would make the prompt differ from what is verified upstream.
  return (body + formatInstruction(format)).toWellFormed();
}

function renderTranscript(messages: readonly ChatMessage[]): string {
  const toolNames = new Map<string, string>();
  return messages
    .map((message) => {
      toolCalls(message).forEach((call) => toolNames.set(call.id, call.function.name));
      return renderMessage(message, toolNames);
    })
    .join('\n\n');
}

/** Only an assistant's calls are checked by validation; in other messages the field is unknown and ignored. */
function toolCalls({ role, tool_calls }: ChatMessage): readonly ToolCall[] {
  return role === 'assistant' ? (tool_calls ?? []) : [];
}

function renderMessage(message: ChatMessage, toolNames: ReadonlyMap<string, string>): string {
  const text = contentText(message.content);
  switch (message.role) {
    case 'system':
    case 'developer':
      return `<system>\n${text}\n</system>`;
    case 'user':
      return `<user>\n${text}\n</user>`;
    case 'assistant': {
      const calls = toolCalls(message).map((call) => renderToolCall(call.function));
      return `<assistant>\n${[text, ...calls].filter((part) => part !== '').join('\n')}\n</assistant>`;
    }
    case 'tool': {
      const name = toolNames.get(message.tool_call_id ?? '') ?? 'tool';
      return `<tool_response name="${name}">\n${text}\n</tool_response>`;
    }
  }
}

function formatInstruction(format: ResponseFormat): string {
  switch (format.type) {
    case 'text':
      return '';
    case 'json_object':
      return '\n\nAnswer with one valid JSON object and nothing else: no code fence, no comment.';
    case 'json_schema':
      return (
        '\n\nAnswer with one valid JSON value and nothing else: no code fence, no comment. ' +
        `It must conform to this JSON Schema:\n${JSON.stringify(format.json_schema.schema)}`
      );
  }
}
