/** Characters of the longest line that is a title. */
const MAX_TITLE_CHARS = 80;

/** A line of words, as titles are and code is not. */
const TITLE = /^[#*=\s]*[\p{L}\p{N}][\p{L}\p{N} ,.:'’"–—()&/-]*$/u;

/** Letters of a word that says something. */
const NAME = /\p{L}{4,}/gu;

const WORD = /[\p{L}\p{N}]+/gu;

/** Words of the titles of results, and of the arguments of their calls, such as a path. In small letters. */
interface ResultWords {
  /** Those by which a user may name a result. */
  readonly names: ReadonlySet<string>;
  /** Also short ones, and numbers. */
  readonly all: ReadonlySet<string>;
}

/**
 * @param results of which the first line may be a title
 * @param calls arguments of the calls, JSON that may be broken
 */
export function wordsOfResults(results: readonly string[], calls: readonly string[]): ResultWords {
  const texts = [...results.flatMap((text) => titleOf(text) ?? []), ...calls.flatMap(valuesOf)].map((text) =>
    text.toLowerCase(),
  );
  const matchesOf = (pattern: RegExp): ReadonlySet<string> =>
    new Set(texts.flatMap((text) => text.match(pattern) ?? []));
  return { names: matchesOf(NAME), all: matchesOf(WORD) };
}

function titleOf(text: string): string | undefined {
  const [line = ''] = text
    .trimStart()
    .slice(0, MAX_TITLE_CHARS + 1)
    .split('\n', 1);
  return line.length <= MAX_TITLE_CHARS && TITLE.test(line) ? line : undefined;
}

/** The short texts among the arguments of a call. */
function valuesOf(json: string): string[] {
  return [...json.matchAll(/:\s*"([^"\\]{1,200})"/g)].map(([, value = '']) => value);
}
