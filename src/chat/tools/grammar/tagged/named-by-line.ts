import { type CallableTool } from '../../calls/callable-tool.js';
import { type OfferedTools } from '../../calls/offered-tools.js';
import { type Input, type Parsing } from '../../text/input.js';
import { tagBehindText } from '../../text/next-tag.js';
import { noObject } from '../../text/parse-errors.js';
import { peekDecisive } from '../../text/scan.js';
import { endsCall } from '../../text/tags.js';
import { MAX_UNDECIDED } from '../call-fence.js';
import { isLast } from './last-call.js';
import { memberLines } from './member-lines.js';

const NAMES = 'name|tool|tool[_ ]name|function|function[_ ]name|action';
const ARGUMENTS = 'arguments|args|parameters|params|input|tool[_ ]input|action[_ ]input';

/** `name: f` and what stands in front of the arguments: nothing, or `arguments:`. Groups 1: the name, 2: their label. */
const NAMED = new RegExp(
  String.raw`^(?:-[^\S\n]+)?(?:${NAMES})[^\S\n]*[:=][^\S\n]*["']?([\w.-]+)["']?,?\s+(?:(${ARGUMENTS})[^\S\n]*[:=]\s*)?`,
  'i',
);

/** A beginning of that. */
const PARTIAL_NAMED =
  /^(?:-[^\S\n]*)?[a-z_]*(?:[ _][a-z]*)?(?:[^\S\n]*(?:[:=][^\S\n]*(?:["']?[\w.-]*["']?,?(?:\s+(?:[a-z_]*(?:[ _][a-z]*)?[^\S\n]*(?:[:=]\s*)?)?)?)?)?)?$/i;

/** Characters of the longest such beginning. */
const MAX_LENGTH = 256;

/** The beginning of a call in lines, `name: f`. */
export interface NamedByLine {
  readonly tool: CallableTool;
  /** Characters up to the arguments. */
  readonly length: number;
}

/** The call at the cursor whose tool is named in a line; undefined if there is none. Consumes nothing. */
export function* namedByLine(input: Input, tools: OfferedTools): Parsing<NamedByLine | undefined> {
  const text = yield* peekDecisive(input, PARTIAL_NAMED, MAX_LENGTH);
  const [{ length }, name = '', label] = NAMED.exec(text) ?? [''];
  const tool = tools.resolve(name);
  if (!tool) {
    return undefined;
  }
  const isJson = label !== undefined && text.charAt(length) === '{';
  if (isJson || (yield* memberLines(input, tool, length))) {
    return { tool, length };
  }
  const end = yield* tagBehindText(input, length, MAX_UNDECIDED);
  if (end && endsCall(end.tag) && (yield* isLast(input, end.offset))) {
    throw noObject(tool.name);
  }
  return undefined;
}
