import { isStructure } from '../../../common/text/json-object.js';
import { type OptionalParts } from './optional-fields.js';

/** Takes the whole word around a match, such as a value of the caller's. */
const UNSUPPORTED =
  /\b\w*(?:unsupported|unrecogni[sz]ed|unknown|incompatible|not (?:supported|permitted|allowed)|not support|extra_forbidden)\w*/gi;
/** Parts of a complaint that repeat the request: a validator's copy of it, and addresses of pictures. */
const ECHO = /['"]input['"]: ?[^]*|\b(?:https?|data):\S*/gi;
/** Place of a message among those of the request. */
const OF_MESSAGES = /\bmessages\W{1,4}\d/i;
/** Words that come with a caller's own schema, but for "additional properties are not allowed". */
const OF_SCHEMA = /\bschema\b|['"]properties['"]|\bproperties[.[]|\b(?:tools|functions)\W{1,4}\d/i;

/** A word, and the one before it, but for the number of an item: prediction.type; prediction[0].type; prediction -> type */
const WORD_OF = /(?<=\b(\w+)\W{1,4}(?:\d+\W{1,4})?)\b\w+/g;

/** A complaint of an upstream without what it repeats of the request. */
export function withoutEcho(text: string): string {
  return text.replace(ECHO, '');
}

/**
 * A complaint without the names of members that it gives behind what they are members of: a caller may give to a member the
 * name of any field.
 * @param bodies objects of the request, whose own members stay
 */
export function withoutMembers(complaint: string, bodies: readonly object[]): string {
  const members = new Set<string>();
  const collect = (owner: string, value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach((item) => collect(owner, item));
    } else if (isStructure(value)) {
      for (const [name, member] of Object.entries(value)) {
        members.add(`${owner}.${name}`);
        collect(name, member);
      }
    }
  };
  bodies.flatMap(Object.entries).forEach(([name, value]) => collect(name, value));
  return complaint.replace(WORD_OF, (word, owner: string) => (members.has(`${owner}.${word}`) ? '' : word));
}

/** Whether a complaint says that something is not known or taken. @param quoted the caller's words, which do not count */
export function saysUnsupported(complaint: string, quoted: string): boolean {
  return (complaint.match(UNSUPPORTED) ?? []).some((words) => !holdsWords(quoted, words));
}

/** Whether a complaint is about a caller's own messages, whose words may be the name of any field. */
export function isAboutMessages(complaint: string): boolean {
  return OF_MESSAGES.test(complaint);
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
