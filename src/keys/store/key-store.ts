import { type AccessKey, type KeySecret } from '../access-key.js';

/** All keys and their secrets, the oldest first. */
export interface StoredKeys {
  readonly keys: readonly AccessKey[];
  readonly secrets: readonly KeySecret[];
  /** Names of revoked keys whose running answers end with them; of keys that others may have revoked. */
  readonly ending: ReadonlySet<string>;
}

/** Stored state at the moment of a change, by which the change is judged. */
export interface KeyFacts {
  /** The key that is to change; undefined if there is none of that name. */
  readonly key: AccessKey | undefined;
  readonly secrets: readonly KeySecret[];
  /** Keys, whatever their state. */
  readonly count: number;
  /** Other keys of operators, whatever their state. */
  readonly otherOperators: readonly AccessKey[];
}

/** A key as it is to be, and secrets that are new or different. */
export interface KeyChange {
  readonly key: AccessKey;
  readonly secrets?: readonly KeySecret[];
  /** Whether the running answers of a key that is revoked end, too. */
  readonly endsRunning?: boolean;
}

/**
 * Port to the table of keys: digests of secrets, never secrets. A revoked key keeps its row, so that its name is not given
 * away.
 */
export abstract class KeyStore {
  abstract load(): Promise<StoredKeys>;

  /**
   * Changes or adds one key. Changes happen one after the other, also over several gateways. Rejects, and has changed
   * nothing, if `decide` throws or the store cannot be written.
   */
  abstract change(name: string, decide: (facts: KeyFacts) => KeyChange): Promise<KeyChange>;

  /** Notes when keys were used last, in Unix milliseconds by name. */
  abstract saveLastUses(uses: ReadonlyMap<string, number>): Promise<void>;
}
