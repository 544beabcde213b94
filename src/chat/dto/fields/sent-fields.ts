import { isJsonObject, type JsonObject } from '../../../common/text/json-object.js';
import { PASSED_ON } from '../passed-on-fields.js';
import { isAbsent } from '../wire-values.js';

/** Where a caller's format has fields of the chat format: paths, of which the first that is there counts. */
export type FieldPlaces = Readonly<Record<string, readonly string[]>>;

export const CHAT_PLACES = {
  messages: ['messages'],
  max_tokens: ['max_completion_tokens', 'max_tokens'],
  response_format: ['response_format', 'json_schema', 'guided_json', 'structured_outputs'],
} satisfies FieldPlaces;

/** Fields that every format has under the same name, if at all. */
const SAME: ReadonlySet<string> = new Set([
  ...['model', 'tools', 'tool_choice', 'parallel_tool_calls', 'temperature', 'top_p', 'stop', 'seed'],
  ...PASSED_ON,
]);

/**
 * Names under which a caller has sent fields of the chat format, for errors; by their names there. Made for every request,
 * since its body is not kept until it fails; so it goes through what the body has, which is little.
 */
export function sentFields(body: object, places: FieldPlaces): Readonly<Record<string, string>> {
  const sent: Record<string, string> = {};
  for (const field in body) {
    if (SAME.has(field) && !isAbsent((body as JsonObject)[field])) {
      sent[field] = field;
    }
  }
  for (const [field, paths] of Object.entries(places)) {
    const path = paths.find((place) => !isAbsent(valueAt(body, place)));
    if (path !== undefined) {
      sent[field] = path;
    }
  }
  return sent;
}

function valueAt(body: object, path: string): unknown {
  if (!path.includes('.')) {
    return (body as JsonObject)[path];
  }
  return path
    .split('.')
    .reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), body);
}
