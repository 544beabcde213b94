/** A record without its prefix, which names its event. */
export interface PlainRecord {
  readonly data: string;
  readonly event: string;
}

/** Cuts one of these prefixes off each record; a record that begins with none of them is undefined. */
export function compilePrefix(
  prefix: string | readonly string[],
): (data: string, event: string) => PlainRecord | undefined {
  // A longer prefix may begin with a shorter one.
  const prefixes = (typeof prefix === 'string' ? [prefix] : [...prefix]).sort((a, b) => b.length - a.length);
  return (data) => {
    const found = prefixes.find((text) => data.startsWith(text));
    return found === undefined ? undefined : { data: data.slice(found.length), event: found };
  };
}
