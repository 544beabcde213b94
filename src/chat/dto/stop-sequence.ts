import { invalidField, isAbsent } from './wire-values.js';

/** Far more than clients send, which mean servers of their own machine; each is searched for in each piece of text. */
const MAX_STOP_SEQUENCES = 64;

/** Bounds the text that is held back while a stop sequence may be under way. */
const MAX_STOP_CHARS = 1000;

/**
 * The list of stop sequences of a request.
 * @param param name of the field for errors
 * @throws InvalidRequestError
 */
export function readStopSequences(value: readonly unknown[], param: string): readonly string[] {
  if (value.length > MAX_STOP_SEQUENCES) {
    throw invalidField(param, `must hold at most ${MAX_STOP_SEQUENCES} sequences`);
  }
  return value.map((sequence, index) => readStopSequence(sequence, `${param}[${index}]`));
}

/**
 * The sequences of the field `stop`, which may be one text.
 * @throws InvalidRequestError
 */
export function readStop(stop: unknown): readonly string[] {
  if (isAbsent(stop) || stop === '') {
    return [];
  }
  return Array.isArray(stop) ? readStopSequences(stop, 'stop') : [readStopSequence(stop, 'stop')];
}

function readStopSequence(value: unknown, param: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_STOP_CHARS) {
    throw invalidField(param, `must be a string of 1 to ${MAX_STOP_CHARS} characters`);
  }
  return value;
}
