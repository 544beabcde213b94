import { type PromptImage } from '../../upstream/upstream-driver.js';
import { isBase64, parseDataUrl } from '../dto/media/data-url.js';
import { unsentDataNote } from '../dto/media/media-parts.js';
import { invalidField } from '../dto/wire-values.js';
import {
  type ChatMessage,
  type ContentPart,
  type MediaPart,
  mediaParts,
} from '../interfaces/chat-message.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { mediaRefusedAt } from '../interfaces/own-message.js';

/** A conversation whose images are apart from it, with `[image 1]`, `[image 2]`, … in their places. */
export interface CarriedImages {
  readonly messages: readonly ChatMessage[];
  readonly images: readonly PromptImage[];
}

/**
 * A conversation for an upstream that takes images beside one text: the newest of them, as many as one prompt carries, in
 * the order of the conversation. For all other upstreams the conversation itself.
 * @throws InvalidRequestError where that would leave out what the user has just sent
 */
export function carriedImages({ messages, model, fieldNames }: CompletionRequest): CarriedImages {
  const { imageLimit } = model;
  const parts = imageLimit === undefined ? [] : messages.flatMap(({ content }) => mediaParts(content));
  if (imageLimit === undefined || parts.length === 0) {
    return { messages, images: [] };
  }
  const readable = new Map(parts.flatMap((part) => entryOf(part)));
  const carried = [...readable].slice(-imageLimit);
  const notes = new Map(carried.map(([part], index) => [part, `[image ${index + 1}]`]));
  const refusedAt = mediaRefusedAt(messages);
  const placed = messages.map((message, index) => {
    if (mediaParts(message.content).length === 0) {
      return message;
    }
    const texts = (message.content as readonly ContentPart[]).map((part) => {
      if (part.type === 'text') {
        return part.text;
      }
      const note = notes.get(part);
      if (note === undefined && index === refusedAt) {
        throw invalidField(fieldNames.messages, readable.has(part) ? tooMany(imageLimit) : NO_DATA);
      }
      return note ?? (readable.has(part) ? tooManyNote(imageLimit) : unsentDataNote('image'));
    });
    return { ...message, content: texts.join('\n\n') };
  });
  return { messages: placed, images: carried.map(([, image]) => image) };
}

const NO_DATA =
  'must hold its images as data URLs in base64, e.g. data:image/png;base64,…: this upstream follows no addresses';

function tooMany(limit: number): string {
  return `must hold at most ${limit} images in the newest message of the user: this upstream takes no more at once`;
}

function tooManyNote(limit: number): string {
  return `[image left out: this upstream takes ${limit} at once]`;
}

const IMAGE = /^image\/[a-z0-9.+-]+$/i;

/** An image by its part; nothing of a part whose data is not there, or is none. */
function entryOf(part: MediaPart): [MediaPart, PromptImage][] {
  const { url } = (part.image_url ?? {}) as { readonly url?: unknown };
  const { type = '', base64 = '' } = (typeof url === 'string' && parseDataUrl(url)) || {};
  return IMAGE.test(type) && isBase64(base64) ? [[part, { type: type.toLowerCase(), base64 }]] : [];
}
