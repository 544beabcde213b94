/** The lines of a text that are not blank. */
export function filledLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
