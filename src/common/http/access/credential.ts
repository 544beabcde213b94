import { type IncomingMessage } from 'node:http';
import { bearerToken } from './bearer.js';
import { countHeader } from './raw-headers.js';

const API_KEY_HEADER = 'x-api-key';

/** Whether a request has a header that carries keys, valid or not. */
export function hasCredential({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.authorization !== undefined || headers[API_KEY_HEADER] !== undefined;
}

/**
 * The key of a request, from `Authorization: Bearer …` or `x-api-key: …`; some clients send both. Undefined if there is
 * none, or if a proxy in front may have read another one: a repeated header, or two that differ.
 */
export function credentialOf(request: IncomingMessage): string | undefined {
  const { authorization, [API_KEY_HEADER]: apiKey } = request.headers;
  if (countHeader(request, 'authorization') > 1 || countHeader(request, API_KEY_HEADER) > 1) {
    return undefined;
  }
  const bearer = bearerToken(authorization);
  if (apiKey === undefined) {
    return bearer;
  }
  const isWhole = typeof apiKey === 'string' && /^\S+$/.test(apiKey);
  return isWhole && (authorization === undefined || bearer === apiKey) ? apiKey : undefined;
}
