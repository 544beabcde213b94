import { DETECTABLE, type IndexedText } from './echo-index.js';

/** So many repeated characters are an echo, wherever they come from. */
const ECHO_CHARS = 720;
/** So much of one result is an echo, if the result is long enough. */
const ECHO_SHARE = 0.7;
const MIN_RESULT = 80;
/** A shorter run is a name, a phrase or a quoted line, unless it is most of its result. */
const MIN_RUN = 80;
/** A shorter result may be quoted as a whole within an answer. */
const SHORT_RESULT = 200;
/** How much of an answer a short result, or one of one line, must make up to be an echo and not a quote. */
const WHOLE_ANSWER = 2 / 3;
/** What each character between runs costs: what is less than two thirds an echo is none. */
const GAP_COST = 2;
/** What was put into the place of something else was changed on purpose: an edit, which an echo has none of. */
const EDIT_COST = 240;
/** What skips more than so many times what stands in its place left something out. */
const MAX_REPLACED = 2;

/** What of an answer repeats what. All lengths in reduced characters. */
export interface EchoMatch {
  /** Index of the tool result in the request's `messages`. */
  readonly message: number;
  readonly matchedChars: number;
  readonly resultChars: number;
}

/** Runs that belong together: the score is what they repeat less what stands between them. */
export interface Chain {
  readonly start: number;
  readonly startOffset: number;
  readonly end: number;
  readonly score: number;
  /** Repeated characters of the last result since it was edited, if it was. */
  readonly ofResult: number;
  readonly text: IndexedText;
  /** Behind the last repeated character, in the index. */
  readonly place: number;
  /** Whether what follows it in the answer begins a line. */
  readonly isBrokenAtLineStart: boolean;
}

/** A stretch of an answer that equals a stretch of a result, and goes on. */
export interface Run {
  readonly start: number;
  readonly startOffset: number;
  readonly text: IndexedText;
  /** What the chain before it contributes. */
  readonly score: number;
  readonly ofResult: number;
  readonly chainStart: number;
  readonly chainStartOffset: number;
  /** Shorter, it does not count. */
  readonly minLength: number;
  /** The position at which it is an echo if it goes on. */
  readonly goal: number;
}

/**
 * A run that begins in an answer.
 * @param chain the runs before it, unless they have nothing to do with it
 * @param place where it begins in the index
 */
export function runFrom(
  chain: Chain | undefined,
  { start, startOffset, text }: Pick<Run, 'start' | 'startOffset' | 'text'>,
  place: number,
): Run {
  // A run that begins within the last one counts from the end of that.
  const gap = chain ? start - chain.end : 0;
  const isEdited = chain !== undefined && gap > 0 && isEdit(chain, text, place, gap);
  const cost = gap < 0 ? -gap : gap * GAP_COST + (isEdited ? EDIT_COST : 0);
  const score = chain ? Math.max(0, chain.score - cost) : 0;
  const before = score > 0 ? chain : undefined;
  const isSameResult = before?.text.message === text.message && !isEdited;
  const ofResult = before && isSameResult ? Math.max(0, before.ofResult + Math.min(gap, 0)) : 0;
  // What goes on exactly where the chain left off was only interrupted.
  const minLength = before?.place === place ? DETECTABLE : minRun(text);
  return {
    start,
    startOffset,
    text,
    score,
    ofResult,
    minLength,
    chainStart: before?.start ?? start,
    chainStartOffset: before?.startOffset ?? startOffset,
    goal: Math.max(start + minLength, goalOf({ start, text, score, ofResult })),
  };
}

/** A run with those before it, when it has ended. */
export function chainUpTo(run: Run, end: number, place: number, isBrokenAtLineStart: boolean): Chain {
  const length = end - run.start;
  return {
    start: run.chainStart,
    startOffset: run.chainStartOffset,
    end,
    score: run.score + length,
    ofResult: run.ofResult + length,
    text: run.text,
    place,
    isBrokenAtLineStart,
  };
}

/** How many characters of other text use a chain up. */
export function reachOf({ score }: Chain): number {
  return score / GAP_COST;
}

export function matchOf({ start, text, score }: Run, position: number): EchoMatch {
  return { message: text.message, matchedChars: score + position - start, resultChars: lengthOf(text) };
}

/** The echo that a complete answer is, if it is little but a short result. */
export function matchOfWhole({ text, ofResult }: Chain, answerChars: number): EchoMatch | undefined {
  const isEcho = ofResult >= echoLength(text) && ofResult >= WHOLE_ANSWER * answerChars;
  return isEcho ? { message: text.message, matchedChars: ofResult, resultChars: lengthOf(text) } : undefined;
}

/** Whether what stands between two runs was put into a text or into the place of something, and no remark on it. */
function isEdit(chain: Chain, text: IndexedText, place: number, gap: number): boolean {
  const skipped = place - chain.place;
  const isInserted = skipped === 0 && !chain.isBrokenAtLineStart;
  const isReplaced = skipped > 0 && skipped <= MAX_REPLACED * gap;
  return chain.text === text && (isInserted || isReplaced);
}

/**
 * The position at which a run that goes on becomes an echo. A longer result may be repeated by the answer's first
 * half; a short one, or one of one line, is judged when the answer is complete.
 */
function goalOf({
  start,
  text,
  score,
  ofResult,
}: Pick<Run, 'start' | 'text' | 'score' | 'ofResult'>): number {
  const byChars = start + ECHO_CHARS - score;
  const byShare = Math.max(start + echoLength(text) - ofResult, 2 * (start - ofResult));
  const isQuotable = text.isOneLine || lengthOf(text) < SHORT_RESULT;
  return isQuotable ? byChars : Math.min(byChars, byShare);
}

function minRun(text: IndexedText): number {
  return Math.min(MIN_RUN, echoLength(text));
}

/** So many characters of a result are an echo of it. */
function echoLength(text: IndexedText): number {
  const length = lengthOf(text);
  return length < MIN_RESULT ? Number.POSITIVE_INFINITY : Math.ceil(ECHO_SHARE * length);
}

function lengthOf({ start, end }: IndexedText): number {
  return end - start;
}
