/** Length of the longest suffix of `text` that is a prefix of `marker` but not all of it; 0 if there is none. */
export function partialSuffixLength(text: string, marker: string): number {
  const first = marker.charAt(0);
  let at = text.indexOf(first, Math.max(0, text.length - marker.length + 1));
  while (at >= 0 && !marker.startsWith(text.slice(at))) {
    at = text.indexOf(first, at + 1);
  }
  return at < 0 ? 0 : text.length - at;
}
