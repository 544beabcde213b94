import { type Element } from './elements.js';
import { type Input, type Parsing } from './input.js';

/** An opening tag whose attributes may be arguments: `<read_file path="a.ts"/>`. */
export interface AttributedElement extends Element {
  readonly attributes?: readonly { readonly key: string; readonly value: string }[];
}

const NAME = String.raw`[\p{L}_-][\p{L}\p{N}_.:-]*`;
const VALUE = String.raw`(?:"[^"\n]*"|'[^'\n]*')`;

/** Groups 1: the name, 2: the attributes, 3: `/` of an empty element. */
const ELEMENT = new RegExp(String.raw`^<(${NAME})((?:\s+${NAME}\s*=\s*${VALUE})+)\s*(\/?)>`, 'u');

/** A beginning of that behind its name. Group 1: the name. */
const PARTIAL = new RegExp(String.raw`^<(${NAME})\s(?:[^"'<>]|${VALUE})*(?:"[^"\n]*|'[^'\n]*)?$`, 'u');

/** Groups 1: the key, 2: the value with its quotes. */
const ATTRIBUTE = new RegExp(String.raw`(${NAME})\s*=\s*(${VALUE})`, 'gu');

/** Characters of the longest such tag. */
const MAX_LENGTH = 1024;

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
    const text = input.text.slice(input.at, input.at + MAX_LENGTH);
    const [{ length }, name = '', attributes = '', end] = ELEMENT.exec(text) ?? [''];
    if (length > 0) {
      return { name, isClosing: false, isEmpty: end === '/', length, attributes: attributesOf(attributes) };
    }
    const begun = PARTIAL.exec(text)?.[1];
    if (begun === undefined || !isKnown(begun) || input.isEnded || text.length === MAX_LENGTH) {
      return undefined;
    }
    yield;
  }
}

function attributesOf(text: string): NonNullable<AttributedElement['attributes']> {
  return [...text.matchAll(ATTRIBUTE)].map(([, key = '', quoted = '']) => ({
    key,
    value: quoted.slice(1, -1).replace(ENTITY, (_, name: string) => ENTITIES[name] ?? ''),
  }));
}
