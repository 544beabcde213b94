import { getOrInsert } from '../common/memory/get-or-insert.js';
import { TransientSet } from '../common/memory/transient-set.js';
import { type TokenReservation } from '../keys/limits/token-day.js';
import { type Tokenizer } from './completion/tokens/tokenizer.js';

/** A reservation that holds more than its prompt can take. */
interface RoughReservation {
  readonly input: string;
  /** Limit of the answer. */
  readonly answerTokens: number;
  readonly reservation: TokenReservation | undefined;
}

/**
 * Reservations by a bound of their prompts' tokens, by key. Once a key has no plenty any more they are reduced to what the
 * prompts take, so that nobody is refused for what nobody uses.
 */
export class RoughReservations {
  private readonly held = new Map<string, TransientSet<RoughReservation>>();
  /** Of the keys whose prompts are being counted. */
  private readonly refining = new Map<string, Promise<void>>();

  constructor(private readonly tokenizer: Tokenizer) {}

  /** @returns to be called when the reservation is settled */
  add(key: string, rough: RoughReservation): () => void {
    const ofKey = getOrInsert(this.held, key, () => new TransientSet());
    ofKey.add(rough);
    return () => ofKey.delete(rough);
  }

  /** Lessens the reservations of a key. */
  refine(key: string): Promise<void> {
    const running = this.refining.get(key);
    if (running) {
      return running;
    }
    const refined = this.count(key).finally(() => this.refining.delete(key));
    this.refining.set(key, refined);
    return refined;
  }

  private async count(key: string): Promise<void> {
    const ofKey = this.held.get(key);
    // Those that come meanwhile as well.
    while (ofKey && ofKey.size > 0) {
      for (const rough of ofKey) {
        if (ofKey.has(rough)) {
          const { input, answerTokens, reservation } = rough;
          reservation?.reduceTo((await this.tokenizer.count(input)) + answerTokens);
          ofKey.delete(rough);
        }
      }
    }
  }
}
