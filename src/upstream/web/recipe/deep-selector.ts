/** Names of the selectors that are no CSS, e.g. `aria/Send`. */
const NO_CSS = /^(?:aria|text|xpath|pierce|shadow|p-[\w-]+)\//;
const OPENING = '([{';
const CLOSING = ')]}';

/** The parts of a selector between its `>>>`, each of which leads from an element into the shadow roots below it. */
export type DeepSelector = readonly string[];

/**
 * What is to be read off a page all the time: CSS, with `>>>` where the way leads into a shadow root. Undefined for any
 * other selector, which only the browser can resolve, one at a time.
 * @returns the selectors of the list that `text` is
 */
export function parseDeepSelectors(text: string): readonly DeepSelector[] | undefined {
  const selectors = split(text, ',').map((selector) => split(selector, '>>>'));
  const isCss = selectors.flat().every((part) => part !== '' && !part.startsWith('>') && !NO_CSS.test(part));
  return isCss ? selectors : undefined;
}

/** The parts of a selector between these signs, apart from those in brackets and in quotes. */
function split(selector: string, sign: string): string[] {
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (let at = 0; at < selector.length; at++) {
    const char = selector.charAt(at);
    if (depth === 0 && quote === '' && selector.startsWith(sign, at)) {
      parts.push('');
      at += sign.length - 1;
      continue;
    }
    parts.push(`${parts.pop() ?? ''}${char}`);
    if (char === '\\') {
      parts.push(`${parts.pop() ?? ''}${selector.charAt(++at)}`);
    } else if (quote !== '') {
      quote = char === quote ? '' : quote;
    } else if (char === '"' || char === "'") {
      quote = char;
    } else {
      depth += Number(OPENING.includes(char)) - Number(CLOSING.includes(char));
    }
  }
  return parts.map((part) => part.trim());
}
