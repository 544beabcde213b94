import { hash } from 'node:crypto';

const BEARER = /^Bearer +([^\s]+)$/i;

/** The credential of an `Authorization: Bearer …` header; undefined if the header is absent or of another form. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/**
 * SHA-256 in hexadecimal, under which a key is kept and looked up. No salt and no slow hash: keys are long random values,
 * of which no list can be made beforehand.
 * @param text decoded, e.g. of a query parameter
 */
export function digestOf(text: string): string {
  return hash('sha256', Buffer.from(text, 'utf8'), 'hex');
}

/** @param token value of a header as Node gives it, one character per byte */
export function digestOfHeader(token: string): string {
  return hash('sha256', Buffer.from(token, 'latin1'), 'hex');
}
