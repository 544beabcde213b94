import { OpenCalls } from '../../chat/dto/calls/open-calls.js';
import { toDataUrl } from '../../chat/dto/media/data-url.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';

/**
 * Messages of the Ollama API in the form of the chat format: with ids of calls, which not all clients send, and images as
 * parts. What is no message is left to the check of that format.
 * @throws InvalidRequestError whose `param` names the field
 */
export function fromOllamaMessages(messages: unknown): unknown {
  if (!Array.isArray(messages)) {
    return messages;
  }
  const calls = new OpenCalls();
  return messages.map((message: unknown, index) =>
    isJsonObject(message) ? toChatMessage(message, `messages[${index}]`, calls) : message,
  );
}

/**
 * A content with its images.
 * @param param name of the list of images
 * @throws InvalidRequestError
 */
export function withImages(content: unknown, images: unknown, param: string): unknown {
  if (isAbsent(images) || (Array.isArray(images) && images.length === 0)) {
    return content;
  }
  if (!Array.isArray(images)) {
    throw invalidField(param, 'must be an array');
  }
  const parts = images.map((image: unknown, index) => {
    if (typeof image !== 'string') {
      throw invalidField(`${param}[${index}]`, 'must be a string in base64');
    }
    return { type: 'image_url', image_url: { url: dataUrl(image) } };
  });
  return [...(isAbsent(content) || content === '' ? [] : [{ type: 'text', text: content }]), ...parts];
}

function toChatMessage(message: JsonObject, param: string, calls: OpenCalls): JsonObject {
  const { role, images, thinking, tool_calls: made, tool_name: tool, tool_call_id: id, name } = message;
  const content = withImages(message.content, images, `${param}.images`);
  switch (role) {
    case 'assistant':
      return {
        role,
        content,
        ...(!isAbsent(thinking) && { reasoning_content: thinking }),
        ...(Array.isArray(made) &&
          made.length > 0 && { tool_calls: made.map((call) => toChatCall(call, calls)) }),
      };
    case 'tool':
      return { role, content: content ?? '', tool_call_id: calls.answer(tool ?? name, id) };
    default:
      return { role, content };
  }
}

/** A call in the chat format, with an id. */
function toChatCall(call: unknown, calls: OpenCalls): unknown {
  if (!isJsonObject(call) || !isJsonObject(call.function)) {
    return call;
  }
  const { name, arguments: given = {} } = call.function;
  const json = typeof given === 'string' ? given : JSON.stringify(given);
  return { id: calls.open(name, call.id), type: 'function', function: { name, arguments: json } };
}

/** First characters of files in base64, by their types. */
const BEGINNINGS = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const;

function dataUrl(image: string): string {
  if (image.startsWith('data:')) {
    return image;
  }
  const [, type = 'image/png'] = BEGINNINGS.find(([beginning]) => image.startsWith(beginning)) ?? [];
  return toDataUrl({ type, base64: image });
}
