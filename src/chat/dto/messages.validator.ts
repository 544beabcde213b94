import { type InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { mediaRefusedAt } from '../interfaces/own-message.js';
import { readParts } from './content-parts.js';
import { customArguments } from './custom-tools.js';
import { type TakesMedia, TEXT_ONLY } from './media/media-parts.js';
import { withMediaBehindResults } from './media/shown-media.js';
import { requestMembers } from './message-members.js';
import { withoutToolParts } from './tool-parts.js';
import { invalidField, isAbsent } from './wire-values.js';

/** Messages of a request, or items: far more than any client sends, and few enough not to block the event loop. */
const MAX_MESSAGES = 100_000;

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** What holds for all messages. */
interface Reading {
  readonly takes: TakesMedia;
  /** Index of the message in which what cannot go on is refused. */
  readonly mediaRefusedAt: number | undefined;
}

/**
 * Checks the `messages` of a request in one pass, and replaces those that cannot go on as they are: with
 * members of answers, parts named as in other formats, calls and results of tools among them, refusals, thoughts, pictures
 * and files in results of tools, and for an upstream that takes text only also those in older messages.
 * The path of a field is built only for an error.
 * @throws InvalidRequestError whose `param` names the field, e.g. `messages[3].tool_call_id`
 */
export function validateMessages(value: unknown, takes: TakesMedia = TEXT_ONLY): readonly ChatMessage[] {
  if (isAbsent(value)) {
    throw invalidField('messages', 'is required');
  }
  if (!Array.isArray(value)) {
    throw invalidField('messages', 'must be an array');
  }
  requireLength(value, 'messages');
  const reading = { takes, mediaRefusedAt: mediaRefusedAt(value) };
  let changed: unknown[] | undefined;
  value.forEach((message: unknown, index) => {
    const read = readMessage(message, index, reading);
    if (read !== message) {
      changed ??= [...(value as unknown[])];
      changed[index] = read;
    }
  });
  return withMediaBehindResults((changed?.flat() ?? value) as readonly ChatMessage[]);
}

/**
 * @param what the list holds
 * @throws InvalidRequestError if the list of a conversation is empty or too long
 */
export function requireLength(list: readonly unknown[], param: string, what = param): void {
  if (list.length === 0 || list.length > MAX_MESSAGES) {
    throw invalidField(param, `must hold 1 to ${MAX_MESSAGES} ${what}`);
  }
}

/** The message itself where nothing in it has to change; several where it has results of tools as parts. */
function readMessage(sent: unknown, index: number, reading: Reading): unknown {
  if (!isJsonObject(sent)) {
    throw invalid(index, '', 'must be an object');
  }
  const message = requestMembers(sent);
  const { role, name } = message;
  if (typeof role !== 'string' || !ROLES.has(role)) {
    throw invalid(
      index,
      'role',
      role === 'function'
        ? 'is no longer known: send the result as `tool`, with its `tool_call_id`'
        : `must be one of ${[...ROLES].join(', ')}`,
    );
  }
  if (!isAbsent(name) && typeof name !== 'string') {
    throw invalid(index, 'name', 'must be a string');
  }
  const messages = withoutToolParts(message, () => `messages[${index}].content`);
  if (messages) {
    const besideResults = { ...reading, mediaRefusedAt: undefined };
    return messages.flatMap((one) => readMessage(one, index, besideResults));
  }
  const read = readContent(message, index, reading);
  if (role === 'assistant') {
    if (!isAbsent(message.reasoning_content) && typeof message.reasoning_content !== 'string') {
      throw invalid(index, 'reasoning_content', 'must be a string');
    }
    const calls = readToolCalls(message.tool_calls, index);
    return calls === message.tool_calls ? read : { ...read, tool_calls: calls };
  }
  if (role === 'tool') {
    validateToolCallId(message.tool_call_id, index);
  }
  return read;
}

function readContent(message: JsonObject, index: number, reading: Reading): JsonObject {
  const { role, content } = message;
  const isAssistant = role === 'assistant';
  if (typeof content === 'string' || (isAssistant && isAbsent(content))) {
    return message;
  }
  if (role === 'tool' && isAbsent(content)) {
    return { ...message, content: '' };
  }
  if (!Array.isArray(content)) {
    throw invalid(index, 'content', 'must be a string or an array of text parts');
  }
  if (content.length === 0) {
    return { ...message, content: emptyContent(role, index) };
  }
  const rules = { isAssistant, refusesMedia: index === reading.mediaRefusedAt, takes: reading.takes };
  const read = readParts(content, () => `messages[${index}].content`, rules);
  if (read === undefined) {
    return message;
  }
  const { parts, thinking } = read;
  return {
    ...message,
    content: parts.length === 0 ? null : parts,
    ...(thinking !== '' && isAbsent(message.reasoning_content) && { reasoning_content: thinking }),
  };
}

/** Nothing said or found is no text, which upstreams take; of who asks, it is a mistake. */
function emptyContent(role: unknown, index: number): string | null {
  switch (role) {
    case 'assistant':
      return null;
    case 'tool':
      return '';
    default:
      throw invalid(index, 'content', 'must hold at least one part');
  }
}

/** The calls themselves where all of them are of functions. */
function readToolCalls(calls: unknown, index: number): unknown {
  if (isAbsent(calls)) {
    return calls;
  }
  if (!Array.isArray(calls)) {
    throw invalid(index, 'tool_calls', 'must be an array');
  }
  let isChanged = false;
  const read = calls.map((call: unknown, at) => {
    const field = `tool_calls[${at}]`;
    if (!isJsonObject(call)) {
      throw invalid(index, field, 'must be an object');
    }
    if (typeof call.id !== 'string' || call.id === '') {
      throw invalid(index, `${field}.id`, 'must be a non-empty string');
    }
    if (call.type === 'custom') {
      isChanged = true;
      return readCustomCall(call, index, field);
    }
    if (!isAbsent(call.type) && call.type !== 'function') {
      throw invalid(index, `${field}.type`, 'must be "function" or "custom"');
    }
    requireCall(call.function, 'arguments', 'must be a string that holds JSON', index, `${field}.function`);
    return call;
  });
  return isChanged ? read : calls;
}

/** A custom tool is a function to the model: see `toChatTools`. */
function readCustomCall({ id, custom }: JsonObject, index: number, field: string): object {
  const { name, input } = requireCall(custom, 'input', 'must be a string', index, `${field}.custom`);
  return { id, type: 'function', function: { name, arguments: customArguments(input) } };
}

/** @param textField member with what the tool is given */
function requireCall(
  call: unknown,
  textField: string,
  problem: string,
  index: number,
  field: string,
): JsonObject {
  if (!isJsonObject(call)) {
    throw invalid(index, field, 'must be an object');
  }
  if (typeof call.name !== 'string' || call.name === '') {
    throw invalid(index, `${field}.name`, 'must be a non-empty string');
  }
  if (typeof call[textField] !== 'string') {
    throw invalid(index, `${field}.${textField}`, problem);
  }
  return call;
}

/** Its call may be missing: callers shorten their histories. */
function validateToolCallId(id: unknown, index: number): void {
  if (typeof id !== 'string' || id === '') {
    throw invalid(index, 'tool_call_id', 'must be a non-empty string');
  }
}

function invalid(index: number, field: string, problem: string): InvalidRequestError {
  return invalidField(`messages[${index}]${field === '' ? '' : `.${field}`}`, problem);
}
