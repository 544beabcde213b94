import { requireLength } from '../../chat/dto/messages.validator.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { type InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { isBuiltIn } from './built-in-calls.js';
import { validateUpdate } from './configuration-updates.js';

const ROLES = new Set(['system', 'developer', 'user', 'assistant']);

/** Content parts that are text, with the member that holds it. */
export const TEXT_PARTS: ReadonlyMap<string, string> = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['text', 'text'],
  ['refusal', 'refusal'],
  // The name is a provider's: what a model wrote through this gateway comes back in it as it was.
  ['encrypted_content', 'encrypted_content'],
]);

/** Items of which the model is told, or which name that, or set how it answers, besides those of built-in tools. */
const TOLD = new Set([
  'additional_tools',
  'agent_message',
  'compaction',
  'configuration_update',
  'custom_tool_call',
  'custom_tool_call_output',
  'function_call',
  'function_call_output',
  'item_reference',
  'message',
  'reasoning',
]);

/** Items that tell of work on a provider's server, or of its state: nothing that the model behind this gateway could use. */
const IGNORED = new Set([
  'code_interpreter_call',
  'compaction_summary',
  'compaction_trigger',
  'computer_call',
  'computer_call_output',
  'context_compaction',
  'file_search_call',
  'image_generation_call',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_call',
  'mcp_list_tools',
  'multi_agent_call',
  'multi_agent_call_output',
  'program',
  'program_output',
  'web_search_call',
]);

/** An item of the input after validation. */
export type InputItem = JsonObject & { readonly type: string };

/**
 * Checks `input` in one pass; a string is a message of the user. Items that are left out keep their places, by which
 * errors name the others: see `isOmitted`. At the end an unknown one is refused, since it may be what is asked for.
 * @throws InvalidRequestError whose `param` names the field, e.g. `input[3].call_id`
 */
export function validateInput(value: unknown): readonly InputItem[] {
  if (typeof value === 'string') {
    return [{ type: 'message', role: 'user', content: value }];
  }
  if (isAbsent(value)) {
    throw invalidField('input', 'is required');
  }
  if (!Array.isArray(value)) {
    throw invalidField('input', 'must be a string or an array of items');
  }
  requireLength(value, 'input', 'items');
  const items = value.map((item: unknown, index) => validateItem(item, index));
  const last = items.length - 1;
  if (isUnknown(items[last]!)) {
    throw invalid(last, 'type', 'is not a type of item that is supported');
  }
  return items;
}

/** Whether an item is nothing to a model behind this gateway: of a server's tools, or unknown. */
export function isOmitted({ type }: InputItem): boolean {
  return !TOLD.has(type) && !isBuiltIn(type);
}

/**
 * The types of items that are left out without anything being known of them. Clients begin to send new ones before this
 * gateway knows them, and keep them in the history of a session, which must be able to go on.
 */
export function unknownTypes(items: readonly InputItem[]): readonly string[] {
  return [...new Set(items.filter(isUnknown).map(({ type }) => type))];
}

function isUnknown(item: InputItem): boolean {
  return isOmitted(item) && !IGNORED.has(item.type);
}

function validateItem(item: unknown, index: number): InputItem {
  if (!isJsonObject(item)) {
    throw invalid(index, '', 'must be an object');
  }
  const type: unknown = isAbsent(item.type) ? untypedAs(item) : item.type;
  switch (type) {
    case 'message':
      validateMessage(item, index);
      break;
    case 'reasoning':
      validateReasoning(item, index);
      break;
    case 'function_call':
      requireTexts(item, index, ['call_id', 'name'], ['arguments']);
      break;
    case 'custom_tool_call':
      requireTexts(item, index, ['call_id', 'name'], ['input']);
      break;
    case 'function_call_output':
    case 'custom_tool_call_output':
      if (!isAbsent(item.call_id)) {
        requireTexts(item, index, ['call_id'], []);
      }
      validateContent(item.output, index, 'output');
      break;
    case 'item_reference':
      requireTexts(item, index, ['id'], []);
      break;
    case 'agent_message':
      validateContent(item.content, index, 'content');
      break;
    case 'configuration_update':
      validateUpdate(item, `input[${index}]`);
      break;
    default:
      if (typeof type !== 'string') {
        throw invalid(index, 'type', 'must be a string');
      }
  }
  return item.type === type ? (item as InputItem) : { ...item, type };
}

/** The type of an item that may be sent without: of a message, or of an id alone, which refers to an item. */
function untypedAs({ role, id }: JsonObject): string | undefined {
  if (role !== undefined) {
    return 'message';
  }
  return typeof id === 'string' ? 'item_reference' : undefined;
}

function validateMessage({ role, content }: JsonObject, index: number): void {
  if (typeof role !== 'string' || !ROLES.has(role)) {
    throw invalid(index, 'role', `must be one of ${[...ROLES].join(', ')}`);
  }
  validateContent(content, index, 'content');
}

function validateContent(content: unknown, index: number, field: string): void {
  if (typeof content === 'string') {
    return;
  }
  if (!Array.isArray(content)) {
    throw invalid(index, field, 'must be a string or an array of text parts');
  }
  content.forEach((part: unknown, at) => validatePart(part, index, `${field}[${at}]`));
}

function validatePart(part: unknown, index: number, field: string): void {
  if (!isJsonObject(part)) {
    throw invalid(index, field, 'must be an object');
  }
  const { type } = part;
  if (typeof type !== 'string') {
    throw invalid(index, `${field}.type`, 'must be a string');
  }
  const key = TEXT_PARTS.get(type);
  if (key !== undefined && typeof part[key] !== 'string') {
    throw invalid(index, `${field}.${key}`, 'must be a string');
  }
}

function validateReasoning(item: JsonObject, index: number): void {
  for (const field of ['summary', 'content']) {
    const parts = item[field];
    if (!isAbsent(parts) && !isTextList(parts)) {
      throw invalid(index, field, 'must be an array of objects with a text');
    }
  }
}

function isTextList(parts: unknown): boolean {
  return (
    Array.isArray(parts) &&
    parts.every((part: unknown) => isJsonObject(part) && typeof part.text === 'string')
  );
}

function requireTexts(
  item: JsonObject,
  index: number,
  filled: readonly string[],
  texts: readonly string[],
): void {
  for (const field of filled) {
    if (typeof item[field] !== 'string' || item[field] === '') {
      throw invalid(index, field, 'must be a non-empty string');
    }
  }
  for (const field of texts) {
    if (typeof item[field] !== 'string') {
      throw invalid(index, field, 'must be a string');
    }
  }
}

function invalid(index: number, field: string, problem: string): InvalidRequestError {
  return invalidField(`input[${index}]${field === '' ? '' : `.${field}`}`, problem);
}
