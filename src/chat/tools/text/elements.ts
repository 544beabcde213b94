import { type Input, type Parsing } from './input.js';
import { peekText } from './scan.js';

/** A tag without attributes whose name no dialect knows, such as `<city>`: a parameter in a form of its own. */
export interface Element {
  readonly name: string;
  /** The key that an attribute gives: `<param name="city">`. */
  readonly key?: string;
  readonly isClosing: boolean;
  /** Whether it has no content: `<ping/>`. */
  readonly isEmpty: boolean;
  /** Characters of the tag. */
  readonly length: number;
}

/** The words under which models write all arguments of a call. */
export const ARGUMENTS_WORDS: readonly string[] = [
  ...['arguments', 'parameters', 'args', 'input', 'params', 'kwargs'],
  ...['tool_arguments', 'tool_args', 'tool_input', 'tool_parameters', 'function_arguments'],
];

/** Elements that some models put around all parameters. */
const CONTAINERS: ReadonlySet<string> = new Set([...ARGUMENTS_WORDS, 'properties']);

/** Tags of functions that lack the name, so that they begin none. */
export const NAMELESS: ReadonlySet<string> = new Set(['function', 'invoke']);

const ELEMENT_NAME = String.raw`[\p{L}_-][\p{L}\p{N}_.:-]*`;

/** Groups 1: `/` of a closing tag, 2: the name, 3: `/` of an empty element. */
const ELEMENT = new RegExp(String.raw`^<(?:(\/)\s*)?(${ELEMENT_NAME})\s*(\/?)>`, 'u');

const PARAMETER_WORDS: ReadonlySet<string> = new Set(['parameter', 'param', 'arg', 'argument']);

/** A parameter by another word than those of the dialects. Groups 1: the word, 3 or 5: the key. */
const KEYED =
  /^<(parameter|param|arg|argument)(?:\s*(?:name|key)\s*=\s*(["'])([^"'<>]+)\2|=(["']?)([^"'<>\s]+)\4)\s*>/;
const PARTIAL_KEYED = /^<(?:parameter|param|arg|argument)(?:[\s=]|n|k)[^<>]*$/;

/** `<name>city</name><value>`. Group 1: the key. */
const KEY_ELEMENT = /^\s*<(?:name|key)>([^<>]+)<\/(?:name|key)>\s*<value>/;
const MAX_KEY_ELEMENT = 256;

/** A beginning of that. */
const PARTIAL_ELEMENT = new RegExp(String.raw`^<(?:\/\s*)?(?:${ELEMENT_NAME}\s*\/?)?$`, 'u');

/** Characters of the longest element; the names of parameters are shorter. */
const MAX_ELEMENT_LENGTH = 80;

/** The element that begins `offset` characters behind the cursor; undefined if there is none. Consumes nothing. */
export function* elementFrom(input: Input, offset = 0): Parsing<Element | undefined> {
  for (;;) {
    const start = input.at + offset;
    const text = input.text.slice(start, start + MAX_ELEMENT_LENGTH);
    const match = ELEMENT.exec(text);
    if (match) {
      const [{ length }, slash, name = '', end] = match;
      return { name, isClosing: slash === '/', isEmpty: end === '/', length };
    }
    const keyed = KEYED.exec(text);
    if (keyed) {
      const [{ length }, name = '', , quoted, , key = quoted] = keyed;
      return { name, ...(key && { key }), isClosing: false, isEmpty: false, length };
    }
    const isPartial = PARTIAL_ELEMENT.test(text) || PARTIAL_KEYED.test(text);
    const mayBecome = text === '' || (isPartial && text.length < MAX_ELEMENT_LENGTH);
    if (input.isEnded || !mayBecome) {
      return undefined;
    }
    yield;
  }
}

/** Consumes `<name>KEY</name><value>` at the cursor. @returns the key; undefined if something else is there */
export function* skipKeyElement(input: Input): Parsing<string | undefined> {
  const [all = '', found = ''] = KEY_ELEMENT.exec(yield* peekText(input, MAX_KEY_ELEMENT)) ?? [];
  const key = found.trim();
  if (key === '') {
    return undefined;
  }
  input.at += all.length;
  return key;
}

/** Whether this closes a parameter by another word than those of the dialects. */
export function closesParameter({ name, isClosing }: Element): boolean {
  return isClosing && PARAMETER_WORDS.has(name);
}

/** Whether an element, or a parameter, of this name stands around all parameters. */
export function isContainer(name: string): boolean {
  return CONTAINERS.has(name.toLowerCase());
}

/** An opening tag whose attributes may be arguments: `<read_file path="a.ts"/>`. */
export interface AttributedElement extends Element {
  readonly attributes?: readonly { readonly key: string; readonly value: string }[];
}

const QUOTED = String.raw`(?:"[^"\n]*"|'[^'\n]*')`;

/** Groups 1: the name, 2: the attributes, 3: `/` of an empty element. */
const ATTRIBUTED = new RegExp(
  String.raw`^<(${ELEMENT_NAME})((?:\s+${ELEMENT_NAME}\s*=\s*${QUOTED})+)\s*(\/?)>`,
  'u',
);

/** A beginning of that behind its name. Group 1: the name. */
const PARTIAL_ATTRIBUTED = new RegExp(
  String.raw`^<(${ELEMENT_NAME})\s(?:[^"'<>]|${QUOTED})*(?:"[^"\n]*|'[^'\n]*)?$`,
  'u',
);

/** Groups 1: the key, 2: the value with its quotes. */
const ATTRIBUTE = new RegExp(String.raw`(${ELEMENT_NAME})\s*=\s*(${QUOTED})`, 'gu');

/** Characters of the longest such tag. */
const MAX_ATTRIBUTED_LENGTH = 1024;

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };
const ENTITY = /&(quot|apos|lt|gt|amp);/g;

/**
 * The opening tag with attributes at the cursor; undefined if there is none. Consumes nothing.
 * @param isKnown whether a tag of this name is worth waiting for
 */
export function* attributedElement(
  input: Input,
  isKnown: (name: string) => boolean,
): Parsing<AttributedElement | undefined> {
  for (;;) {
    const text = input.text.slice(input.at, input.at + MAX_ATTRIBUTED_LENGTH);
    const [{ length }, name = '', attributes = '', end] = ATTRIBUTED.exec(text) ?? [''];
    if (length > 0) {
      return { name, isClosing: false, isEmpty: end === '/', length, attributes: readAttributes(attributes) };
    }
    const begun = PARTIAL_ATTRIBUTED.exec(text)?.[1];
    if (begun === undefined || !isKnown(begun) || input.isEnded || text.length === MAX_ATTRIBUTED_LENGTH) {
      return undefined;
    }
    yield;
  }
}

/** A tag all of whose attributes are sound; the name of a call may lack its quotes. */
const SOUND_TAG = new RegExp(
  String.raw`^<[^\s=<>]+(?:=\S+)?(?:\s+${ELEMENT_NAME}\s*=\s*(?:${QUOTED}|[\w.-]+))+\s*\/?>$`,
  'u',
);

/** The attributes of an opening tag that have quotes; none if one of them is broken. */
export function attributesOf(tag: string): NonNullable<AttributedElement['attributes']> {
  return SOUND_TAG.test(tag) ? readAttributes(tag) : [];
}

/** Text in which the signs of markup stand for themselves. */
export function withoutEntities(text: string): string {
  return text.replace(ENTITY, (_, name: string) => ENTITIES[name] ?? '');
}

function readAttributes(text: string): NonNullable<AttributedElement['attributes']> {
  return [...text.matchAll(ATTRIBUTE)].map(([, key = '', quoted = '']) => ({
    key,
    value: withoutEntities(quoted.slice(1, -1)),
  }));
}
