import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { type ContentPart, MEDIA_KINDS, type MediaPart } from '../interfaces/chat-message.js';
import { FOREIGN_KINDS, inChatForm } from './media/foreign-parts.js';
import { mediaOrNote, type MediaPlace, omittedPartNote, unknownPart } from './media/media-parts.js';
import { invalidField } from './wire-values.js';

/** Whose parts they are, by which some mean different things. */
export interface PartRules extends Omit<MediaPlace, 'param'> {
  readonly isAssistant: boolean;
}

export interface ReadParts {
  readonly parts: readonly ContentPart[];
  /** The assistant's reasoning, apart from its text. */
  readonly thinking: string;
}

/** Names of text in the formats beside this one, whose clients mix them. */
const OTHER_TEXT = new Set<unknown>(['input_text', 'output_text']);
const THOUGHTS = new Set<unknown>(['thinking', 'redacted_thinking']);

/**
 * Checks the parts of a content.
 * @param param name of the content for errors
 * @returns undefined if the parts are fit to go on as they are
 * @throws InvalidRequestError whose `param` names the part
 */
export function readParts(
  content: readonly unknown[],
  param: () => string,
  rules: PartRules,
): ReadParts | undefined {
  let thinking = '';
  let isChanged = false;
  const parts: ContentPart[] = [];
  content.forEach((part: unknown, at) => {
    const path = (): string => `${param()}[${at}]`;
    if (!isJsonObject(part)) {
      throw invalidField(path(), 'must be an object');
    }
    if (rules.isAssistant && THOUGHTS.has(part.type)) {
      isChanged = true;
      thinking += typeof part.thinking === 'string' ? part.thinking : '';
      return;
    }
    const read = readPart(part, path, rules);
    isChanged ||= read !== part;
    parts.push(read);
  });
  return isChanged ? { parts, thinking } : undefined;
}

/** One part, of which `readParts` reads a list. @throws InvalidRequestError whose `param` names it */
export function readPart(given: JsonObject, path: () => string, rules: PartRules): ContentPart {
  const part = inChatForm(given);
  if (rules.isAssistant && part.type === 'refusal') {
    return { type: 'text', text: requireText(part, 'refusal', path) };
  }
  if (part.type === 'text') {
    requireText(part, 'text', path);
    return part as unknown as ContentPart;
  }
  if (OTHER_TEXT.has(part.type)) {
    return { type: 'text', text: requireText(part, 'text', path) };
  }
  return readMedia(part, path, { ...rules, shown: given.type });
}

/** @param rules with the type by which the caller knows the part */
function readMedia(
  part: JsonObject,
  path: () => string,
  { refusesMedia, takes, shown }: PartRules & { readonly shown: unknown },
): ContentPart {
  const { type } = part;
  if (typeof type !== 'string') {
    throw invalidField(`${path()}.type`, 'must be a string');
  }
  const kind = isMediaType(type) ? MEDIA_KINDS[type] : FOREIGN_KINDS.get(type);
  if (!kind) {
    if (refusesMedia) {
      throw unknownPart(path(), type);
    }
    return { type: 'text', text: omittedPartNote(type, takes) };
  }
  const place = { param: path(), refusesMedia, takes };
  const read = mediaOrNote(kind, place, { noun: 'part', type: shown as string }, () => {
    if (!isMediaType(type)) {
      return undefined;
    }
    if (!isJsonObject(part[type])) {
      throw invalidField(`${path()}.${type}`, 'must be an object');
    }
    return part as unknown as MediaPart;
  });
  return typeof read === 'string' ? { type: 'text', text: read } : read;
}

function isMediaType(type: string): type is MediaPart['type'] {
  return Object.hasOwn(MEDIA_KINDS, type);
}

function requireText(part: JsonObject, key: string, path: () => string): string {
  const text = part[key];
  if (typeof text !== 'string') {
    throw invalidField(`${path()}.${key}`, 'must be a string');
  }
  return text;
}
