import { type InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { invalidField, isAbsent, isJsonObject } from './wire-values.js';

/** Messages of a request: far more than any client sends, and few enough not to block the event loop. */
const MAX_MESSAGES = 100_000;

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/**
 * Checks the `messages` of a request in one pass. The path of a field is built only for an error.
 * @throws InvalidRequestError whose `param` names the field, e.g. `messages[3].tool_call_id`
 */
export function validateMessages(value: unknown): readonly ChatMessage[] {
  if (isAbsent(value)) {
    throw invalidField('messages', 'is required');
  }
  if (!Array.isArray(value)) {
    throw invalidField('messages', 'must be an array');
  }
  if (value.length === 0 || value.length > MAX_MESSAGES) {
    throw invalidField('messages', `must hold 1 to ${MAX_MESSAGES} messages`);
  }
  const callIds = new Set<string>();
  value.forEach((message: unknown, index) => validateMessage(message, index, callIds));
  return value as ChatMessage[];
}

function validateMessage(message: unknown, index: number, callIds: Set<string>): void {
  if (!isJsonObject(message)) {
    throw invalid(index, '', 'must be an object');
  }
  const { role, content, name } = message;
  if (typeof role !== 'string' || !ROLES.has(role)) {
    throw invalid(index, 'role', `must be one of ${[...ROLES].join(', ')}`);
  }
  if (!isAbsent(name) && typeof name !== 'string') {
    throw invalid(index, 'name', 'must be a string');
  }
  if (role === 'assistant') {
    validateContent(content, index, { nullable: true });
    if (!isAbsent(message.reasoning_content) && typeof message.reasoning_content !== 'string') {
      throw invalid(index, 'reasoning_content', 'must be a string');
    }
    validateToolCalls(message.tool_calls, index, callIds);
    return;
  }
  validateContent(content, index, { nullable: false });
  if (role === 'tool') {
    validateToolCallId(message.tool_call_id, index, callIds);
  }
}

function validateContent(content: unknown, index: number, { nullable }: { nullable: boolean }): void {
  if (typeof content === 'string' || (nullable && isAbsent(content))) {
    return;
  }
  if (!Array.isArray(content)) {
    throw invalid(index, 'content', 'must be a string or an array of text parts');
  }
  content.forEach((part: unknown, at) => {
    const field = `content[${at}]`;
    if (!isJsonObject(part)) {
      throw invalid(index, field, 'must be an object');
    }
    const key = nullable && part.type === 'refusal' ? 'refusal' : 'text';
    if (part.type !== key) {
      const type = typeof part.type === 'string' ? ` (got ${JSON.stringify(part.type.slice(0, 40))})` : '';
      throw invalid(index, field, `must be a text part: this gateway takes text only${type}`);
    }
    if (typeof part[key] !== 'string') {
      throw invalid(index, `${field}.${key}`, 'must be a string');
    }
  });
}

function validateToolCalls(calls: unknown, index: number, callIds: Set<string>): void {
  if (isAbsent(calls)) {
    return;
  }
  if (!Array.isArray(calls)) {
    throw invalid(index, 'tool_calls', 'must be an array');
  }
  calls.forEach((call: unknown, at) => {
    const field = `tool_calls[${at}]`;
    if (!isJsonObject(call)) {
      throw invalid(index, field, 'must be an object');
    }
    if (typeof call.id !== 'string' || call.id === '') {
      throw invalid(index, `${field}.id`, 'must be a non-empty string');
    }
    if (!isAbsent(call.type) && call.type !== 'function') {
      throw invalid(index, `${field}.type`, 'must be "function"');
    }
    if (!isJsonObject(call.function)) {
      throw invalid(index, `${field}.function`, 'must be an object');
    }
    if (typeof call.function.name !== 'string' || call.function.name === '') {
      throw invalid(index, `${field}.function.name`, 'must be a non-empty string');
    }
    if (typeof call.function.arguments !== 'string') {
      throw invalid(index, `${field}.function.arguments`, 'must be a string that holds JSON');
    }
    callIds.add(call.id);
  });
}

function validateToolCallId(id: unknown, index: number, callIds: ReadonlySet<string>): void {
  if (typeof id !== 'string' || id === '') {
    throw invalid(index, 'tool_call_id', 'must be a non-empty string');
  }
  if (!callIds.has(id)) {
    throw invalid(index, 'tool_call_id', 'must be the id of a tool call in an assistant message before it');
  }
}

function invalid(index: number, field: string, problem: string): InvalidRequestError {
  return invalidField(`messages[${index}]${field === '' ? '' : `.${field}`}`, problem);
}
