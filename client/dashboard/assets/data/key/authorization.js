/** Headers that show a key, as UTF-8 bytes: header values are byte strings. @param {string | null} key null for none */
export function authorization(key) {
  return key === null
    ? {}
    : { Authorization: `Bearer ${String.fromCharCode(...new TextEncoder().encode(key))}` };
}
