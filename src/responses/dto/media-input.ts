import { mediaOrNote, type MediaPlace } from '../../chat/dto/media/media-parts.js';
import { isJsonObject, type JsonObject } from '../../chat/dto/wire-values.js';
import { type MediaKind, type MediaPart } from '../../chat/interfaces/chat-message.js';

const KINDS: Readonly<Record<string, MediaKind>> = {
  input_image: 'image',
  input_file: 'file',
  input_audio: 'audio',
};

/** Whether a type of content part holds something else than text. */
export function isMediaType(type: string): boolean {
  return Object.hasOwn(KINDS, type);
}

/**
 * A part in the form that upstreams of the chat format know, or the note that stands for it.
 * @throws InvalidRequestError for one that cannot go on, where that is refused
 */
export function readMedia(part: JsonObject, place: MediaPlace): MediaPart | string {
  const type = part.type as string;
  return mediaOrNote(KINDS[type] ?? 'file', place, { noun: 'part', type }, () => toMediaPart(part));
}

/** Undefined for what is only named, by an id of a provider or an address that the chat format has no place for. */
function toMediaPart(part: JsonObject): MediaPart | undefined {
  const { type, image_url: url, detail, file_data: data, filename, input_audio: audio } = part;
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
    default:
      return isJsonObject(audio) ? { type: 'input_audio', input_audio: audio } : undefined;
  }
}
