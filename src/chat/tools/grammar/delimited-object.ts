import { type CallWriter } from '../calls/call-writer.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { type DelimitedForm } from '../text/delimited-forms.js';
import { type Input, type Parsing } from '../text/input.js';
import { skipLiteral, skipWhitespace } from '../text/scan.js';

/** Reads all arguments as one JSON object if they stand so at the cursor. */
export function* readDelimitedObject(
  input: Input,
  { object: [begin, end] = ['', ''] }: DelimitedForm,
  writer: CallWriter,
): Parsing<void> {
  yield* skipWhitespace(input);
  if (begin === '' || !(yield* skipLiteral(input, begin))) {
    return;
  }
  const repair = (name: string): void => {
    writer.addRepair(name);
  };
  yield* new JsonArgumentsReader(writer, repair).readAlone(new LenientJsonReader(input, repair));
  yield* skipWhitespace(input);
  yield* skipLiteral(input, end);
}
