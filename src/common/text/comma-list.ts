/** The entries of a setting that lists them with commas between, without the white space around them; none for none. */
export function commaList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
