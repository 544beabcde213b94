import { type OptionalParts } from './optional-fields.js';

/** Takes the whole word around a match, such as a value of the caller's. */
const UNSUPPORTED =
  /\b\w*(?:unsupported|unrecogni[sz]ed|unknown|incompatible|not (?:supported|permitted|allowed)|not support|extra_forbidden)\w*/gi;
/** Parts of a complaint that repeat the request: a validator's copy of it, and addresses of pictures. */
const ECHO = /['"]input['"]: ?[^]*|\b(?:https?|data):\S*/gi;
/** Words that come with a caller's own schema, but for "additional properties are not allowed". */
const OF_SCHEMA = /\bschema\b|['"]properties['"]|\bproperties[.[]|\b(?:tools|functions)\W{1,3}\d/i;

/** A complaint of an upstream without what it repeats of the request. */
export function withoutEcho(text: string): string {
  return text.replace(ECHO, '');
}

/** Whether a complaint says that something is not known or taken. @param quoted the caller's words, which do not count */
export function saysUnsupported(complaint: string, quoted: string): boolean {
  return (complaint.match(UNSUPPORTED) ?? []).some((words) => !holdsWords(quoted, words));
}

/** Whether a complaint is about a caller's own schema, whose words may be any: they say nothing of the model. */
export function isAboutSchema(complaint: string): boolean {
  return OF_SCHEMA.test(complaint);
}

/** Whether a text holds the words as such, not as parts of longer ones. */
export function holdsWords(text: string, words: string): boolean {
  return new RegExp(`\\b${RegExp.escape(words)}\\b`).test(text);
}

/** The caller's own texts that complaints repeat, a line each: those of fields passed on, and the names of tools. */
export function wordsOf({ params, tools }: OptionalParts): string {
  const names = tools?.definitions.map((tool) => (tool as { function?: { name?: unknown } }).function?.name);
  return textsOf([params.further, params.stop, names]).join('\n');
}

/** The texts in a value, without the keys of objects: those are names of fields. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap(textsOf);
  }
  return typeof value === 'string' ? [value] : [];
}
