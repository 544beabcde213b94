import { utcDay } from './format.js';

/** Time after which days before the present one are read again: other gateways may have counted for them late. */
const WHOLE_EVERY_MS = 300_000;

/** The rows of usage of some days, of which only the present day is read each time. */
export class UsageRows {
  #read;
  #now;
  #whole;

  /**
   * @param {(days: number, signal: AbortSignal) => Promise<readonly any[]>} read rows of `/dashboard/api/usage`
   * @param {() => number} now Unix milliseconds of the gateway
   */
  constructor(read, now) {
    this.#read = read;
    this.#now = now;
  }

  /** @param {number} days up to the present one, in UTC @param {AbortSignal} signal */
  async of(days, signal) {
    const now = this.#now();
    const today = utcDay(now);
    const { days: readDays, today: readOn, at } = this.#whole ?? {};
    if (readDays !== days || readOn !== today || now - at >= WHOLE_EVERY_MS) {
      const rows = await this.#read(days, signal);
      this.#whole = { days, today, at: now, earlier: rows.filter(({ day }) => day < today) };
      return rows;
    }
    const { earlier } = this.#whole;
    return [...earlier, ...(await this.#read(1, signal))];
  }
}

/** A row of `/dashboard/api/own-key/usage` in the form of those of `/dashboard/api/usage`, as far as its caller may know. */
export function toUsageRow(row) {
  return {
    day: row.date,
    model: row.model,
    requests: row.requests,
    errors: row.errors,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    cachedTokens: row.cached_tokens,
    reasoningTokens: row.reasoning_tokens,
  };
}
