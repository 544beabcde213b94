/**
 * Whether a text ends with the first half of a surrogate pair, so that it cannot be cut there.
 * @param length of its beginning that is looked at, in UTF-16 units; all of it by default
 */
export function endsInHalfPair(text: string, length = text.length): boolean {
  return (text.charCodeAt(length - 1) & 0xfc00) === 0xd800;
}

/** Length of what two texts begin with alike, in UTF-16 units, never between the halves of a surrogate pair. */
export function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) {
    length++;
  }
  return endsInHalfPair(b, length) ? length - 1 : length;
}
