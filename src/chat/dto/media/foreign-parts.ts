import { isJsonObject, type JsonObject } from '../../../common/text/json-object.js';
import { type MediaKind } from '../../interfaces/chat-message.js';
import { textOfFile, textOfSource } from './file-text.js';
import { partOfInput } from './input-parts.js';
import { headingLines, partOfSource } from './source-parts.js';

/** What parts hold that have another form only if their data is there. */
export const FOREIGN_KINDS: ReadonlyMap<string, MediaKind> = new Map([
  ['input_image', 'image'],
  ['input_file', 'file'],
  ['input_video', 'video'],
  ['image', 'image'],
  ['document', 'file'],
]);

/**
 * A part as this format has it, of one in the form of another format or of a server of this one: clients mix them. A file
 * that is a text becomes text. The part itself if it has no other form.
 */
export function inChatForm(part: JsonObject): JsonObject {
  const read = readForeign(part);
  return read ? { ...read } : part;
}

function readForeign(part: JsonObject): object | undefined {
  switch (part.type) {
    case 'image_url':
      return typeof part.image_url === 'string'
        ? { type: 'image_url', image_url: { url: part.image_url } }
        : undefined;
    case 'file':
      return isJsonObject(part.file) ? textPart(textOfFile(part.file)) : undefined;
    case 'input_image':
    case 'input_video':
      return partOfInput(part);
    case 'input_file':
      return textPart(textOfFile(part)) ?? partOfInput(part);
    case 'image':
      return partOfSource(part);
    case 'document':
      return textDocument(part) ?? partOfSource(part);
    default:
      return undefined;
  }
}

function textDocument(part: JsonObject): object | undefined {
  const text = isJsonObject(part.source) ? (textOf(part.source) ?? textOfSource(part.source)) : undefined;
  return text === undefined ? undefined : textPart([...headingLines(part), text].join('\n'));
}

function textPart(text: string | undefined): object | undefined {
  return text === undefined ? undefined : { type: 'text', text };
}

function textOf({ type, data, content }: JsonObject): string | undefined {
  const found = type === 'text' ? data : type === 'content' ? content : undefined;
  if (!Array.isArray(found)) {
    return typeof found === 'string' ? found : undefined;
  }
  const texts = found.map((block: unknown) => (isJsonObject(block) ? block.text : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n\n') : undefined;
}
