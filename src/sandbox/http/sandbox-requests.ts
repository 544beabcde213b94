import { createHash, randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject, jsonObjects } from '../../common/text/json-object.js';
import { parsedJson } from '../../common/text/parsed-json.js';
import { type ChatPrompt } from './sandbox-exchange.js';

/** A malformed or oversized request, with status and code of the error response. */
export class BadRequestError extends Error {
  override name = 'BadRequestError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export const MAX_BODY_BYTES = 64 * 2 ** 20;

/** Body of a request. Rejects with a `BadRequestError` above 64 MiB, and when the client leaves early. */
export async function readRequestText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      throw new BadRequestError(413, 'too_long', 'The request is too large.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readRequestText(request));
}

/** Throws a `BadRequestError` for any text that is no JSON object. */
export function parseObject(body: string): Record<string, unknown> {
  const value = parsedJson(body);
  if (value === undefined) {
    throw invalid('The body is not JSON.');
  }
  if (!isJsonObject(value)) {
    throw invalid('The body is not a JSON object.');
  }
  return value;
}

/** Prompt of a chat request, behind which its attachments stand: texts, and a line on each image. Throws a `BadRequestError`. */
export function readChatPrompt(body: Record<string, unknown>, models: readonly string[]): ChatPrompt {
  const { conversation_id: conversationId, message_id: messageId, model, thinking, prompt } = body;
  if (typeof prompt !== 'string' || prompt.trim() === '') {
    throw invalid('`prompt` must be text that is not empty.');
  }
  if (typeof model !== 'string' || !models.includes(model)) {
    throw invalid(`\`model\` must be one of ${models.join(', ')}.`);
  }
  return {
    conversationId: typeof conversationId === 'string' ? conversationId : randomUUID(),
    messageId: typeof messageId === 'string' ? messageId : randomUUID(),
    model,
    thinking: thinking === true,
    prompt: [prompt, ...readAttachments(body.attachments)].join('\n\n'),
  };
}

function readAttachments(value: unknown): string[] {
  return jsonObjects(value).flatMap(readAttachment);
}

function readAttachment({ name, type, text, base64 }: JsonObject): string[] {
  if (typeof base64 === 'string') {
    const bytes = Buffer.from(base64, 'base64');
    const digest = createHash('sha256').update(bytes).digest('hex');
    return [`${String(name)}: ${String(type)}, ${bytes.length} bytes, SHA-256 ${digest}`];
  }
  return typeof text === 'string' ? [text] : [];
}

function invalid(message: string): BadRequestError {
  return new BadRequestError(400, 'invalid_request', message);
}
