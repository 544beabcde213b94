export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed value has members; unlike with `isJsonObject`, an array counts. */
export function isStructure(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is a JSON object, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON objects in a list; none of any other value. */
export function jsonObjects(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
