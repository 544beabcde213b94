import { IncrementalParse } from '../text/incremental-parse.js';
import { Input, type Parsing } from '../text/input.js';
import { ParseError } from '../text/parse-errors.js';
import { LenientJsonReader } from './lenient-json-reader.js';

/** Sound JSON made of the JSON that a model wrote. */
export interface MendedJson {
  readonly json: string;
  /** Names of the repairs, e.g. `single_quotes`, each once. */
  readonly repairs: readonly string[];
}

/** Mends the text of a JSON value without losing anything; undefined if it cannot be read as one. */
export function mendJson(text: string): MendedJson | undefined {
  const input = Input.whole(text);
  const repairs = new Set<string>();
  const reader = new LenientJsonReader(input, (name) => repairs.add(name));
  let mended: string | undefined;
  const grammar = function* (): Parsing<void> {
    const json = yield* reader.json();
    mended = (yield* reader.next()) === '' ? json : undefined;
  };
  try {
    new IncrementalParse(input, grammar()).resume();
  } catch (error) {
    if (!(error instanceof ParseError)) {
      throw error;
    }
  }
  return mended === undefined ? undefined : { json: mended, repairs: [...repairs] };
}
