/**
 * Whether an `If-Match` header matches a version: `"a"`, a list of tags, or `*`. Weak tags never match (RFC 9110, 13.1.1);
 * unquoted ones do, to be lenient.
 */
export function matchesVersion(ifMatch: string, version: string): boolean {
  return ifMatch
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag === version || tag === `"${version}"`);
}
