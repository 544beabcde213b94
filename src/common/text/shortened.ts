/** The text, or its beginning with an ellipsis, of at most so many characters. */
export function shortened(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}

/** Longest name that a message quotes. */
const MAX_NAME_CHARS = 100;

/** A name in quotation marks, or the beginning of one. */
export function quotedName(name: string): string {
  return shortened(JSON.stringify(name), MAX_NAME_CHARS);
}
