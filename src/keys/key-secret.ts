import { randomBytes } from 'node:crypto';
import { digestOf } from '../common/http/access/bearer.js';
import { KEY_PREFIX } from '../common/http/access/key-redactor.js';

const SHOWN_CHARS = 10;

/** A new secret: 256 bits of randomness. */
export function newSecret(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url');
}

/** The stored form of a secret. */
export function storedFormOf(secret: string): { readonly digest: string; readonly prefix: string } {
  return { digest: digestOf(secret), prefix: secret.slice(0, SHOWN_CHARS) };
}
