/**
 * Index of the first wrong character of an invalid JSON text; the text's length if the text only ends too early. V8's
 * message often quotes the text, which may be secret, instead of giving the position; so the longest valid prefix is
 * found by bisection.
 */
export function jsonFaultAt(text: string): number {
  let valid = 0;
  let faulty = text.length + 1;
  while (faulty - valid > 1) {
    const middle = (valid + faulty) >>> 1;
    if (isValidPrefix(text.slice(0, middle))) {
      valid = middle;
    } else {
      faulty = middle;
    }
  }
  return valid;
}

/** Whether a text is the beginning of valid JSON. */
function isValidPrefix(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return message.includes('end of JSON input') || message.includes(`at position ${text.length} (`);
  }
}
