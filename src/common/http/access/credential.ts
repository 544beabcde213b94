import { type IncomingMessage } from 'node:http';
import { bearerToken } from './bearer.js';
import { countHeader } from './raw-headers.js';

/** Of the Messages and of the Gemini API. */
const KEY_HEADERS = ['x-api-key', 'x-goog-api-key'] as const;

/** Whether a request has a header that carries keys, valid or not. */
export function hasCredential({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.authorization !== undefined || KEY_HEADERS.some((name) => headers[name] !== undefined);
}

/**
 * The key of a request, from `Authorization: Bearer …`, `x-api-key: …` or `x-goog-api-key: …`; some clients send several.
 * Undefined if there is none, or if a proxy in front may have read another one: a repeated header, or two that differ.
 */
export function credentialOf(request: IncomingMessage): string | undefined {
  const { headers } = request;
  const sent = KEY_HEADERS.filter((name) => headers[name] !== undefined);
  if ([...sent, 'authorization'].some((name) => countHeader(request, name) > 1)) {
    return undefined;
  }
  const keys = sent.map((name) => wholeKey(headers[name]));
  if (headers.authorization !== undefined) {
    keys.push(bearerToken(headers.authorization));
  }
  const [key] = keys;
  return keys.every((other) => other === key) ? key : undefined;
}

function wholeKey(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && /^\S+$/.test(value) ? value : undefined;
}
