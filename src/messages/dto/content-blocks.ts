import { textOfSource } from '../../chat/dto/media/file-text.js';
import {
  mediaOrNote,
  type MediaPlace,
  notTakenError,
  omittedPartNote,
  unknownPart,
} from '../../chat/dto/media/media-parts.js';
import { headingLines, partOfSource } from '../../chat/dto/media/source-parts.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { type MediaKind, type MediaPart } from '../../chat/interfaces/chat-message.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';

/** An element of a message's content, which says by its type what it is. */
export type ContentBlock = JsonObject & { readonly type: string };

/** Blocks stand apart as paragraphs do, when they become one text. */
const BETWEEN_BLOCKS = '\n\n';

/**
 * The blocks of a content; a string is one block of text, and an absent content has none.
 * @param param name of the content for errors
 * @throws InvalidRequestError
 */
export function contentBlocks(content: unknown, param: string): readonly ContentBlock[] {
  if (typeof content === 'string') {
    return [{ type: 'text', text: content }];
  }
  if (isAbsent(content)) {
    return [];
  }
  if (!Array.isArray(content)) {
    throw invalidField(param, 'must be a string or an array of content blocks');
  }
  content.forEach((block: unknown, at) => {
    if (!isJsonObject(block)) {
      throw invalidField(`${param}[${at}]`, 'must be an object');
    }
    if (typeof block.type !== 'string') {
      throw invalidField(`${param}[${at}].type`, 'must be a string');
    }
  });
  return content as ContentBlock[];
}

/**
 * The text of blocks that hold text, documents or search results.
 * @param refusesMedia whether others, such as images, are refused; else a note takes their place. See `mediaRefusedAt`
 * @throws InvalidRequestError
 */
export function blocksText(blocks: readonly ContentBlock[], param: string, refusesMedia: boolean): string {
  return joinTexts(blocks.map((block, at) => blockText(block, `${param}[${at}]`, refusesMedia)));
}

/** Blocks of text as one text. */
function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(BETWEEN_BLOCKS);
}

/** See `blocksText`. */
function blockText(block: ContentBlock, param: string, refusesMedia: boolean): string {
  switch (block.type) {
    case 'text':
      return textField(block, 'text', param);
    case 'document':
      return documentText(block, param, refusesMedia);
    case 'search_result':
      return [
        textField(block, 'title', param),
        textField(block, 'source', param),
        blocksText(contentBlocks(block.content, `${param}.content`), `${param}.content`, refusesMedia),
      ].join('\n');
    case 'tool_reference':
      return textField(block, 'tool_name', param);
    default:
      return omittedNote(block.type, param, refusesMedia);
  }
}

/** @throws InvalidRequestError if the field is no string */
export function textField(block: JsonObject, field: string, param: string): string {
  const value = block[field];
  if (typeof value !== 'string') {
    throw invalidField(`${param}.${field}`, 'must be a string');
  }
  return value;
}

function documentText(block: ContentBlock, param: string, refusesMedia: boolean): string {
  const { source } = block;
  if (!isJsonObject(source)) {
    throw invalidField(`${param}.source`, 'must be an object');
  }
  const heading = headingOf(block);
  switch (source.type) {
    case 'text':
      return heading + textField(source, 'data', `${param}.source`);
    case 'content': {
      const path = `${param}.source.content`;
      return heading + blocksText(contentBlocks(source.content, path), path, refusesMedia);
    }
    default: {
      const text = textOfSource(source);
      return text === undefined ? omittedNote('document', param, refusesMedia) : heading + text;
    }
  }
}

function headingOf(block: ContentBlock): string {
  return headingLines(block)
    .map((line) => `${line}\n`)
    .join('');
}

function omittedNote(type: string, param: string, refusesMedia: boolean): string {
  if (refusesMedia && PICTURES_OF_CHAT.has(type)) {
    throw invalidField(param, `must be an image block: ${type} belongs to another format`);
  }
  if (refusesMedia) {
    throw KINDS.has(type) ? notTakenError(param, 'block', type) : unknownPart(param, type);
  }
  return omittedPartNote(type);
}

/** Parts with a picture in chat completions and responses. */
const PICTURES_OF_CHAT: ReadonlySet<string> = new Set(['image_url', 'input_image']);

/** Blocks that may hold something else than text. */
const KINDS: ReadonlyMap<string, MediaKind> = new Map([
  ['image', 'image'],
  ['document', 'file'],
  ['container_upload', 'file'],
]);

/**
 * An image or a document as a part for an upstream that takes it, behind what is said of it; any other block as text.
 * @throws InvalidRequestError for one that is neither, if `refusesMedia`
 */
export function blockPieces(block: ContentBlock, place: MediaPlace): readonly (string | MediaPart)[] {
  const { type, context, source } = block;
  const kind = KINDS.get(type);
  if (kind === undefined || isTextDocument(block)) {
    return [blockText(block, place.param, place.refusesMedia)];
  }
  const text = type === 'document' ? textOfSource(source) : undefined;
  if (text !== undefined) {
    return [headingOf(block) + text];
  }
  const piece = mediaOrNote(kind, place, { noun: 'block', type, noted: type }, () => partOfSource(block));
  return typeof piece !== 'string' && typeof context === 'string' && context !== ''
    ? [headingLines(block).join('\n'), piece]
    : [piece];
}

function isTextDocument({ source }: ContentBlock): boolean {
  return isJsonObject(source) && (source.type === 'text' || source.type === 'content');
}
