import { toDataUrl } from '../../chat/dto/media/data-url.js';
import { textOfFile } from '../../chat/dto/media/file-text.js';
import { mediaOrNote, type MediaPlace } from '../../chat/dto/media/media-parts.js';
import { invalidField } from '../../chat/dto/wire-values.js';
import { type MediaKind, type MediaPart } from '../../chat/interfaces/chat-message.js';
import { membersOf } from './wire-objects.js';

/** Data of a part, after its check. */
interface InlineData {
  /** E.g. `image/png`. */
  readonly mimeType: string;
  /** In base64. */
  readonly data: string;
  /** Empty if it has none. */
  readonly filename: string;
}

/**
 * What a part holds besides text: as a part of the chat format for an upstream that takes it, a file that is a text as text.
 * @throws InvalidRequestError
 */
export function inlinePiece(value: unknown, place: MediaPlace): string | MediaPart {
  const inline = readInlineData(value, `${place.param}.inlineData`);
  const { mimeType } = inline;
  const kind = kindOf(mimeType);
  const text =
    kind === 'file' ? textOfFile({ filename: inline.filename, file_data: dataUrlOf(inline) }) : undefined;
  return text ?? mediaOrNote(kind, place, { noun: 'part', type: mimeType }, () => PARTS[kind](inline));
}

function readInlineData(value: unknown, param: string): InlineData {
  const { mimeType, data, displayName } = membersOf(value, param);
  if (typeof mimeType !== 'string') {
    throw invalidField(`${param}.mimeType`, 'must be a string');
  }
  if (typeof data !== 'string') {
    throw invalidField(`${param}.data`, 'must be a string in base64');
  }
  return { mimeType, data, filename: typeof displayName === 'string' ? displayName : '' };
}

function kindOf(mimeType: string): MediaKind {
  const [kind] = mimeType.split('/', 1);
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}

const PARTS: Readonly<Record<MediaKind, (inline: InlineData) => MediaPart>> = {
  image: (inline) => ({ type: 'image_url', image_url: { url: dataUrlOf(inline) } }),
  video: (inline) => ({ type: 'video_url', video_url: { url: dataUrlOf(inline) } }),
  audio: ({ mimeType, data }) => ({
    type: 'input_audio',
    input_audio: { data, format: audioFormat(mimeType) },
  }),
  file: (inline) => ({
    type: 'file',
    file: { filename: inline.filename || 'document', file_data: dataUrlOf(inline) },
  }),
};

function dataUrlOf({ mimeType, data }: InlineData): string {
  return toDataUrl({ type: mimeType, base64: data });
}

/** The chat format's word for a type: `mp3` for `audio/mpeg`, `wav` for `audio/x-wav`, any other its own. */
function audioFormat(mimeType: string): string {
  const [, format = ''] = /^audio\/(?:x-)?([^;]*)/.exec(mimeType) ?? [];
  return format === 'mpeg' ? 'mp3' : format;
}
