import { type Settings } from '../common/config/settings.js';
import { InvalidRequestError } from '../common/errors/gateway.errors.js';
import { type AccessKey, isOperatorKey } from './access-key.js';

type ConfiguredKeys = Pick<Settings, 'API_KEY' | 'API_KEYS'>;

/**
 * Whether somebody may operate the gateway: a first key of whatever state closes it, to all but operators.
 * @param keys those made at run time
 * @param now Unix milliseconds
 */
export function isOperable(
  { API_KEY, API_KEYS }: ConfiguredKeys,
  keys: readonly AccessKey[],
  now: number,
): boolean {
  const isOpen = API_KEYS === '' && keys.length === 0;
  return isOpen || API_KEY !== '' || keys.some((key) => isOperatorKey(key, now));
}

/**
 * Refuses a change after which nobody could operate the gateway.
 * @param param name of the field that would bring it about
 * @throws InvalidRequestError
 */
export function requireOperable(
  configured: ConfiguredKeys,
  keys: readonly AccessKey[],
  now: number,
  param: string,
): void {
  if (!isOperable(configured, keys, now)) {
    throw new InvalidRequestError(
      "Nobody could operate the gateway: set API_KEY, or make an operator's key first.",
      param,
    );
  }
}
