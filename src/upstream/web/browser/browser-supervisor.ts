import { type Clock } from '../../../common/time/clock.js';
import { type DriverLog } from '../../driver-log.js';
import { RateLimitedError, UnavailableError, UpstreamError } from '../../upstream.errors.js';
import { type WebLimits } from '../web-limits.js';
import { browserMemory } from './browser-memory.js';
import { answersPing } from './browser-ping.js';
import { type LaunchedBrowser } from './launched-browser.js';

const MAX_BACKOFF_MS = 60_000;
/** A browser that ends sooner counts as a failed start. */
const STABLE_AFTER_MS = 5000;
/** Until the next start after one that was not tried. */
const RESTART_MS = 1000;
/** Until the next try to replace a browser whose successor could not be started. */
const REPLACE_AGAIN_MS = 10_000;
const PING_INTERVAL_MS = 1000;

export interface SupervisorOptions {
  readonly launcher: {
    /** @param signal ends a start that is under way, with its reason */
    launch(signal: AbortSignal): Promise<LaunchedBrowser>;
    close(): Promise<void>;
  };
  readonly limits: WebLimits;
  readonly clock: Clock;
  /** Writes one line for each change of the browser's state. */
  readonly log: DriverLog;
  /** Longest pause between two starts that fail; default 60 s. */
  readonly maxBackoffMs?: number;
}

/**
 * Keeps one browser running: starts it on first use and again after its end (with back-off while starts fail), detects
 * by pings that it hangs, and replaces it when it is old or large, or, where its memory cannot be read, much used.
 */
export class BrowserSupervisor {
  private current: Promise<LaunchedBrowser> | undefined;
  /** Started while `current` serves on. */
  private successor: Promise<LaunchedBrowser> | undefined;
  private replaceAt = 0;
  /** All browsers with a process or a profile left, draining ones included. */
  private readonly browsers = new Set<LaunchedBrowser>();
  private readonly checking = new Set<LaunchedBrowser>();
  private weighAt = 0;
  private failures = 0;
  private retryAt = 0;
  private lastFailure: UpstreamError | undefined;
  private timer: NodeJS.Timeout | undefined;
  private restart: NodeJS.Timeout | undefined;
  private isOut = false;
  private isFull = false;
  private latest: LaunchedBrowser | undefined;
  private readonly control = new AbortController();

  constructor(private readonly options: SupervisorOptions) {}

  /** Why there is no browser: the latest one was lost, or could not be started. Undefined before the first start. */
  get outage(): UpstreamError | undefined {
    return this.isOut ? this.lastFailure : undefined;
  }

  /** The browser for new work. Rejects at once during the back-off after a failed start. */
  async browser(): Promise<LaunchedBrowser> {
    this.control.signal.throwIfAborted();
    const known = this.current;
    const found = await known?.catch(() => undefined);
    if (found && !found.isDraining) {
      return found;
    }
    // The first of several concurrent callers starts one.
    if (this.current === undefined || this.current === known) {
      this.current = this.successor ?? this.launch();
    }
    return this.current;
  }

  /** Pings the browsers at once; for callers whose own operation got stuck. */
  suspect(): void {
    void this.check();
  }

  /** Starts no browser from now on, and gives up a start that is under way. */
  stopStarting(): void {
    this.control.abort(new UnavailableError('shutdown', 'The gateway is shutting down.'));
    clearTimeout(this.restart);
  }

  /** Ends all browsers. Never throws. */
  async close(): Promise<void> {
    this.stopStarting();
    clearInterval(this.timer);
    await Promise.allSettled([this.current, this.successor]);
    await Promise.all([...this.browsers].map((browser) => browser.close()));
    await this.options.launcher.close();
  }

  private async launch(): Promise<LaunchedBrowser> {
    const { clock, log } = this.options;
    const { signal } = this.control;
    try {
      if (clock.monotonic() < this.retryAt) {
        throw this.lastFailure ?? new UnavailableError('launch_failed', 'The browser cannot be started.');
      }
      const launched = await this.options.launcher.launch(signal);
      if (signal.aborted) {
        await launched.close();
        throw signal.reason;
      }
      log(`Browser started: ${launched.version}`);
      this.isOut = false;
      this.isFull = false;
      this.latest = launched;
      this.watch(launched);
      return launched;
    } catch (error) {
      if (error instanceof RateLimitedError) {
        this.noteFull(error);
      } else if (clock.monotonic() >= this.retryAt && !signal.aborted) {
        this.countFailure(toUpstreamError(error), false);
      }
      throw error;
    }
  }

  private watch(launched: LaunchedBrowser): void {
    this.browsers.add(launched);
    void launched.ended.then(() => this.browsers.delete(launched));
    this.timer ??= setInterval(() => void this.check(), PING_INTERVAL_MS);
    launched.gone.addEventListener('abort', () => {
      const reason = launched.gone.reason as UnavailableError;
      if (reason.fault === 'browser_closed') {
        return;
      }
      const { cause } = reason;
      const detail = cause instanceof Error ? `, ${cause.stack}` : '';
      this.options.log(`Browser lost: ${reason.fault}${detail}`, 'warn');
      if (this.options.clock.monotonic() - launched.startedAt < STABLE_AFTER_MS) {
        this.countFailure(reason, true);
      } else if (launched === this.latest) {
        this.noteOutage(reason, 0);
      }
    });
  }

  /** Back-off: 1, 2, 4 … s after a failed start. After a first early end at once, then with the same back-off. */
  private countFailure(error: UpstreamError, isEarlyEnd: boolean): void {
    const doublings = this.failures - (isEarlyEnd ? 1 : 0);
    const { maxBackoffMs = MAX_BACKOFF_MS } = this.options;
    const pauseMs = doublings < 0 ? 0 : Math.min(maxBackoffMs, 1000 * 2 ** doublings);
    this.failures++;
    this.noteOutage(error, pauseMs);
    this.retryAt = this.options.clock.monotonic() + pauseMs;
    this.options.log(
      `Browser start fails or does not last; next try in ${pauseMs} ms: ${error.message}`,
      'warn',
    );
  }

  private noteOutage(error: UpstreamError, pauseMs: number): void {
    this.lastFailure = error;
    this.isOut = this.latest?.isDraining ?? true;
    this.isFull = false;
    this.restartIn(pauseMs);
  }

  /** No outage: requests are told when to come back. Who looks after the endpoint is told once. */
  private noteFull({ message }: RateLimitedError): void {
    if (!this.isFull) {
      this.options.log(`Browser cannot be had: ${message}`, 'warn');
    }
    this.isFull = true;
  }

  /** Starts a browser again even if nobody asks for one: without one the gateway is not ready, and gets no work. */
  private restartIn(pauseMs: number): void {
    clearTimeout(this.restart);
    if (this.control.signal.aborted) {
      return;
    }
    const timer = setTimeout(() => {
      this.browser().catch(() => {
        // Neither a start in the back-off nor a full grid counts as a failure, which would set the next timer.
        if (this.restart === timer) {
          this.restartIn(RESTART_MS);
        }
      });
    }, pauseMs);
    this.restart = timer;
  }

  private async check(): Promise<void> {
    const due = [...this.browsers].filter((browser) => !browser.gone.aborted && !this.checking.has(browser));
    due.forEach((browser) => this.checking.add(browser));
    await Promise.all(due.map((browser) => this.checkOne(browser)));
    due.forEach((browser) => this.checking.delete(browser));
  }

  private async checkOne(launched: LaunchedBrowser): Promise<void> {
    if (!(await answersPing(launched))) {
      launched.kill(new UnavailableError('browser_hung', 'The browser no longer answers.'));
      return;
    }
    const { clock } = this.options;
    const age = clock.monotonic() - launched.startedAt;
    if (age > STABLE_AFTER_MS) {
      this.failures = 0;
    }
    const mayReplace = !launched.isDraining && !this.successor && clock.monotonic() >= this.replaceAt;
    if (mayReplace && (await this.isSpent(launched, age))) {
      void this.replace(launched);
    }
  }

  /**
   * A browser in use serves on until its successor runs, since that may not start, least of all on a busy machine. Where
   * there is room for one only, it makes room.
   */
  private async replace(launched: LaunchedBrowser): Promise<void> {
    if (launched.isUsed) {
      this.successor = this.launch();
      try {
        await this.successor;
        this.current = this.successor;
      } catch (error) {
        if (!(error instanceof RateLimitedError)) {
          this.replaceAt = this.options.clock.monotonic() + REPLACE_AGAIN_MS;
          return;
        }
      } finally {
        this.successor = undefined;
      }
    }
    this.options.log(`Browser is replaced: it is old or ${launched.isRemote ? 'much used' : 'large'}`);
    launched.drain();
  }

  private async isSpent(launched: LaunchedBrowser, age: number): Promise<boolean> {
    const { browserAgeMs, browserBytes, browserGrowthMs, browserPages, weighEveryMs } = this.options.limits;
    if (launched.isRemote) {
      return age > browserAgeMs || launched.pagesOpened >= browserPages;
    }
    const now = this.options.clock.monotonic();
    if (age > browserAgeMs || age < browserGrowthMs || now < this.weighAt) {
      return age > browserAgeMs;
    }
    this.weighAt = now + weighEveryMs;
    return (await browserMemory(launched)) > browserBytes;
  }
}

function toUpstreamError(error: unknown): UpstreamError {
  return error instanceof UpstreamError
    ? error
    : new UnavailableError('launch_failed', 'The browser cannot be started.', { cause: error });
}
