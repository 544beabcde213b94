import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

/** Version of a file: a hash of its content. An undefined text stands for a missing file. */
export function versionOf(text: string | undefined): string {
  return hash('sha256', text ?? '').slice(0, 32);
}

/**
 * The text of a JSON object after changes: a key is set, or removed by `null`. Other keys keep their order, and lines
 * their indentation; changes without effect return the same text.
 * @param text a JSON object; undefined if there is no file yet
 */
export function changeJsonText(
  text: string | undefined,
  changes: ReadonlyMap<string, unknown>,
): string | undefined {
  const values = new Map(Object.entries(JSON.parse(text ?? '{}') as object));
  const hasEffect = [...changes].some(([key, value]) =>
    value === null ? values.has(key) : !values.has(key) || !isDeepStrictEqual(values.get(key), value),
  );
  if (!hasEffect) {
    return text;
  }
  for (const [key, value] of changes) {
    if (value === null) {
      values.delete(key);
    } else {
      values.set(key, value);
    }
  }
  const indent = /\n([ \t]+)"/.exec(text ?? '')?.[1] ?? 2;
  const changed = `${JSON.stringify(Object.fromEntries(values), null, indent)}\n`;
  return text?.includes('\r\n') ? changed.replaceAll('\n', '\r\n') : changed;
}
