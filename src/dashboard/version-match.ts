/**
 * Whether an `If-Match` header holds a version: `"a"`, a list of such, or `*` for any. Weak tags never match, as
 * RFC 9110 has it; a tag without its quotes does.
 */
export function matchesVersion(ifMatch: string, version: string): boolean {
  return ifMatch
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag === version || tag === `"${version}"`);
}
