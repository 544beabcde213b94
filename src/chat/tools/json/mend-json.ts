import { IncrementalParse, Input, type Parsing } from '../text/input.js';
import { MalformedCallError, NotACallError } from '../text/parse-errors.js';
import { LenientJsonReader } from './lenient-json-reader.js';

/** JSON as a model wrote it, made sound. */
export interface MendedJson {
  readonly json: string;
  /** What was mended, e.g. `single_quotes`. */
  readonly repairs: readonly string[];
}

/** Mends a text that is meant as a list or an object, if nothing is lost by it; undefined if it cannot be read. */
export function mendJson(text: string): MendedJson | undefined {
  const input = new Input();
  const repairs = new Set<string>();
  const reader = new LenientJsonReader(input, (name) => repairs.add(name));
  let json = '';
  let isRead = false;
  const grammar = function* (): Parsing<void> {
    yield* reader.value((piece) => (json += piece));
    isRead = (yield* reader.next()) === '';
  };
  input.push(text);
  input.end();
  try {
    new IncrementalParse(input, grammar()).resume();
  } catch (error) {
    if (!(error instanceof MalformedCallError || error instanceof NotACallError)) {
      throw error;
    }
  }
  return isRead ? { json, repairs: [...repairs] } : undefined;
}
