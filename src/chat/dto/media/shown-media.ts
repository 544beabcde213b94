import {
  type ChatMessage,
  contentParts,
  MEDIA_KINDS,
  type MediaPart,
  mediaParts,
  type MessageContent,
} from '../../interfaces/chat-message.js';
import { toContent } from './media-parts.js';

/**
 * A conversation in which the pictures and files in results of tools follow the results, at the beginning of what the user
 * says next: upstreams take them from nobody else, and no message between results. The conversation itself if no result
 * has one.
 */
export function withMediaBehindResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(isShowing)) {
    return messages;
  }
  const shown: MediaPart[] = [];
  const placed = messages.flatMap((message) => {
    if (message.role === 'tool') {
      // One by one, since there may be more than a call can have arguments.
      mediaParts(message.content).forEach((part) => shown.push(part));
      return [isShowing(message) ? { ...message, content: withNotes(message.content) } : message];
    }
    if (shown.length === 0) {
      return [message];
    }
    const media = shown.splice(0);
    return message.role === 'user'
      ? [{ ...message, content: [...media, ...contentParts(message.content)] }]
      : [userShowing(media), message];
  });
  return shown.length === 0 ? placed : [...placed, userShowing(shown)];
}

function isShowing({ role, content }: ChatMessage): boolean {
  return role === 'tool' && mediaParts(content).length > 0;
}

function userShowing(content: readonly MediaPart[]): ChatMessage {
  return { role: 'user', content };
}

function withNotes(content: MessageContent): MessageContent {
  const texts = contentParts(content).map((part) =>
    part.type === 'text' ? part.text : `[${MEDIA_KINDS[part.type]}: shown after the results]`,
  );
  return toContent(texts.filter((text) => text !== ''));
}
