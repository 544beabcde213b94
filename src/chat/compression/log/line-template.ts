/** Words beyond this do not tell lines apart. */
const MAX_WORDS = 60;

/** Where a word ends. */
const BREAKS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\s"'`()[\]{}<>,;=|&?]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * The words of a line, those with a digit, a slash or an `@` as `#`: equal for lines that differ in numbers, times,
 * ids and paths only. A line without words is its own template.
 * @param words is filled with the words as they are
 */
export function templateOf(line: string, words: string[] = []): string {
  const key: string[] = [];
  let start = 0;
  let isVariable = false;
  for (let i = 0; i <= line.length && words.length < MAX_WORDS; i++) {
    const code = i < line.length ? line.charCodeAt(i) : 0x20;
    if (code < 128 && BREAKS[code] === 1) {
      if (i > start) {
        const word = line.slice(start, i);
        words.push(word);
        key.push(isVariable ? '#' : word);
      }
      start = i + 1;
      isVariable = false;
    } else if ((code >= 0x30 && code <= 0x39) || code === 0x2f || code === 0x40) {
      isVariable = true;
    }
  }
  return key.length === 0 ? line.trim().slice(0, 80) : key.join(' ');
}
