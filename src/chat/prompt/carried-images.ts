import { type PromptImage } from '../../upstream/upstream-driver.js';
import { isBase64, parseDataUrl } from '../dto/media/data-url.js';
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
  const carried = new Map([...readable].slice(-imageLimit));
  const numbers = new Map([...carried.keys()].map((part, index) => [part, index + 1]));
  const refusedAt = mediaRefusedAt(messages);
  const placed = messages.map((message, index) => {
    const own = mediaParts(message.content);
    if (own.length === 0) {
      return message;
    }
    const noteOf = (part: MediaPart): string => {
      const number = numbers.get(part);
      if (number !== undefined) {
        return `[image ${number}]`;
      }
      if (index === refusedAt) {
        throw invalidField(fieldNames.messages, readable.has(part) ? tooMany(imageLimit) : NO_DATA);
      }
      return readable.has(part) ? tooManyNote(imageLimit) : NO_DATA_NOTE;
    };
    const texts = (message.content as readonly ContentPart[]).map((part) =>
      part.type === 'text' ? part.text : noteOf(part),
    );
    return { ...message, content: texts.join('\n\n') };
  });
  return { messages: placed, images: [...carried.values()] };
}

const NO_DATA =
  'must hold its images as data URLs in base64, e.g. data:image/png;base64,…: this upstream follows no addresses';
const NO_DATA_NOTE = '[image left out: its data was not sent]';

function tooMany(limit: number): string {
  return `must hold at most ${limit} images in the newest message of the user: this upstream takes no more at once`;
}

function tooManyNote(limit: number): string {
  return `[image left out: this upstream takes ${limit} at once]`;
}

function entryOf(part: MediaPart): [MediaPart, PromptImage][] {
  const { url } = (part.image_url ?? {}) as { readonly url?: unknown };
  const { type = '', base64 = '' } = (typeof url === 'string' && parseDataUrl(url)) || {};
  return IMAGE.test(type) && isBase64(base64) ? [[part, { type: type.toLowerCase(), base64 }]] : [];
}

const IMAGE = /^image\/[a-z0-9.+-]+$/i;
