/** Share of the text that a value must make up to be shown without its last item, which is not complete. */
const MIN_SHARE = 0.5;

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** JSON that was cut off, with the brackets closed that it left open. */
export interface CutJson {
  readonly closed: string;
  /** What is left of the item in which it was cut. */
  readonly rest: string;
}

interface OpenValue {
  readonly start: number;
  readonly bracket: string;
  /** Place behind the last complete item. */
  end: number;
}

/** Closes a JSON value that ends with the text, and not by itself; undefined for other texts. */
export function closeCutJson(text: string): CutJson | undefined {
  const open = valuesLeftOpen(text);
  const cut = open.findLastIndex(
    ({ start, end }) => end > start && text.length - start >= text.length * MIN_SHARE,
  );
  const { end } = open[cut] ?? { end: 0 };
  const closing = open.slice(0, cut + 1).map(({ bracket }) => CLOSING[bracket] ?? '');
  return end === 0
    ? undefined
    : {
        closed: text.slice(0, end) + closing.reverse().join(''),
        rest: text.slice(end).replace(/^,\s{0,1000}/, ''),
      };
}

/** The values that are open at the end, from the outermost on; none if the first is closed before. */
function valuesLeftOpen(text: string): OpenValue[] {
  const open: OpenValue[] = [];
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    const last = open.at(-1);
    if (char === '"') {
      i = endOfString(text, i);
    } else if (char === '{' || char === '[') {
      open.push({ start: i, bracket: char, end: i });
    } else if (char === ',' && last) {
      last.end = i;
    } else if (last && (char === '}' || char === ']')) {
      open.pop();
      if (open.length === 0) {
        return [];
      }
    }
  }
  return open;
}

/** Index of the quote that closes a string, or of the end of its line. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"' || char === '\n') {
      return i;
    }
    i += char === '\\' ? 1 : 0;
  }
  return text.length;
}
