import { isJsonObject } from '../../../common/text/json-object.js';
import { mendJson } from './mend-json.js';

/**
 * The arguments of a call, for formats that want an object where the model may have written anything, or less than all
 * of it. What cannot be read as an object goes out as it is under a name that no schema has, so that the caller's own
 * check tells the model.
 */
export function argumentsObject(json: string): object {
  if (json.trim() === '') {
    return {};
  }
  try {
    const value: unknown = JSON.parse(mendJson(json)?.json ?? json);
    if (isJsonObject(value)) {
      return value;
    }
  } catch {
    // No JSON at all.
  }
  return { unreadable_input: json };
}
