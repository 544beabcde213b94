import { invalidField } from './wire-values.js';

/** Bounds the text that is held back while a stop sequence may be under way. */
const MAX_STOP_CHARS = 1000;

/**
 * One stop sequence of a request.
 * @param param name of the field that it is in
 * @throws InvalidRequestError
 */
export function readStopSequence(value: unknown, param: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_STOP_CHARS) {
    throw invalidField(param, `must be a string of 1 to ${MAX_STOP_CHARS} characters`);
  }
  return value;
}
