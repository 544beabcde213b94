import { isJsonObject, type JsonObject } from '../../../common/text/json-object.js';
import { type MediaPart } from '../../interfaces/chat-message.js';
import { toDataUrl } from './data-url.js';

/**
 * A block `image` or `document` of the Messages format as a part. Undefined for any other block, and for what is only
 * named, by an id of a provider or an address that no part has a place for.
 */
export function partOfSource({ type, source, title }: JsonObject): MediaPart | undefined {
  if (!isJsonObject(source)) {
    return undefined;
  }
  const { url } = source;
  const dataUrl = dataUrlOfSource(source);
  switch (type) {
    case 'image': {
      // An address is the upstream's to follow.
      const address = dataUrl ?? (source.type === 'url' && typeof url === 'string' ? url : undefined);
      return address === undefined ? undefined : { type: 'image_url', image_url: { url: address } };
    }
    case 'document': {
      const filename = typeof title === 'string' && title !== '' ? title : 'document';
      return dataUrl === undefined ? undefined : { type: 'file', file: { filename, file_data: dataUrl } };
    }
    default:
      return undefined;
  }
}

/** The data that a source holds; undefined for one of another type. */
export function dataUrlOfSource({ type, media_type: mediaType, data }: JsonObject): string | undefined {
  return type === 'base64' && typeof mediaType === 'string' && typeof data === 'string'
    ? toDataUrl({ type: mediaType, base64: data })
    : undefined;
}

/** What is said of a document: its title, and below it what the caller tells the model about it. */
export function headingLines({ title, context }: JsonObject): string[] {
  return [title, context].filter((line): line is string => typeof line === 'string' && line !== '');
}
