import { hash } from 'node:crypto';
import { type Settings } from '../../../common/config/settings.js';

/**
 * Who owns the responses that are made with a key. All callers have the same key; without one, all are the same caller.
 * A hash, since the store must not hold the key.
 */
export function ownerOf({ API_KEY }: Settings): string {
  return API_KEY === '' ? '' : hash('sha256', API_KEY, 'hex');
}
