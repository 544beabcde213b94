import { type ReadFormat } from '../../chat/dto/response-format.js';
import { invalidField } from '../../chat/dto/wire-values.js';
import { isJsonObject } from '../../common/text/json-object.js';

/**
 * A `text.format`, which has the members of `json_schema` beside its type.
 * @param param its name for errors
 * @throws InvalidRequestError
 */
export function readTextFormat(given: unknown, param: string): ReadFormat {
  const { type, schema, ...rest } = isJsonObject(given) ? given : {};
  const schemaField = `${param}.schema`;
  switch (type) {
    case 'text':
    case 'json_object':
      return { format: { type }, schemaField };
    case 'json_schema':
      if (!isJsonObject(schema)) {
        throw invalidField(schemaField, 'must be a JSON Schema object');
      }
      return { format: { type, json_schema: { ...rest, schema } }, schemaField };
    default:
      throw invalidField(`${param}.type`, 'must be text, json_object or json_schema');
  }
}
