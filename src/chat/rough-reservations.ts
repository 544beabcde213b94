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
 * Reservations by a bound of their prompts' tokens, by key. Once a key has no plenty any more they are lessened to what the
 * prompts take, so that nobody is refused for what nobody uses.
 */
export class RoughReservations {
  private readonly held = new Map<string, Set<RoughReservation>>();
  /** Of the keys whose prompts are being counted. */
  private readonly refining = new Map<string, Promise<void>>();

  constructor(private readonly tokenizer: Tokenizer) {}

  /** @returns to be called when the reservation is settled */
  add(key: string, rough: RoughReservation): () => void {
    const ofKey = this.held.get(key) ?? new Set();
    this.held.set(key, ofKey.add(rough));
    return () => this.drop(key, rough);
  }

  /** Lessens the reservations of a key. */
  refine(key: string): Promise<void> {
    const running = this.refining.get(key);
    if (running || !this.held.has(key)) {
      return running ?? Promise.resolve();
    }
    const refined = this.count(key).finally(() => this.refining.delete(key));
    this.refining.set(key, refined);
    return refined;
  }

  private async count(key: string): Promise<void> {
    for (const rough of this.held.get(key) ?? []) {
      const { input, answerTokens, reservation } = rough;
      reservation?.lessen((await this.tokenizer.count(input)) + answerTokens);
      this.drop(key, rough);
    }
  }

  private drop(key: string, rough: RoughReservation): void {
    const ofKey = this.held.get(key);
    if (ofKey?.delete(rough) && ofKey.size === 0) {
      this.held.delete(key);
    }
  }
}
