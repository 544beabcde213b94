import { type JsonObject } from '../../../common/text/json-object.js';
import { type MediaPart } from '../../interfaces/chat-message.js';

/**
 * A part of the Responses format as this format has it. Undefined for what is only named, by an id of a provider or an
 * address that no part has a place for.
 */
export function partOfInput(part: JsonObject): MediaPart | undefined {
  const { type, image_url: url, detail, file_data: data, filename, video_url: video } = part;
  switch (type) {
    case 'input_image': {
      const image = { url, ...(typeof detail === 'string' && { detail }) };
      return typeof url === 'string' ? { type: 'image_url', image_url: image } : undefined;
    }
    case 'input_file': {
      const name = typeof filename === 'string' ? filename : 'file';
      return typeof data === 'string'
        ? { type: 'file', file: { filename: name, file_data: data } }
        : undefined;
    }
    case 'input_video':
      return typeof video === 'string' ? { type: 'video_url', video_url: { url: video } } : undefined;
    default:
      return undefined;
  }
}
