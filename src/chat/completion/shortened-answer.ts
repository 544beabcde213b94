/** Characters of the beginning and the end of a long answer that the model is shown. */
const SHOWN_START_CHARS = 2000;
const SHOWN_END_CHARS = 1000;

/** An answer as the model is shown it for correction: whole, or its beginning and end. */
export function shortenedAnswer(text: string): string {
  const left = text.length - SHOWN_START_CHARS - SHOWN_END_CHARS;
  return left <= 0
    ? text
    : `${text.slice(0, SHOWN_START_CHARS)}\n[… ${left} characters left out …]\n${text.slice(-SHOWN_END_CHARS)}`;
}
