import { InvalidRequestError } from '../errors/gateway.errors.js';

/** The place of a fault is looked for in texts up to this length; the search parses the text some 18 times. */
const MAX_SEARCHED_CHARACTERS = 2 ** 18;

/**
 * Parses the text of a request body.
 * @returns an object, no array
 * @throws InvalidRequestError that says where the text stops being JSON and never quotes it
 */
export function parseJsonObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidRequestError(`The request body is not valid JSON${describeFault(text)}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequestError('The request body must be a JSON object.');
  }
  return value;
}

function describeFault(text: string): string {
  if (text.length > MAX_SEARCHED_CHARACTERS) {
    return '';
  }
  const position = findFault(text);
  if (position === text.length) {
    return ': it ends too early';
  }
  const lines = text.slice(0, position).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return `: unexpected character at position ${position} (line ${lines.length}, column ${column})`;
}

/**
 * Index of the first character that is wrong where it stands; the text's length if it only ends too early.
 * V8's message often has a quote of the text in place of the position, so the longest sound beginning is searched.
 */
function findFault(text: string): number {
  let sound = 0;
  let faulty = text.length + 1;
  while (faulty - sound > 1) {
    const middle = (sound + faulty) >>> 1;
    if (isSoundBeginning(text.slice(0, middle))) {
      sound = middle;
    } else {
      faulty = middle;
    }
  }
  return sound;
}

/** Whether the parser has nothing against a text except, perhaps, that it ends. */
function isSoundBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return message.includes('end of JSON input') || message.includes(`at position ${text.length} (`);
  }
}
