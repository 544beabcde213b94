/** Number of words after which a line is cut; further words do not tell lines apart. */
const MAX_WORDS = 60;

/** 1 for ASCII characters that separate words. */
const BREAKS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\s"'`()[\]{}<>,;=|&?]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const COLON = 0x3a;

/** Length of a word from which on it is the name of what stands behind its colon. Parts of addresses are shorter. */
const MIN_NAME = 3;

/**
 * Template of a line: its words, with `#` for each that contains a digit, a slash or an `@`. Lines that differ only
 * in numbers, times, ids and paths have equal templates; the name in `hits:5` is a word of its own. A line without
 * words is its own template.
 * @param words receives the original words
 */
export function templateOf(line: string, words: string[] = []): string {
  const key: string[] = [];
  let start = 0;
  let isVariable = false;
  let hasColon = false;
  for (let i = 0; i <= line.length && words.length < MAX_WORDS; i++) {
    const code = i < line.length ? line.charCodeAt(i) : 0x20;
    const isNamed = code === COLON && !isVariable && !hasColon && i - start >= MIN_NAME;
    if (isNamed || (code < 128 && BREAKS[code] === 1)) {
      if (i > start) {
        const word = line.slice(start, i);
        words.push(word);
        key.push(isVariable ? '#' : word);
      }
      start = i + 1;
      isVariable = false;
      hasColon = false;
    } else if (code === COLON) {
      hasColon = true;
    } else if ((code >= 0x30 && code <= 0x39) || code === 0x2f || code === 0x40) {
      isVariable = true;
    }
  }
  return key.length === 0 ? line.trim().slice(0, 80) : key.join(' ');
}
