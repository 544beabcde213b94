/** Characters of the longest line that is a title. */
const MAX_TITLE_CHARS = 80;

/** A line of words, as titles are and code is not. */
const TITLE = /^[#*=\s]*[\p{L}\p{N}][\p{L}\p{N} ,.:'’"–—()&/-]*$/u;

/** Letters of a word that says something. */
const NAME = /\p{L}{4,}/gu;

const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Words by which a user may name a result: those of its title, which is its first line, and those of the arguments of its
 * call, such as a path. In small letters.
 * @param calls arguments of the calls, JSON that may be broken
 */
export function namesOfResults(results: readonly string[], calls: readonly string[]): ReadonlySet<string> {
  const titles = results.flatMap((text) => titleOf(text) ?? []);
  const values = calls.flatMap(valuesOf);
  return new Set([...titles, ...values].flatMap((text) => text.toLowerCase().match(NAME) ?? []));
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

/** All words of titles and of the arguments of calls, also short ones, in small letters. */
export function wordsOfResults(results: readonly string[], calls: readonly string[]): ReadonlySet<string> {
  const titles = results.flatMap((text) => titleOf(text) ?? []);
  const values = calls.flatMap(valuesOf);
  return new Set([...titles, ...values].flatMap((text) => text.toLowerCase().match(WORD) ?? []));
}
