import { omittedPartNote } from '../dto/media/media-parts.js';
import { invalidField } from '../dto/wire-values.js';
import { type ChatMessage, type ContentPart, mediaParts, partText } from '../interfaces/chat-message.js';
import { mediaRefusedAt } from '../interfaces/own-message.js';

/**
 * A conversation for a model that, as it turned out, reads text only: notes stand for the pictures and files.
 * @param field name of the messages in the caller's format, for errors
 * @throws InvalidRequestError if the newest message of the user has one, whose answer would be about nothing
 */
export function withoutMedia(messages: readonly ChatMessage[], field: string): readonly ChatMessage[] {
  const refusedAt = mediaRefusedAt(messages);
  return messages.map((message, index) => {
    const [first] = mediaParts(message.content);
    if (!first) {
      return message;
    }
    if (index === refusedAt) {
      const problem = 'must hold text alone in the newest message of the user';
      throw invalidField(
        field,
        `${problem}: this upstream takes text only (got ${JSON.stringify(first.type)})`,
      );
    }
    // One text: some servers that take text only know no parts.
    const texts = (message.content as readonly ContentPart[]).map((part) => partText(part, omittedPartNote));
    return { ...message, content: texts.join('\n\n') };
  });
}
