import { type Input, type Parsing } from '../../text/input.js';
import { nextTagFrom } from '../../text/next-tag.js';
import { endsCall } from '../../text/tags.js';

/** Closing tags of one call. */
const MAX_CLOSERS = 4;

/**
 * Whether nothing but markup of calls follows, from `offset` characters behind the cursor on: text behind a call in a form
 * that no model was taught shows it to be a mere example. Consumes nothing.
 */
export function* isLast(input: Input, offset: number): Parsing<boolean> {
  let next = yield* nextTagFrom(input, offset);
  for (let passed = 0; passed < MAX_CLOSERS && next.tag && endsCall(next.tag); passed++) {
    next = yield* nextTagFrom(input, next.offset + next.tag.length);
  }
  return next.isEnd || input.text.charAt(input.at + next.offset) === '<';
}
