const CUT = /^The answer was cut at (\d+) tokens, since the request named no limit\.$/;

/** The note on an answer that the gateway's own default has cut: callers take that for a limit which they set. */
export function cutNote(tokens: number): string {
  return `The answer was cut at ${tokens} tokens, since the request named no limit.`;
}

/** The tokens that a `cutNote` names; undefined for any other note. */
export function cutAt(note: string): number | undefined {
  const [, tokens] = CUT.exec(note) ?? [];
  return tokens === undefined ? undefined : Number(tokens);
}
