import { Logger } from '@nestjs/common';
import { type KeyStore } from './store/key-store.js';

/** Time after which a use is stored, together with those of other keys. */
const STORE_AFTER_MS = 60_000;

/** When keys were used last; stored once a minute, and at the end. */
export class KeyUses {
  private readonly logger = new Logger('Keys');
  private readonly unstored = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly keys: Pick<KeyStore, 'saveLastUses'>) {}

  /** @param at Unix milliseconds */
  note(name: string, at: number): void {
    this.unstored.set(name, at);
    this.timer ??= setTimeout(() => void this.store(), STORE_AFTER_MS).unref();
  }

  /** A failure costs only the times of the last uses. */
  async store(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = new Map(this.unstored);
    this.unstored.clear();
    if (uses.size === 0) {
      return;
    }
    try {
      await this.keys.saveLastUses(uses);
    } catch (error) {
      this.logger.warn(error, 'the last uses of keys could not be stored');
    }
  }
}
