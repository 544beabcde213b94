import { IN_FENCE, INDENTED, LINE_START } from '../reduce/reduced-codes.js';
import { ANCHOR, DETECTABLE, type IndexedText } from './echo-index.js';

/**
 * Characters of an answer that are held back at the beginning, so that nothing is sent of a short echo, or of one behind
 * a preface.
 */
export const FIRST_HELD = 160;

/** Repeated characters that are an echo, whichever results they come from. */
const ECHO_CHARS = 720;
/** Share of one result that is an echo, for results of at least `MIN_RESULT` characters. */
const ECHO_SHARE = 0.7;
const MIN_RESULT = 80;
/**
 * Length below which a run is a name, a phrase or a quoted line and does not count, unless it is most of its result.
 */
const MIN_RUN = 80;
/** Length below which a result may be quoted as a whole within an answer. */
const SHORT_RESULT = 200;
/** Share of an answer that a short result, or one of a single line, must make up to be an echo and not a quote. */
const WHOLE_ANSWER = 2 / 3;
/** Repeated characters of a longer result that are an echo if the answer has hardly any others, and that share of it. */
const PART_CHARS = 400;
const NOTHING_ELSE = 0.95;
/** The same for an answer that begins at once and goes on to the result's end: nobody quotes that without a word. */
const TAIL_CHARS = 240;
/** Cost of each character between runs: a text with less than two thirds of repetition is no echo. */
const GAP_COST = 2;
/** Cost of an edit. An echo has none: text that replaces other text, or stands within it, was changed on purpose. */
const EDIT_COST = 240;
/** Cost of a jump within a result, at most its length: lines that were picked or sorted are no repetition. */
const JUMP_COST = 80;
/** Length of skipped text, as a multiple of the text in its place, above which it was left out and not replaced. */
const MAX_REPLACED = 2;
/** Length of a few words: those replaced by shorter ones, or shared by an inserted line of code and the line behind it. */
const FEW_WORDS = 40;
/**
 * Repeated characters up to which an echo is not reported yet, since a text that is written back may have its first edit
 * far behind its beginning.
 */
const AWAITED_CHARS = 3000;

/** A repetition of a tool result. Lengths in reduced characters. */
export interface EchoMatch {
  /** Index of the tool result in the request's `messages`. */
  readonly message: number;
  readonly matchedChars: number;
  readonly resultChars: number;
}

/** Runs that belong together, up to the last complete one. Positions and lengths in reduced characters. */
export interface Chain {
  readonly start: number;
  readonly startOffset: number;
  /** Offset in the answer at which its first run was found. From there on all of it was suspected. */
  readonly foundOffset: number;
  readonly end: number;
  readonly score: number;
  /** Repeated characters of the last result, since the last edit if there was one. */
  readonly ofResult: number;
  readonly text: IndexedText;
  /** Exclusive end of the last run in the index. */
  readonly place: number;
  /** Place of the character behind it in the answer: `LINE_START`, `INDENTED` and `IN_FENCE`. */
  readonly brokenAt: number;
}

/** A stretch of an answer that equals a stretch of a result and is not over yet. */
export interface Run {
  readonly start: number;
  readonly startOffset: number;
  /** As of the chain that it continues. */
  readonly foundOffset: number;
  readonly text: IndexedText;
  /** Score of the chain before it. */
  readonly score: number;
  readonly ofResult: number;
  readonly chainStart: number;
  readonly chainStartOffset: number;
  /** Length in characters below which it does not count. */
  readonly minLength: number;
  /** Whether a document was changed between the chain and the run, and not by a remark in the place of a line. */
  readonly isEdited: boolean;
  /** Position at which it is an echo, if it continues so far. */
  readonly goal: number;
  /** Position at which it is not awaited any longer whether the rest has edits. */
  readonly lastGoal: number;
}

/**
 * Begins a run.
 * @param chain the runs before it; undefined if they are unrelated
 * @param place its beginning in the index
 */
export function runFrom(
  chain: Chain | undefined,
  { start, startOffset, foundOffset, text }: Pick<Run, 'start' | 'startOffset' | 'foundOffset' | 'text'>,
  place: number,
): Run {
  // A run that overlaps the last one counts from the end of that.
  const gap = chain ? start - chain.end : 0;
  const isEdited = chain !== undefined && gap > 0 && isEdit(chain, text, place, gap);
  const cost = gap < 0 ? -gap : gap * GAP_COST + (isEdited ? EDIT_COST : 0);
  const jump = chain?.text === text ? Math.abs(place - chain.place - Math.min(gap, 0)) : 0;
  const score = chain ? Math.max(0, chain.score - cost - Math.min(jump, JUMP_COST)) : 0;
  const before = score > 0 ? chain : undefined;
  const isSameResult = before?.text.message === text.message && !isEdited;
  const ofResult = before && isSameResult ? Math.max(0, before.ofResult + Math.min(gap, 0)) : 0;
  // A document may be changed in its first line. A run that continues exactly where the chain ended was only interrupted.
  const isHead = text.isDocument && place === text.start;
  const least = before?.place === place ? DETECTABLE : minRun(text);
  const minLength = isHead ? ANCHOR : least;
  return {
    start,
    startOffset,
    foundOffset: before?.foundOffset ?? foundOffset,
    text,
    score,
    ofResult,
    minLength,
    chainStart: before?.start ?? start,
    chainStartOffset: before?.startOffset ?? startOffset,
    isEdited: isEdited && text.isDocument && chain.brokenAt !== LINE_START,
    goal: Math.max(start + minLength, goalOf({ start, text, score, ofResult })),
    lastGoal: text.isDocument ? start + AWAITED_CHARS - score : start,
  };
}

/** The chain of a run that has ended and the runs before it. */
export function chainUpTo(run: Run, end: number, place: number, brokenAt: number): Chain {
  const length = end - run.start;
  return {
    start: run.chainStart,
    startOffset: run.chainStartOffset,
    foundOffset: run.foundOffset,
    end,
    score: run.score + length,
    ofResult: run.ofResult + length,
    text: run.text,
    place,
    brokenAt,
  };
}

/** Number of other characters that use up a chain. */
export function reachOf({ score }: Chain): number {
  return score / GAP_COST;
}

export function matchOf({ start, text, score }: Run, position: number): EchoMatch {
  return { message: text.message, matchedChars: score + position - start, resultChars: lengthOf(text) };
}

/**
 * The echo that a complete answer is, if a short result is most of it, or if it is nothing but a part of a result, such
 * as the end of a list; undefined otherwise.
 */
export function matchOfWhole(
  { start, foundOffset, text, place, score, ofResult }: Chain,
  answerChars: number,
): EchoMatch | undefined {
  const isWhole = ofResult >= echoLength(text) && ofResult >= WHOLE_ANSWER * answerChars;
  // Only what was suspected from the beginning has been held back as a whole.
  const isHeld = foundOffset < FIRST_HELD && !text.isOneLine;
  // Not a few lines here and there.
  const isTail = start === 0 && place === text.end;
  const partChars = isTail ? TAIL_CHARS : PART_CHARS;
  const isPart = isHeld && Math.min(score, ofResult) >= partChars && ofResult >= NOTHING_ELSE * answerChars;
  const isEcho = isWhole || isPart;
  return isEcho ? { message: text.message, matchedChars: ofResult, resultChars: lengthOf(text) } : undefined;
}

/**
 * Whether the text between two runs is an edit, which stands within a text or in the place of a part of it, and no
 * remark. Within a fence there are no remarks, and none is indented.
 */
function isEdit(chain: Chain, text: IndexedText, place: number, gap: number): boolean {
  const skipped = place - chain.place;
  const isNoRemark = (chain.brokenAt & (IN_FENCE | INDENTED)) !== 0;
  const isInserted = isNoRemark
    ? skipped <= 0 && skipped > -FEW_WORDS
    : skipped === 0 && chain.brokenAt !== LINE_START;
  const isReplaced = skipped > 0 && skipped <= Math.max(FEW_WORDS, MAX_REPLACED * gap);
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

/** Number of characters of a result that are an echo of it; infinite if it is too short. */
function echoLength(text: IndexedText): number {
  const length = lengthOf(text);
  return length < MIN_RESULT ? Number.POSITIVE_INFINITY : Math.ceil(ECHO_SHARE * length);
}

function lengthOf({ start, end }: IndexedText): number {
  return end - start;
}
