/** A fence and its content. */
const FENCED = /^```\w*\s*\n([^`]*)\n\s*```\s*$/gmu;

/** A string, a number or a literal of JSON as a word of its own. */
const SCALAR =
  /(?<![\p{L}\p{N}_.-])(?:"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?!\.?[\p{L}\p{N}_-])/gu;

/** The text of the scalar that an answer holds: in its only fence, or as the only one in its prose; else all of it. */
export function scalarIn(answer: string): string {
  const fenced = [...answer.matchAll(FENCED)].map(([, content = '']) => content);
  const text = (fenced.length === 1 ? fenced[0]! : answer).trim();
  const found = text.match(SCALAR) ?? [];
  return found.length === 1 ? found[0] : text;
}
