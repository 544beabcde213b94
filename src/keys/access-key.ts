import { type KeyRole } from '../common/http/access/caller-key.js';
import { type KeyObstacle } from '../common/http/access/key-ring.js';

/** `batch` waits longer for a session when callers compete. */
export const PRIORITIES = ['interactive', 'batch'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Limits of a key; null for none. */
export interface KeyLimits {
  /** In any 60 seconds. */
  readonly requestsPerMinute: number | null;
  /** Requests under way at once. */
  readonly concurrentRequests: number | null;
  /** Of prompts and answers together, from midnight to midnight UTC. */
  readonly tokensPerDay: number | null;
}

export type LimitName = keyof KeyLimits;

export const NO_LIMITS: KeyLimits = { requestsPerMinute: null, concurrentRequests: null, tokensPerDay: null };
export const LIMIT_NAMES = Object.keys(NO_LIMITS) as readonly LimitName[];

/** One value for each limit. */
export function eachLimit<Value>(valueOf: (name: LimitName) => Value): Readonly<Record<LimitName, Value>> {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, valueOf(name)])) as Record<LimitName, Value>;
}

/** Properties of a key that an operator sets. */
export interface KeyProperties extends KeyLimits {
  readonly role: KeyRole;
  /** Ids of models; all if null. */
  readonly models: readonly string[] | null;
  readonly priority: Priority;
  readonly isEnabled: boolean;
  /** Unix milliseconds; never if null. */
  readonly expiresAt: number | null;
}

/** A key made at run time, without its secrets. */
export interface AccessKey extends KeyProperties {
  readonly name: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** One secret of a key; a rotated key has two for a while. */
export interface KeySecret {
  readonly digest: string;
  readonly keyName: string;
  /** Beginning of the secret, to tell keys apart. */
  readonly prefix: string;
  readonly createdAt: number;
  /** Unix milliseconds; null if it expires with its key. */
  readonly expiresAt: number | null;
}

/** Why a secret is not accepted at a time; undefined if it is. */
export function obstacleOfKey(
  key: AccessKey,
  secret: Pick<KeySecret, 'expiresAt'>,
  now: number,
): KeyObstacle | undefined {
  if (key.revokedAt !== null) {
    return 'revoked';
  }
  if (!key.isEnabled) {
    return 'disabled';
  }
  return isPast(key.expiresAt, now) || isPast(secret.expiresAt, now) ? 'expired' : undefined;
}

/** Whether an operator may have a secret of the key that is accepted. */
export function isOperatorKey(key: AccessKey, now: number): boolean {
  return key.role === 'operator' && obstacleOfKey(key, { expiresAt: null }, now) === undefined;
}

function isPast(time: number | null, now: number): boolean {
  return time !== null && time <= now;
}
