import { parsedJson } from '../../../common/text/parsed-json.js';
import { looksLikeCode, looksLikeProse } from '../protection/source-looks.js';
import { type JsonSpan } from './json-reader.js';

/** Share of a value that code must make up for it to be what the call was made for. */
const MIN_CODE_SHARE = 0.5;

const PATCH = /^(?:@@ -\d|diff --git |--- \S)/;

/**
 * Whether a value consists mostly of code or patches, as the bodies of symbols, the hits of a search for code and the
 * files of a pull request do: strings of several lines, of which the model needs every word.
 */
export function isMostlyCode(text: string, node: JsonSpan): boolean {
  const least = (node.end - node.start) * MIN_CODE_SHARE;
  const spans = stringsOfLines(text, node);
  if (charsOf(spans) < least) {
    return false;
  }
  const { patch: patches = [], other: others = [] } = Object.groupBy(spans, ({ start }) =>
    PATCH.test(text.slice(start + 1, start + 20)) ? 'patch' : 'other',
  );
  const lines = others.map((span) => linesOf(text, span)).join('\n');
  const isCode = looksLikeCode(lines) && !looksLikeProse(lines);
  return charsOf(patches) + (isCode ? charsOf(others) : 0) >= least;
}

/** The strings in a value that hold a line break between other characters. */
function stringsOfLines(text: string, node: JsonSpan): JsonSpan[] {
  if (node.kind === 'array' || node.kind === 'object') {
    return node.items.flatMap((item) => stringsOfLines(text, item));
  }
  return node.kind === 'string' && /\S\\n(?!"$)/.test(text.slice(node.start, node.end)) ? [node] : [];
}

function charsOf(spans: readonly JsonSpan[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

function linesOf(text: string, { start, end }: JsonSpan): string {
  const value = parsedJson(text.slice(start, end));
  return typeof value === 'string' ? value : '';
}
