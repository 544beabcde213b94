import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import { InvalidRequestError } from '../common/errors/gateway.errors.js';
import { Clock } from '../common/time/clock.js';
import { MINUTE_MS } from '../common/time/durations.js';
import { type LogContent } from './records/log-content.js';

/** Extent of the texts in the log: as `LOG_CONTENT` says, or all of them for a time that the operator asks for. */
@Injectable()
export class FullTexts {
  private readonly logger = new Logger('RequestLog');
  /** Monotonic milliseconds. */
  private until = -Infinity;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  get mode(): LogContent {
    const { LOG_CONTENT } = this.settings;
    return LOG_CONTENT === 'preview' && this.remainingMs > 0 ? 'full' : LOG_CONTENT;
  }

  /** Milliseconds for which texts are still kept whole; 0 outside such a time. */
  get remainingMs(): number {
    return Math.max(0, Math.ceil(this.until - this.clock.monotonic()));
  }

  /**
   * Keeps all texts of requests that begin within the next minutes; 0 ends such a time.
   * @throws InvalidRequestError if the log is to keep no texts at all
   */
  keepFor(minutes: number): void {
    if (this.settings.LOG_CONTENT === 'none') {
      throw new InvalidRequestError('LOG_CONTENT is none: this gateway keeps no texts.', 'minutes');
    }
    this.until = this.clock.monotonic() + minutes * MINUTE_MS;
    this.logger.log(
      { event: 'full_texts', minutes },
      'the operator has set for how long full texts are kept',
    );
  }
}
