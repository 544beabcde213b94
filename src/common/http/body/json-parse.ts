import { InvalidRequestError } from '../../errors/gateway.errors.js';
import { jsonFaultAt } from '../../files/json-fault.js';
import { isJsonObject } from '../../text/json-object.js';

/** Longest text in which a fault is located, since the search parses the text some 18 times. */
const MAX_SEARCHED_CHARACTERS = 2 ** 18;

/**
 * Parses the text of a request body.
 * @returns an object, never an array
 * @throws InvalidRequestError that gives the position of the fault and quotes nothing of the text
 */
export function parseJsonObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidRequestError(`The request body is not valid JSON${describeFault(text)}.`);
  }
  if (!isJsonObject(value)) {
    throw new InvalidRequestError('The request body must be a JSON object.');
  }
  return value;
}

function describeFault(text: string): string {
  if (text.length > MAX_SEARCHED_CHARACTERS) {
    return '';
  }
  const position = jsonFaultAt(text);
  if (position === text.length) {
    return ': it ends too early';
  }
  const lines = text.slice(0, position).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return `: unexpected character at position ${position} (line ${lines.length}, column ${column})`;
}
