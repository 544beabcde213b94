import { type AccessKey, type KeyLimits, type LimitName } from '../access-key.js';

/** Demand of a key on one of its limits, on this node. */
export interface LimitDemand {
  /** Units that are in use, and cannot be given up. */
  readonly used: number;
  /** Units that this node could use now, those in use included. */
  readonly wanted: number;
}

export type KeyDemand = Readonly<Record<LimitName, LimitDemand>>;

/** Source of the demand of keys: their limiters. */
export interface LimitClient {
  demandOf(name: string): KeyDemand | undefined;
}

/** What processes before this one have used today. */
export interface EarlierUse {
  /** Name of the log's file, in which they have counted it. */
  readonly file: string;
  /** Tokens by key. */
  readonly tokens: ReadonlyMap<string, number>;
}

/**
 * Port to what this node may use of the limits of keys. Where several nodes share the keys, each has a part of every limit,
 * and within it decides alone: nothing here waits.
 */
export abstract class LimitParts {
  /** Whether what a key used before the start is known to the parts: others hold them, or this node did. */
  abstract readonly isDivided: boolean;

  /** This node's parts of a key's limits; undefined while they are unknown, and nothing may be used. */
  abstract of(key: AccessKey): KeyLimits | undefined;

  /** Registers the source of this node's demand; called once. */
  abstract serve(client: LimitClient): void;

  /** The keys have changed. Resolves once their parts are known, as far as possible. */
  abstract keysChanged(keys: readonly AccessKey[]): Promise<void>;

  /** Tells what was used earlier today with this node's log file: what else its killed processes had is free again. */
  abstract usedEarlier(use: EarlierUse): void;

  /** Exchanges parts soon: a request was refused because one is used up, or other nodes have changed theirs. */
  abstract exchangeSoon(): void;
}

/** One gateway alone: every limit is its own. */
export class WholeLimits extends LimitParts {
  readonly isDivided = false;

  of(key: AccessKey): KeyLimits {
    return key;
  }

  serve(): void {
    // Nobody ever asks.
  }

  keysChanged(): Promise<void> {
    return Promise.resolve();
  }

  usedEarlier(): void {
    // It is counted against the whole limits.
  }

  exchangeSoon(): void {
    // There is no more to be had.
  }
}
