/** Share of its lines that must be items for a text to be a list. */
const ITEM_LINES = 0.9;
const MIN_ITEMS = 3;
/** Characters of the longest item; longer lines are paragraphs. */
const MAX_ITEM_CHARS = 240;

/** The end of a line of code, or of a sentence. */
const CODE_OR_PROSE_END = /[{}()[;,.:]$/;

/** A place that a search or a compiler names, whatever it says of it: `src/app.ts:12:`, `src/app.ts(12,5):`. */
const MATCH = /^[^\s:()]+(?::\d+|\(\d+,\d+\)):/;

/** Whether a tool result is a list: of paths, or of lines that each stand for something, such as commits or users. */
export function isList(text: string): boolean {
  const lines = text.trimEnd().split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  const share = (isItem: (line: string) => boolean, of: readonly string[]): number =>
    of.filter(isItem).length / Math.max(1, of.length);
  return (
    share(isPath, filled) >= ITEM_LINES || (lines.length >= MIN_ITEMS && share(isRecord, lines) >= ITEM_LINES)
  );
}

function isPath(line: string): boolean {
  return /^\s*[^\s/\\.]*[/\\.]\S*\s*$/.test(line);
}

/** Whether a line stands for itself: it is short, not indented, and neither code nor a sentence. */
function isRecord(line: string): boolean {
  const isItem = MATCH.test(line) || (/^\S/.test(line) && !CODE_OR_PROSE_END.test(line.trimEnd()));
  return isItem && line.length <= MAX_ITEM_CHARS;
}
