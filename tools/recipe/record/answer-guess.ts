import { type StreamRecord } from './stream-guess.js';
import { leaves, parseRecord, type RecordTag, tagOf, type TextField, textFields } from './text-fields.js';

/** `delivery` and `answer` of the capture rules, as a recipe file has them. */
export interface AnswerGuess {
  readonly delivery: 'append' | 'snapshot';
  readonly answer: Readonly<Record<string, unknown>>;
  /** The answer and its reasoning as the guessed rules read them. */
  readonly text: string;
  readonly reasoning: string;
  /** Number of the text's letters and digits that were found on the page; 0 for a guess by names alone. */
  readonly found: number;
  /** Whether it comes as HTML, so that only the page shows its text. */
  readonly isMarkup: boolean;
}

type Rule = Readonly<Record<string, unknown>>;

const REASONING = /reason|think|thought/i;
/** Names of texts that are no part of an answer. */
const NO_TEXT = /(?:^|[._])(?:u?u?id|time|timestamp|date|created_at|hash|signature|model)$|[a-z]Id$/;
/** A tag of HTML, or one that is escaped. */
const TAG = /(?:<|&lt;)\/?[a-z](?:(?!&gt;)[^<>])*(?:>|&gt;)/i;
const TAGS = new RegExp(TAG, 'gi');
const USUAL_NAME = /(?:^|[.\]])(?:content|text|token|response|answer|delta|message|completion|output|v)$/i;
const END = /done|end|stop|complete|finish/i;
const FINISH_REASON = /(?:^|\.)(?:finish_?reason|stop_?reason|done_?reason)$/i;
const CUT_REASONS = ['length', 'max_tokens'];
const USAGE_NAMES = [
  ['prompt_tokens', 'completion_tokens'],
  ['input_tokens', 'output_tokens'],
  ['promptTokens', 'completionTokens'],
  ['prompt_eval_count', 'eval_count'],
] as const;

/**
 * Guesses the place of an answer in its records: the text that the page shows, else the one with a usual name. Undefined
 * if there is none.
 * @param pageText what the page shows since the prompt
 */
export function guessAnswer(
  records: readonly StreamRecord[],
  pageText: string,
  prompt: string,
): AnswerGuess | undefined {
  const fields = textFields(records);
  const pieces = fields.filter(isPieces);
  const asked = bare(prompt);
  const scored = pieces
    .filter((field) => !asked.includes(bare(field.text)))
    .map((field) => ({ field, ...placeOn(pageText, field), isNamed: USUAL_NAME.test(field.path) }))
    .sort(
      (a, b) =>
        b.found - a.found ||
        Number(b.isNamed) - Number(a.isNamed) ||
        b.field.text.length - a.field.text.length,
    );
  const best = scored.find(({ field, found, isNamed }) => !isReasoning(field) && (found > 0 || isNamed));
  if (!best) {
    return undefined;
  }
  const reasoning = scored.find(({ field }) => isReasoning(field))?.field;
  return {
    delivery: best.field.isSnapshot ? 'snapshot' : 'append',
    answer: {
      content: [ruleOf(best.field, fields)],
      ...(reasoning && { reasoning: [ruleOf(reasoning, fields)] }),
      ...guessEnd(records, best.field),
    },
    text: best.field.text,
    reasoning: reasoning?.text ?? '',
    found: best.found,
    isMarkup: best.isMarkup,
  };
}

function guessEnd(records: readonly StreamRecord[], content: TextField): Rule {
  const parsed = records.map(({ data }) => parseRecord(data));
  const reason = parsed
    .flatMap((record) => (record ? leaves(record) : []))
    .findLast(({ path, value }) => FINISH_REASON.test(path) && typeof value === 'string');
  const done =
    guessDone(records, content) ??
    (reason && { when: [{ path: reason.path, equals: [...new Set([reason.value, ...CUT_REASONS])] }] });
  const usage = guessUsage(parsed);
  const hasErrorKey = parsed.some((record) => record && Object.hasOwn(record, 'error'));
  return {
    ...(done && { done: [done] }),
    ...(reason && { finishReason: { path: reason.path, length: CUT_REASONS } }),
    ...(usage && { usage }),
    error: [
      ...(hasErrorKey ? [] : [{ when: [{ path: 'error' }] }]),
      ...(content.tag ? [tagRule({ ...content.tag, value: 'error' })] : []),
    ],
  };
}

/** The rule by which the last record is known as such: it is no JSON, or of a kind of its own, or has a flag. */
function guessDone(records: readonly StreamRecord[], content: TextField): Rule | undefined {
  const last = records.at(-1);
  if (!last || records.length < 2) {
    return undefined;
  }
  const record = parseRecord(last.data);
  if (!record) {
    return { data: last.data };
  }
  const tag = tagOf(last, record);
  const begin = records.findIndex(({ data }) => holds(data, content.path));
  // A connection may have brought as much before the answer.
  const isOnlyOne = records.slice(Math.max(0, begin), -1).every((other) => {
    const parsed = parseRecord(other.data);
    return !parsed || JSON.stringify(tagOf(other, parsed)) !== JSON.stringify(tag);
  });
  if (tag && isOnlyOne && (END.test(tag.value) || tag.path === content.tag?.path)) {
    return tagRule(tag);
  }
  const flag = leaves(record).find(({ path, value }) => value === true && END.test(path));
  return flag && { when: [{ path: flag.path, equals: true }] };
}

function holds(data: string, path: string): boolean {
  const record = parseRecord(data);
  return record !== undefined && leaves(record).some((leaf) => leaf.path === path);
}

function guessUsage(parsed: readonly (object | undefined)[]): Rule | undefined {
  const numbers = parsed
    .flatMap((record) => (record ? leaves(record) : []))
    .filter(({ value }) => typeof value === 'number');
  for (const [prompt, completion] of USAGE_NAMES) {
    const promptTokens = numbers.findLast(({ path }) => path.endsWith(prompt))?.path;
    const completionTokens = promptTokens?.replace(new RegExp(`${prompt}$`), completion);
    if (promptTokens !== undefined && numbers.some(({ path }) => path === completionTokens)) {
      return { promptTokens, completionTokens };
    }
  }
  return undefined;
}

/** The rule that reads a field; with a condition on the kind only if other kinds have a text at the same path. */
function ruleOf(field: TextField, fields: readonly TextField[]): Rule {
  const isShared = fields.some((other) => other !== field && other.path === field.path);
  return { path: field.path, ...(isShared && field.tag && tagRule(field.tag)) };
}

function tagRule({ path, value }: RecordTag): Rule {
  return path === undefined ? { event: value } : { when: [{ path, equals: value }] };
}

/** Whether a field holds pieces of text; ids and the like are constant, or have a telling name. */
function isPieces({ path, values, text }: TextField): boolean {
  const isConstant = values.length > 1 && new Set(values).size === 1;
  return text !== '' && !isConstant && !NO_TEXT.test(path);
}

function isReasoning({ path, tag }: TextField): boolean {
  return REASONING.test(path) || REASONING.test(tag?.value ?? '');
}

/** How much of a field the page shows: as it is, or without its tags if that is more. */
function placeOn(pageText: string, { text, values }: TextField): Pick<AnswerGuess, 'found' | 'isMarkup'> {
  const found = foundOn(pageText, text);
  const last = values.at(-1) ?? '';
  const shown = TAG.test(last) ? foundOn(pageText, last.replaceAll(TAGS, ' ')) : 0;
  return { found: Math.max(found, shown), isMarkup: shown > found };
}

/** Number of a text's letters and digits on the page: all of them in a row, or most of its words. */
export function foundOn(pageText: string, text: string): number {
  const page = bare(pageText);
  const wanted = bare(text);
  if (wanted.length > 1 && page.includes(wanted)) {
    return wanted.length;
  }
  const words = text
    .split(/\s+/)
    .map(bare)
    .filter((word) => word.length > 2);
  const shown = words.filter((word) => page.includes(word));
  // Pages show formatted text without the marks between its words.
  return words.length > 2 && shown.length > words.length * 0.8 ? Math.round(shown.join('').length / 2) : 0;
}

/** Letters and digits only. */
function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
