/** Compiles a URL pattern in which `*` stands for any characters. Linear in the URL; ignores its fragment. */
export function compileUrlPattern(pattern: string): (url: string) => boolean {
  const parts = pattern.split('*');
  return (url) => matchesParts(url.split('#', 1)[0] ?? '', parts);
}

function matchesParts(url: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) {
    return url === first;
  }
  if (!url.startsWith(first) || !url.endsWith(last) || url.length < first.length + last.length) {
    return false;
  }
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = url.indexOf(part, from);
    if (at < 0) {
      return false;
    }
    from = at + part.length;
  }
  return from <= url.length - last.length;
}
