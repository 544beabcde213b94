import { invalidField, isAbsent, isJsonObject, type JsonObject } from '../../dto/wire-values.js';

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
 * @param isLenient whether others, such as images, are replaced by a note instead of refused
 * @throws InvalidRequestError
 */
export function blocksText(blocks: readonly ContentBlock[], param: string, isLenient: boolean): string {
  return blocks
    .map((block, at) => blockText(block, `${param}[${at}]`, isLenient))
    .filter((text) => text !== '')
    .join(BETWEEN_BLOCKS);
}

/** See `blocksText`. */
export function blockText(block: ContentBlock, param: string, isLenient: boolean): string {
  switch (block.type) {
    case 'text':
      return textField(block, 'text', param);
    case 'document':
      return documentText(block, param, isLenient);
    case 'search_result':
      return [
        textField(block, 'title', param),
        textField(block, 'source', param),
        blocksText(contentBlocks(block.content, `${param}.content`), `${param}.content`, isLenient),
      ].join('\n');
    case 'tool_reference':
      return textField(block, 'tool_name', param);
    default:
      return leftOut(block.type, param, isLenient);
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

function documentText({ source, title }: ContentBlock, param: string, isLenient: boolean): string {
  if (!isJsonObject(source)) {
    throw invalidField(`${param}.source`, 'must be an object');
  }
  const heading = typeof title === 'string' && title !== '' ? `${title}\n` : '';
  switch (source.type) {
    case 'text':
      return heading + textField(source, 'data', `${param}.source`);
    case 'content': {
      const path = `${param}.source.content`;
      return heading + blocksText(contentBlocks(source.content, path), path, isLenient);
    }
    default:
      return leftOut('document', param, isLenient);
  }
}

function leftOut(type: string, param: string, isLenient: boolean): string {
  const shown = type.slice(0, 40);
  if (!isLenient) {
    throw invalidField(
      param,
      `must be a text block: this gateway takes text only (got ${JSON.stringify(shown)})`,
    );
  }
  return `[${shown} left out: this upstream takes text only]`;
}
