/** Port to the source of randomness, so that rules with jitter can be tested. */
export abstract class Random {
  /** A number from 0, inclusive, to 1, exclusive. */
  abstract next(): number;
}

export class SystemRandom extends Random {
  next(): number {
    return Math.random();
  }
}
