import { isIPv6 } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../../time/clock.js';

const WINDOW_MS = 60_000;
/** Networks that are remembered; beyond, the one seen first is forgotten. */
const MAX_NETWORKS = 10_000;

interface KeyWindow {
  readonly endsAt: number;
  wrongKeys: number;
}

/**
 * Counts wrong keys by the network that they come from, over windows of a minute. It is asked only after a key was found
 * wrong, so it locks out no right key from the same network. The process log tells of each network that goes beyond the
 * limit, once in a window: somebody may be guessing, on whatever path.
 */
@Injectable()
export class WrongKeyLimiter {
  private readonly logger = new Logger('Keys');
  private readonly windows = new Map<string, KeyWindow>();

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts one wrong key.
   * @param address IP address of the caller
   * @returns milliseconds until the network's window ends; 0 while `WRONG_KEYS_PER_MINUTE` is kept
   */
  count(address: string): number {
    const now = this.clock.monotonic();
    const network = networkOf(address);
    let window = this.windows.get(network);
    if (window === undefined || window.endsAt <= now) {
      window = { endsAt: now + WINDOW_MS, wrongKeys: 0 };
      this.windows.delete(network);
      this.windows.set(network, window);
      this.forgetOldest();
    }
    window.wrongKeys += 1;
    const beyond = window.wrongKeys - this.settings.WRONG_KEYS_PER_MINUTE;
    if (beyond === 1) {
      this.logger.warn({ event: 'wrong_keys', network }, 'more wrong keys than WRONG_KEYS_PER_MINUTE');
    }
    return beyond > 0 ? window.endsAt - now : 0;
  }

  private forgetOldest(): void {
    if (this.windows.size > MAX_NETWORKS) {
      const [oldest] = this.windows.keys();
      this.windows.delete(oldest ?? '');
    }
  }
}

/** The network that one caller can be assumed to own: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) {
    return plain;
  }
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) {
    return mapped;
  }
  const [head = [], tail = []] = plain
    .split('::', 2)
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':').toLowerCase();
}
