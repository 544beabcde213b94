/**
 * Index of the first character of a text that is no JSON that is wrong where it stands; the text's length if it only
 * ends too early. V8's message often has a quote of the text, which may be secret, in place of the position, so the
 * longest sound beginning is searched.
 */
export function jsonFaultAt(text: string): number {
  let sound = 0;
  let faulty = text.length + 1;
  while (faulty - sound > 1) {
    const middle = (sound + faulty) >>> 1;
    if (isSoundBeginning(text.slice(0, middle))) {
      sound = middle;
    } else {
      faulty = middle;
    }
  }
  return sound;
}

/** Whether the parser has nothing against a text except, perhaps, that it ends. */
function isSoundBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return message.includes('end of JSON input') || message.includes(`at position ${text.length} (`);
  }
}
