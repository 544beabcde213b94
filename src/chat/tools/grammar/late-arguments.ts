import { standsForAll } from '../calls/arguments-start.js';
import { type CallWriter } from '../calls/call-writer.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { type Parsing } from '../text/input.js';
import { cutOffEarly } from '../text/parse-errors.js';
import { peekDecisive } from '../text/scan.js';
import { namesTool } from './names-tool.js';
import { type ParseContext } from './parse-context.js';

/** An object, or a member of the one before, behind a call that is closed already. Groups 1: the brace, 3: the first key. */
const HEAD = /^\s*(?:[,;]\s*)?(?:(\{)\s*)?(["'])([^"'{}\n]+)\2\s*:/;
const PARTIAL_HEAD = /^\s*(?:[,;]\s*)?(?:\{\s*)?(?:["'][^"'{}\n]*(?:["']\s*)?)?$/;
const MAX_HEAD = 128;

/**
 * Reads arguments that stand behind a call without any, which would be one with none otherwise:
 * `{"name": "f"} {"a": 1}`, `{"name": "f"}, "arguments": {"a": 1}}`.
 */
export function* readLateArguments(
  { input, tools }: Pick<ParseContext, 'input' | 'tools'>,
  writer: CallWriter,
  repair: (name: string) => void,
): Parsing<void> {
  const { tool } = writer;
  if (writer.hasKeys || tool.keys.length === 0) {
    return;
  }
  const [head = '', brace, , key = ''] = HEAD.exec(yield* peekDecisive(input, PARTIAL_HEAD, MAX_HEAD)) ?? [];
  const isObject = brace !== undefined && key !== 'name' && tool.declares(key);
  if (!(isObject || standsForAll(key, tool)) || (yield* namesTool(input, tools))) {
    return;
  }
  input.at += brace === undefined ? head.length : head.indexOf(brace);
  repair('late_arguments');
  const reader = new LenientJsonReader(input, repair);
  yield* new JsonArgumentsReader(writer, repair).read(reader);
  if (reader.isCut && writer.lacksRequired) {
    throw cutOffEarly();
  }
}
