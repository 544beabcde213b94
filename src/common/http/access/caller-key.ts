import { type IncomingMessage } from 'node:http';
import { AttachedValue } from '../../memory/attached-value.js';

/** `caller`: completions, and its own data. `operator`: everything. */
export const KEY_ROLES = ['caller', 'operator'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];

/** The holder of a key. */
export interface CallerKey {
  /** Unique, and never given to another holder. */
  readonly name: string;
  readonly role: KeyRole;
  /** SHA-256 of the key in hexadecimal. */
  readonly digest: string;
  /** Ids of the models that it may use; all if undefined. */
  readonly models?: ReadonlySet<string> | undefined;
}

const keys = new AttachedValue<IncomingMessage, CallerKey>('caller key');

/** The key that a request was let in with; undefined while the gateway has no keys. */
export function callerKeyOf(request: IncomingMessage): CallerKey | undefined {
  return keys.get(request);
}

/** For guards: notes the key that a request was let in with. */
export function noteCallerKey(request: IncomingMessage, key: CallerKey | undefined): void {
  if (key) {
    keys.set(request, key);
  }
}

/** The name to which a request is confined; undefined if it may see what belongs to others, too. */
export function ownerOf(key: CallerKey | undefined): string | undefined {
  return key?.role === 'caller' ? key.name : undefined;
}

/** Whether a key may use this model; without a key, all may use every model. */
export function mayUseModel(key: CallerKey | undefined, modelId: string): boolean {
  return key?.models?.has(modelId) ?? true;
}

/** Name of the acting operator's key; null while the gateway has no keys. */
export function actorOf(request: IncomingMessage): string | null {
  return callerKeyOf(request)?.name ?? null;
}
