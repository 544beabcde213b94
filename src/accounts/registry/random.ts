/** Chance as an input, so that rules with jitter can be tested. */
export abstract class Random {
  /** A number from 0 (included) to 1 (not included). */
  abstract next(): number;
}

export class SystemRandom extends Random {
  next(): number {
    return Math.random();
  }
}
