import {
  type NetworkExchange,
  NetworkLog,
  type NetworkStart,
  NO_EXCHANGE,
} from '../../../src/common/network/network-log.js';

/** An exchange that has ended, with or without an error. */
export interface EndedExchange extends NetworkStart {
  readonly error: string | undefined;
}

/** Remembers how exchanges end. */
export class NetworkNotes extends NetworkLog {
  override readonly bodyLimit = 0;
  readonly ended: EndedExchange[] = [];
  private readonly waiting = new Set<() => void>();

  override begin(start: NetworkStart): NetworkExchange {
    const end = (error?: string): void => {
      this.ended.push({ ...start, error });
      this.waiting.forEach((resolve) => resolve());
      this.waiting.clear();
    };
    return { ...NO_EXCHANGE, end };
  }

  /** Resolves once `isSo` holds, at once or after an exchange has ended. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }
}
