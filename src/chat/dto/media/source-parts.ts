import { isJsonObject, type JsonObject } from '../../../common/text/json-object.js';
import { type MediaPart } from '../../interfaces/chat-message.js';

/**
 * A block `image` or `document` of the Messages format as a part. Undefined for any other block, and for what is only
 * named, by an id of a provider or an address that no part has a place for.
 */
export function partOfSource({ type, source, title }: JsonObject): MediaPart | undefined {
  if (!isJsonObject(source)) {
    return undefined;
  }
  const { media_type: mediaType, data, url } = source;
  const dataUrl =
    source.type === 'base64' && typeof mediaType === 'string' && typeof data === 'string'
      ? `data:${mediaType};base64,${data}`
      : undefined;
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

/** What is said of a document: its title, and below it what the caller tells the model about it. */
export function headingLines({ title, context }: JsonObject): string[] {
  return [title, context].filter((line): line is string => typeof line === 'string' && line !== '');
}
