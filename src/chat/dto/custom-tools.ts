import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { parsedJson } from '../../common/text/parsed-json.js';
import { invalidField, isAbsent } from './wire-values.js';

/*
 * A custom tool takes one free text in place of arguments. Models know it as a function with one string, `input`.
 */

/** The arguments of the function, by the format of the text. Text without rules needs no more than its name. */
export function customParameters(format: unknown, param: string): JsonObject {
  const description = isAbsent(format) ? 'Free text.' : describeFormat(format, param);
  return {
    type: 'object',
    properties: { input: { type: 'string', description } },
    required: ['input'],
    additionalProperties: false,
  };
}

function describeFormat(format: unknown, param: string): string {
  if (!isJsonObject(format) || (format.type !== 'text' && format.type !== 'grammar')) {
    throw invalidField(param, 'must have the type text or grammar');
  }
  const { type, syntax, definition } = format;
  if (type === 'text') {
    return 'Free text.';
  }
  if (syntax !== 'lark' && syntax !== 'regex') {
    throw invalidField(`${param}.syntax`, 'must be lark or regex');
  }
  if (typeof definition !== 'string') {
    throw invalidField(`${param}.definition`, 'must be a string');
  }
  const what = syntax === 'lark' ? 'Lark grammar' : 'regular expression';
  return `Raw text, neither quoted nor wrapped in JSON, that matches this ${what} from start to end:\n${definition}`;
}

/** The text of a call as arguments of the function. */
export function customArguments(input: unknown): string {
  return JSON.stringify({ input });
}

/** The text of a call by the arguments of the function; these themselves if they are cut or of another form. */
export function customInput(json: string): string {
  const value = parsedJson(json);
  return isJsonObject(value) && typeof value.input === 'string' ? value.input : json;
}
