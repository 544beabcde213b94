import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import { hasListedModels } from '../common/config/upstream-kind.js';
import { messageWithCauses } from '../common/errors/message-with-causes.js';
import { Outage } from '../common/logging/outage.js';
import { Clock } from '../common/time/clock.js';
import { FailureBackoff } from '../common/time/failure-backoff.js';
import { UnavailableError } from '../upstream/upstream.errors.js';
import { UpstreamDriver, type UpstreamModel } from '../upstream/upstream-driver.js';

/** Time within which the upstream has to send its list. */
const LIMIT_MS = 5000;
/** Age from which the list is read anew when somebody asks for it. */
const STALE_MS = 60_000;
/** Time between two reads while the upstream does not answer, which nobody need ask for. */
export const SILENCE_POLL_MS = 2000;

/** After which a model is shown pictures again: another one may stand behind its name. */
const TEXT_ONLY_MS = 600_000;

/** The upstream's models: the list that it sends, and the limits that its refusals name. */
@Injectable()
export class UpstreamModels implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(UpstreamModels.name);
  private readonly stop = new AbortController();
  private models: readonly UpstreamModel[] = [];
  /** Monotonic. */
  private readAt: number | undefined;
  /** The upstream may just be starting, or have no list at all. */
  private readonly backoff = new FailureBackoff(STALE_MS);
  private readonly outage = new Outage({
    begun: (error) => this.logger.warn(error, "the upstream's list of models cannot be read"),
    over: () => this.logger.log("the upstream's list of models is read again"),
  });
  private failure: Error | undefined;
  /** Monotonic. */
  private silentSince: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | undefined;
  private readonly windows = new Map<string, number>();
  private readonly textOnlySince = new Map<string, number>();

  constructor(
    private readonly settings: Settings,
    private readonly driver: UpstreamDriver,
    private readonly clock: Clock,
  ) {}

  /** Not waited for: an upstream that is down must not keep the gateway from starting. */
  onApplicationBootstrap(): void {
    void this.refresh();
    this.timer = setInterval(() => {
      if (this.silence !== undefined) {
        void this.readShared();
      }
    }, SILENCE_POLL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.stop.abort();
  }

  /** As the driver's `imageLimit`. */
  get imageLimit(): number | undefined {
    return this.driver.imageLimit;
  }

  /** The models as last listed; none before, or where a table in the settings replaces them. */
  list(): readonly UpstreamModel[] {
    return hasListedModels(this.settings) ? this.models : [];
  }

  /**
   * Why the upstream did not answer when its list was wanted last, for the operator; undefined where it did, if only that it
   * has none.
   */
  get silence(): string | undefined {
    return this.failure && isSilence(this.failure) ? explained(this.failure) : undefined;
  }

  /** Milliseconds for which nothing has been answered; undefined where the latest read was. */
  get silentForMs(): number | undefined {
    return this.silentSince === undefined ? undefined : this.clock.monotonic() - this.silentSince;
  }

  /** Whether nobody can say yet what models there are: nothing has ever been answered. */
  get isUnknown(): boolean {
    const isAnswered =
      this.readAt !== undefined || (this.failure !== undefined && this.silence === undefined);
    return hasListedModels(this.settings) && this.settings.UPSTREAM_MODEL === undefined && !isAnswered;
  }

  /** Waits for one read of the list where none has been answered yet. Never rejects. */
  async untilKnown(): Promise<void> {
    if (this.isUnknown) {
      await this.readShared();
    }
  }

  /**
   * Reads the list anew if it is older than a minute. A failure leaves the old one, and is tried again after a second, then
   * after twice as long each time. Never rejects.
   */
  async refresh(): Promise<void> {
    const now = this.clock.monotonic();
    const isFresh = this.readAt !== undefined && now - this.readAt < STALE_MS;
    if (hasListedModels(this.settings) && !isFresh && this.backoff.endAfter(now) === undefined) {
      await this.readShared();
    }
  }

  /** Takes over what a refusal says of a model: the smallest limit counts. @param id of the model at the upstream */
  learnWindow(id: string, tokens: number): void {
    this.windows.set(id, Math.min(tokens, this.windows.get(id) ?? tokens));
  }

  /** The context window that refusals have named for a model. */
  learnedWindow(id: string): number | undefined {
    return this.windows.get(id);
  }

  /** Takes over that a model has refused pictures or files. It counts for ten minutes. @param id as above */
  learnTextOnly(id: string): void {
    this.textOnlySince.set(id, this.clock.monotonic());
  }

  isTextOnly(id: string): boolean {
    const since = this.textOnlySince.get(id);
    return since !== undefined && this.clock.monotonic() - since < TEXT_ONLY_MS;
  }

  private async readShared(): Promise<void> {
    if (!this.stop.signal.aborted) {
      await (this.reading ??= this.read().finally(() => (this.reading = undefined)));
    }
  }

  private async read(): Promise<void> {
    try {
      const limit = AbortSignal.timeout(LIMIT_MS);
      this.models = await this.driver.listModels(AbortSignal.any([limit, this.stop.signal]));
      this.readAt = this.clock.monotonic();
      this.failure = undefined;
      this.silentSince = undefined;
      this.backoff.clear();
      this.outage.succeeded();
    } catch (error) {
      this.backoff.failed(this.clock.monotonic(), 0);
      if (!this.stop.signal.aborted) {
        this.failure = error as Error;
        this.silentSince = isSilence(this.failure) ? (this.silentSince ?? this.clock.monotonic()) : undefined;
        this.outage.failed(error);
      }
    }
  }
}

/** Whether a failure to read the list means that nothing was answered at all. */
function isSilence(failure: Error): boolean {
  return failure instanceof UnavailableError
    ? failure.reason === 'upstream_unreachable'
    : failure.name === 'TimeoutError';
}

function explained(silence: Error): string {
  const text = messageWithCauses(silence);
  const isOfProxy = silence instanceof UnavailableError && silence.fault === 'proxy_failed';
  return isOfProxy ? text : `Is UPSTREAM_BASE_URL right? ${text}`;
}
