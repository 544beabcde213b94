import { type Observable } from 'rxjs';
import { type Settings } from '../../common/config/settings.js';
import { type FailureReason } from '../../common/errors/failure-reasons.js';
import { InternalError } from '../../common/errors/gateway.errors.js';
import { HOUR_MS } from '../../common/time/durations.js';
import {
  type ChainKey,
  type ConversationStep,
  type ResponseKey,
  type ResponseLimits,
  type ResponseRecord,
  type StoredText,
  type TextKey,
} from './response-record.js';

/** Interval in which old responses go, whether or not new ones come. */
export const TIDY_EVERY_MS = HOUR_MS;

/** Port to the responses that are kept for those who made them. Whatever cannot be done rejects with an `InternalError`. */
export abstract class ResponseStore {
  /** Ids of responses that are made here, and that somebody has cancelled or deleted on another gateway. */
  abstract readonly givenUp$: Observable<string>;

  constructor(private readonly settings: Settings) {}

  /** False if the settings allow no stored responses. */
  get isOn(): boolean {
    return this.settings.RESPONSE_MAX_BYTES > 0;
  }

  /**
   * Stores a response, or the end of one that was stored as under way; then what exceeds the limits goes: what is too old,
   * and the oldest of whoever has the most.
   * @returns once it can be found here; one that is under way, on every gateway
   */
  abstract put(record: ResponseRecord): Promise<void>;

  /** One text of a response, if it is not too long; its length in any case. */
  abstract read(key: TextKey): Promise<StoredText | undefined>;

  /** Whether a gateway makes the response now, as far as the store can know; costs less than to read it. */
  abstract isHeld(key: ResponseKey): Promise<boolean>;

  /** @returns whether there was one */
  abstract remove(key: ResponseKey): Promise<boolean>;

  /**
   * A response and those before it, the first one first; empty if it is not there. Where their texts are longer than the
   * limit, they begin with the one that exceeds it.
   */
  abstract chain(key: ChainKey): Promise<readonly ConversationStep[]>;

  /** Characters of the texts that `chain` reads. */
  abstract chainLength(key: ChainKey): Promise<number>;

  /** Tells the gateway that makes a response to give it up, if it is another one. Does not wait for that. */
  abstract giveUp(key: ResponseKey): Promise<void>;

  protected get limits(): ResponseLimits {
    const { RESPONSE_MAX_BYTES: maxBytes, RESPONSE_RETENTION_DAYS: keepDays } = this.settings;
    return { maxBytes, keepDays };
  }
}

export function cannotBeUsed(cause: unknown, reason: FailureReason = 'local_resources'): InternalError {
  return new InternalError(reason, 'the stored responses cannot be used.', { cause });
}
