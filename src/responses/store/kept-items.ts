import { isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { isBuiltIn } from '../dto/built-in-calls.js';
import { type InputItem, isOmitted, TEXT_PARTS } from '../dto/input-items.validator.js';
import { itemId } from '../interfaces/response-ids.js';

/** Members of items besides `id`, `type` and `status`, by type; items of other types are kept whole. */
const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['message', ['role', 'content', 'phase']],
  ['reasoning', ['summary', 'content', 'encrypted_content']],
  ['function_call', ['call_id', 'namespace', 'name', 'arguments']],
  ['function_call_output', ['call_id', 'output']],
  ['custom_tool_call', ['call_id', 'namespace', 'name', 'input']],
  ['custom_tool_call_output', ['call_id', 'output']],
  ['compaction', ['encrypted_content']],
]);

/** The items of a request as they are kept, and listed: with the members that the format has for them, and no others. */
export function toKeptItems(input: readonly InputItem[], response: string): readonly InputItem[] {
  return input.flatMap((item, index) => (isOmitted(item) ? [] : toKeptItem(item, response, index)));
}

function toKeptItem(item: InputItem, response: string, index: number): InputItem {
  const { type, id, status } = item;
  const members = MEMBERS.get(type);
  const own = members ? membersOf(item, members) : item;
  return {
    ...own,
    ...contents(own, type),
    type,
    id: typeof id === 'string' && id !== '' ? id : itemId('in', response, index),
    ...(hasStatus(type) && { status: typeof status === 'string' ? status : 'completed' }),
  };
}

function membersOf(item: InputItem, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => !isAbsent(item[name])).map((name) => [name, item[name]]));
}

function hasStatus(type: string): boolean {
  return (MEMBERS.has(type) && type !== 'compaction') || isBuiltIn(type);
}

/** The members that hold parts, with these as the format answers with them. */
function contents({ role, content, output, summary = [] }: JsonObject, type: string): JsonObject {
  switch (type) {
    case 'message':
      return {
        content: toParts(typeof content === 'string' ? [{ type: 'text', text: content }] : content, role),
      };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { output: typeof output === 'string' ? output : toParts(output) };
    case 'reasoning':
      return { summary };
    default:
      return {};
  }
}

function toParts(parts: unknown, role?: unknown): readonly unknown[] {
  return (parts as readonly unknown[]).map((part) => (isJsonObject(part) ? toPart(part, role) : part));
}

/** What is no text is kept whole; a picture has a detail in the format. */
function toPart(part: JsonObject, role: unknown): JsonObject {
  const { type, annotations } = part;
  const key = TEXT_PARTS.get(type as string);
  if (key === undefined) {
    return type === 'input_image' && isAbsent(part.detail) ? { ...part, detail: 'auto' } : part;
  }
  if (key !== 'text') {
    return { type, [key]: part[key] };
  }
  const { text } = part;
  return role === 'assistant'
    ? { type: 'output_text', annotations: Array.isArray(annotations) ? annotations : [], logprobs: [], text }
    : { type: 'input_text', text };
}
