import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { parsedJson } from '../../common/text/parsed-json.js';
import { CHAT_FIELD_NAMES, type ResponseFormat } from '../interfaces/completion-request.js';
import { invalidField, isAbsent } from './wire-values.js';

/** Fields that ask for a form of the answer: that of the format, and those of its servers for a schema. */
export interface FormatFields {
  response_format?: { readonly type: string; readonly [member: string]: unknown } | null;
  /** Of llama.cpp. */
  json_schema?: unknown;
  /** Of vLLM, until it had `structured_outputs`. */
  guided_json?: unknown;
  structured_outputs?: unknown;
}

/** The form of an answer that a request asks for. */
export interface ReadFormat {
  readonly format: ResponseFormat;
  /** The field that held the schema, for errors. */
  readonly schemaField: string;
}

/** The form of an answer that has to conform to a schema, for formats that have the schema alone. */
export function strictFormat(schema: object): ResponseFormat {
  const definition = { name: 'answer', strict: true, schema };
  return { type: 'json_schema', json_schema: definition };
}

/**
 * The form of the answer, in whichever field it is asked for: the gateway holds every upstream to it.
 * @throws InvalidRequestError
 */
export function readResponseFormat(fields: FormatFields): ReadFormat {
  const { response_format: own, structured_outputs: outputs } = fields;
  if (!isAbsent(own) && own.type !== 'text') {
    return ownFormat(own);
  }
  const json = isJsonObject(outputs) ? outputs.json : undefined;
  const found = Object.entries({
    json_schema: fields.json_schema,
    guided_json: fields.guided_json,
    'structured_outputs.json': json,
  }).find(([, schema]) => !isAbsent(schema));
  return found
    ? schemaFormat({ schema: parsed(found[1]) }, found[0])
    : { format: { type: 'text' }, schemaField: CHAT_FIELD_NAMES.schema };
}

function ownFormat({ type, json_schema: definition, ...beside }: JsonObject): ReadFormat {
  switch (type) {
    case 'json_object':
      // llama.cpp and several hosts take a schema there.
      return isAbsent(beside.schema)
        ? { format: { type }, schemaField: CHAT_FIELD_NAMES.schema }
        : schemaFormat(beside, 'response_format.schema');
    case 'json_schema':
      // The Responses format has the members beside the type.
      return isAbsent(definition) && !isAbsent(beside.schema)
        ? schemaFormat(beside, 'response_format.schema')
        : schemaFormat(isJsonObject(definition) ? definition : {}, CHAT_FIELD_NAMES.schema, {});
    default:
      throw invalidField('response_format.type', 'must be text, json_object or json_schema');
  }
}

/** @param defaults members that a definition must have upstream */
function schemaFormat(
  { schema, ...rest }: JsonObject,
  schemaField: string,
  defaults: object = { name: 'answer' },
): ReadFormat {
  if (!isJsonObject(schema)) {
    throw invalidField(schemaField, 'must be a JSON Schema object');
  }
  return { format: { type: 'json_schema', json_schema: { ...defaults, ...rest, schema } }, schemaField };
}

/** The servers take a schema as text as well. */
function parsed(schema: unknown): unknown {
  return typeof schema === 'string' ? parsedJson(schema) : schema;
}
