import { type Parsing } from '../text/input.js';
import { endsLine } from '../text/scan.js';
import { type Tag } from '../text/tags.js';
import { type ParseContext } from './parse-context.js';

/**
 * Whether the upstream goes on as the tool that answers its call, or as the caller, with a tag at the cursor.
 * @param isAfterCall whether nothing but white space stands between a call and the tag
 * @param beginsLine whether the tag begins a line
 */
export function* isFabricated(
  { kind, isClosing, length }: Tag,
  { input, calls }: ParseContext,
  isAfterCall: boolean,
  beginsLine: boolean,
): Parsing<boolean> {
  if (kind === 'result') {
    return calls.total > 0 && !isClosing && (isAfterCall || beginsLine);
  }
  if (kind !== 'role' || !isAfterCall) {
    return false;
  }
  return isClosing || (beginsLine && (yield* endsLine(input, length)));
}
