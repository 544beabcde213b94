import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InternalError } from '../../common/errors/gateway.errors.js';
import { Clock } from '../../common/time/clock.js';
import { LogsService } from '../../logs/logs.service.js';
import { type UsageRow } from '../../logs/records/usage.js';
import { KeyLimiters } from '../limits/key-limiters.js';
import { dayOf } from '../limits/token-day.js';

const RETRY_MS = 5000;

/** Usage by key, as counted by the log. */
@Injectable()
export class UsageService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Keys');
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly logs: LogsService,
    private readonly limiters: KeyLimiters,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives the daily limits what this gateway has used up today. Until then no key with such a limit is served, unless it has
   * parts of them: those of its processes before hold that much.
   */
  async onApplicationBootstrap(): Promise<void> {
    try {
      const tokens = new Map<string, number>();
      for (const { key, promptTokens, completionTokens } of await this.logs.ownUsage(this.range(1))) {
        tokens.set(key, (tokens.get(key) ?? 0) + promptTokens + completionTokens);
      }
      this.limiters.takeUsedToday(tokens, this.logs.node);
    } catch (error) {
      const effect = this.limiters.areDivided
        ? 'killed gateways hold theirs'
        : 'keys with a limit of tokens are refused';
      this.logger.warn(error, `usage of today cannot be read: ${effect}`);
      this.retry = setTimeout(() => void this.onApplicationBootstrap(), RETRY_MS).unref();
    }
  }

  onApplicationShutdown(): void {
    clearTimeout(this.retry);
  }

  /**
   * Daily rows up to today.
   * @param key name of the only key
   * @throws InternalError if the log cannot be read
   */
  async read(days: number, key?: string): Promise<readonly UsageRow[]> {
    return this.logs.usage({ ...this.range(days), key }).catch((error: unknown) => {
      throw new InternalError('local_resources', 'usage cannot be read at present.', { cause: error });
    });
  }

  private range(days: number): { readonly fromDay: number; readonly toDay: number } {
    const toDay = dayOf(this.clock.now());
    return { fromDay: toDay - days + 1, toDay };
  }
}
