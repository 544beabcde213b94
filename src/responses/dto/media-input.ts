import { textOfFile } from '../../chat/dto/media/file-text.js';
import { partOfInput } from '../../chat/dto/media/input-parts.js';
import { mediaOrNote, type MediaPlace } from '../../chat/dto/media/media-parts.js';
import { type MediaKind, type MediaPart } from '../../chat/interfaces/chat-message.js';
import { type JsonObject } from '../../common/text/json-object.js';

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
 * A part in the form that upstreams of the chat format know, the text of a file that is one, or the note that stands for it.
 * @throws InvalidRequestError for one that cannot go on, where that is refused
 */
export function readMedia(part: JsonObject, place: MediaPlace): MediaPart | string {
  const type = part.type as string;
  const text = type === 'input_file' ? textOfFile(part) : undefined;
  return text ?? mediaOrNote(KINDS[type] ?? 'file', place, { noun: 'part', type }, () => partOfInput(part));
}
