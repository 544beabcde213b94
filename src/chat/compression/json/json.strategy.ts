import { type Strategy, type StrategyContext } from '../kit/strategy.js';
import { ConstantMembers } from './constant-members.js';
import { closeCutJson } from './cut-json.js';
import { isMostlyCode } from './json-code.js';
import { errorsIn, isConfigJson, isErrorJson } from './json-looks.js';
import { type JsonSpan, readJsonSpan, skipJsonSpace } from './json-reader.js';
import { JsonRenderer } from './json-renderer.js';
import { joinSequence } from './json-sequence.js';

/** Share of the text that a JSON value must make up if there is other text around it, such as headers or a prompt. */
const MIN_SHARE = 0.6;

/** Length in characters, and the share of it, from which on a value without its indentation is worth it though nothing was cut. */
const MIN_INDENTED_CHARS = 4000;
const MAX_COMPACT = 0.9;

const SEQUENCE_NOTE = '[JSON values behind each other, as one array:]';

const CUT_NOTE = '[the text was cut off behind this; its last item:]';

/** Lines at which a JSON value is looked for. */
const MAX_TRIES = 5;

/**
 * JSON: long arrays and dictionaries become their first and last rows, the unusual rows and statistics of their
 * columns. A string that makes up most of an object (`stdout`, `content`) is condensed as a text of its own format.
 */
export const jsonStrategy: Strategy = {
  rule: 'json',
  condense: (text, context) =>
    condenseSequence(text, context) ?? condenseWhole(text, context) ?? condenseCut(text, context),
};

/** Values behind each other; undefined for other texts, and where nothing is shorter. */
function condenseSequence(text: string, context: StrategyContext): string | undefined {
  const array = joinSequence(text);
  const short = array && (condenseWhole(array, context) ?? condenseCut(array, context));
  return short === undefined || short === array || short.length >= text.length
    ? undefined
    : `${SEQUENCE_NOTE}\n${short}`;
}

function condenseWhole(text: string, context: StrategyContext): string | undefined {
  const node = findValue(text);
  if (!node) {
    return undefined;
  }
  const wrapped = condenseWrapped(text, node, context);
  if (wrapped !== undefined) {
    return wrapped;
  }
  if (isErrorJson(text, node) || isConfigJson(node) || isMostlyCode(text, node)) {
    return text;
  }
  const renderer = new JsonRenderer(text, errorsIn(text, node), new ConstantMembers(text, node));
  const rendered = renderer.render(node);
  const condensed = renderer.note === undefined ? rendered : `${renderer.note}\n${rendered}`;
  const length = node.end - node.start;
  const isCompact = length >= MIN_INDENTED_CHARS && condensed.length < length * MAX_COMPACT;
  return renderer.cuts > 0 || renderer.note !== undefined || isCompact
    ? text.slice(0, node.start) + condensed + text.slice(node.end)
    : text;
}

/** JSON that a limit has cut off: what is complete of it, and the rest as it was. A program may have warned before it. */
function condenseCut(text: string, context: StrategyContext): string | undefined {
  const first = skipJsonSpace(text, 0);
  const start = text[first] === '{' || text[first] === '[' ? first : nextLineWithBracket(text, first);
  const isMost = start >= 0 && start < text.length * (1 - MIN_SHARE);
  const cut = isMost ? closeCutJson(text.slice(start)) : undefined;
  const short = cut && condenseWhole(cut.closed, context);
  return short === undefined || short === cut?.closed
    ? undefined
    : `${text.slice(0, start)}${short}\n${CUT_NOTE}\n${cut?.rest ?? ''}`;
}

function findValue(text: string): JsonSpan | undefined {
  let at = skipJsonSpace(text, 0);
  for (let tries = 0; tries < MAX_TRIES && at >= 0 && at < text.length * (1 - MIN_SHARE); tries++) {
    if (text[at] === '{' || text[at] === '[') {
      const node = readJsonSpan(text, at);
      if (node && node.end - node.start >= text.length * MIN_SHARE) {
        return node;
      }
    }
    at = nextLineWithBracket(text, at);
  }
  return undefined;
}

function nextLineWithBracket(text: string, after: number): number {
  const places = ['\n{', '\n['].map((start) => text.indexOf(start, after)).filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places) + 1;
}

/** The text with the string condensed that makes up most of the value; undefined if there is no such string. */
function condenseWrapped(text: string, root: JsonSpan, { nested }: StrategyContext): string | undefined {
  const inner = dominantString(root, root.end - root.start);
  if (!inner) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text.slice(inner.start, inner.end));
    if (typeof value !== 'string' || !value.includes('\n')) {
      return undefined;
    }
    const short = nested(value);
    return short === value
      ? text
      : text.slice(0, inner.start) + JSON.stringify(short) + text.slice(inner.end);
  } catch {
    return undefined;
  }
}

function dominantString(node: JsonSpan, total: number): JsonSpan | undefined {
  if (node.end - node.start < total * 0.7) {
    return undefined;
  }
  if (node.kind === 'string') {
    return node;
  }
  if (node.kind === 'object' || node.kind === 'array') {
    const largest = node.items.reduce<JsonSpan | undefined>(
      (most, item) => (most && most.end - most.start >= item.end - item.start ? most : item),
      undefined,
    );
    return largest && dominantString(largest, total);
  }
  return undefined;
}
