import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { type TextPart, type ToolCall } from '../interfaces/chat-message.js';
import { invalidField, isAbsent } from './wire-values.js';

/**
 * The messages that stand for one whose content has calls or results of tools as parts, as the Messages format has them,
 * whose clients send them here as well: calls as `tool_calls`, each result as a message of its own. The results come first,
 * since upstreams want them right behind their calls.
 * @param param name of the content for errors
 * @returns undefined if it has none
 * @throws InvalidRequestError whose `param` names the part
 */
export function withoutToolParts(
  message: JsonObject,
  param: () => string,
): readonly JsonObject[] | undefined {
  const { role, content } = message;
  const type = role === 'assistant' ? 'tool_use' : role === 'user' ? 'tool_result' : undefined;
  if (type === undefined || !Array.isArray(content)) {
    return undefined;
  }
  const isOfTool = (part: unknown): part is JsonObject => isJsonObject(part) && part.type === type;
  if (!content.some(isOfTool)) {
    return undefined;
  }
  const ofTools = [...content.entries()].filter((entry): entry is [number, JsonObject] => isOfTool(entry[1]));
  const others = content.filter((part) => !isOfTool(part));
  if (role === 'assistant') {
    const calls = ofTools.map(([at, part]) => toCall(part, `${param()}[${at}]`));
    return [
      { ...message, content: others.length === 0 ? null : others, tool_calls: withCalls(message, calls) },
    ];
  }
  const results = ofTools.map(([at, part]) => toResult(part, `${param()}[${at}]`));
  return others.length === 0 ? results : [...results, { ...message, content: others }];
}

/**
 * The content of a failed result. The internal request knows none, so its text says it, before all else and as far as it does
 * not yet.
 */
export function failedContent<Part>(
  content: string | readonly Part[],
): string | readonly (Part | TextPart)[] {
  if (typeof content === 'string') {
    return asError(content);
  }
  const [first, ...rest] = content;
  return isJsonObject(first) && typeof first.text === 'string'
    ? [{ ...first, text: asError(first.text) }, ...rest]
    : [{ type: 'text', text: 'Error:' }, ...content];
}

function asError(text: string): string {
  return /^\W*(?:\w+_)?error\b/i.test(text) ? text : `Error: ${text}`;
}

/** Some clients send a call in both forms. */
function withCalls({ tool_calls: given }: JsonObject, calls: readonly ToolCall[]): unknown {
  if (!isAbsent(given) && !Array.isArray(given)) {
    return given;
  }
  const known: readonly unknown[] = given ?? [];
  const ids = new Set(known.map((call) => (isJsonObject(call) ? call.id : undefined)));
  return [...known, ...calls.filter(({ id }) => !ids.has(id))];
}

/** @throws InvalidRequestError whose `param` names the field */
export function toCall({ id, name, input }: JsonObject, param: string): ToolCall {
  requireName(id, `${param}.id`);
  requireName(name, `${param}.name`);
  if (!isAbsent(input) && !isJsonObject(input)) {
    throw invalidField(`${param}.input`, 'must be an object');
  }
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } };
}

function toResult({ tool_use_id: id, content, is_error: isError }: JsonObject, param: string): JsonObject {
  requireName(id, `${param}.tool_use_id`);
  const found = content ?? '';
  if (typeof found !== 'string' && !Array.isArray(found)) {
    throw invalidField(`${param}.content`, 'must be a string or an array of text parts');
  }
  return { role: 'tool', tool_call_id: id, content: isError === true ? failedContent(found) : found };
}

/** @throws InvalidRequestError */
export function requireName(value: unknown, param: string): asserts value is string {
  if (typeof value !== 'string' || value === '') {
    throw invalidField(param, 'must be a non-empty string');
  }
}
