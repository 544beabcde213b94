import { Injectable } from '@nestjs/common';
import {
  type HeaderFields,
  type NetworkExchange,
  NetworkLog,
  type NetworkStart,
} from '../../common/network/network-log.js';
import { redactBody, redactHeaders, redactUrl } from '../../common/network/redact.js';
import { randomHex } from '../../common/text/random-hex.js';
import { Clock } from '../../common/time/clock.js';
import { FullTexts } from '../full-texts.js';
import { type ExchangeBodies } from '../records/exchange-bodies.js';
import { type LogContent, PREVIEW_CHARS } from '../records/log-content.js';
import { type NetworkRecord } from '../records/network-record.js';
import { LogJournal, type OpenRecord } from './log-journal.js';

/** Characters kept of a body, by `LOG_CONTENT`. */
const BODY_LIMITS = { none: 0, preview: PREVIEW_CHARS, full: 64 * 1024 } as const;
const MAX_URL_LENGTH = 2048;
const MAX_ERROR_LENGTH = 500;

const NO_SECRETS: readonly string[] = [];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Writes one network record per exchange to the journal. */
@Injectable()
export class NetworkRecorder extends NetworkLog {
  constructor(
    private readonly journal: LogJournal,
    private readonly fullTexts: FullTexts,
    private readonly clock: Clock,
  ) {
    super();
  }

  override get bodyLimit(): number {
    return BODY_LIMITS[this.fullTexts.mode];
  }

  override begin(start: NetworkStart): NetworkExchange {
    return new ExchangeRecorder(start, this.fullTexts.mode, this.journal, this.clock);
  }
}

/** Fills one record. Calls after `end` are ignored. */
class ExchangeRecorder implements NetworkExchange {
  private readonly record: Mutable<NetworkRecord>;
  private readonly open: OpenRecord;
  private readonly secrets: readonly string[];
  private readonly bodyLimit: number;
  private readonly began: number;
  private requestBody: string | undefined;
  private readonly isOwnRequest: boolean;
  private body = '';
  private bytes = 0;
  private hasEnded = false;

  constructor(
    start: NetworkStart,
    keeps: LogContent,
    journal: LogJournal,
    private readonly clock: Clock,
  ) {
    const {
      requestId,
      account,
      method,
      url,
      headers,
      body,
      bytes,
      secrets = NO_SECRETS,
      isOwnBody = false,
    } = start;
    this.secrets = secrets;
    this.bodyLimit = BODY_LIMITS[keeps];
    this.began = clock.monotonic();
    this.record = {
      kind: 'network',
      id: `net_${randomHex()}`,
      ...(requestId !== undefined && { requestId }),
      ...(account !== undefined && { account }),
      startedAt: clock.now(),
      method,
      url: redactUrl(url, secrets).slice(0, MAX_URL_LENGTH),
      ...(bytes !== undefined && { requestBytes: bytes }),
      ...(headers && { requestHeaders: redactHeaders(headers, secrets) }),
    };
    this.requestBody = this.kept(body);
    this.isOwnRequest = isOwnBody;
    this.open = journal.begin(this.record, keeps, () => this.bodies());
  }

  sent(body: string): void {
    if (!this.hasEnded) {
      this.record.requestBytes = Buffer.byteLength(body);
      if (this.requestBody !== undefined) {
        this.requestBody = this.kept(body);
      }
    }
  }

  head(status: number, headers: HeaderFields): void {
    if (!this.hasEnded) {
      this.record.status = status;
      this.record.firstByteMs = this.elapsedMs();
      this.record.responseHeaders = redactHeaders(headers, this.secrets);
    }
  }

  data(bytes: number, text: string): void {
    if (this.hasEnded) {
      return;
    }
    this.bytes += bytes;
    if (this.body.length < this.bodyLimit) {
      this.body += text;
    }
  }

  end(error?: string): void {
    if (this.hasEnded) {
      return;
    }
    this.hasEnded = true;
    const { record } = this;
    record.totalMs = this.elapsedMs();
    if (record.status !== undefined) {
      record.responseBytes = this.bytes;
    }
    if (error !== undefined) {
      record.error = redactBody(error, this.secrets).slice(0, MAX_ERROR_LENGTH);
    }
    this.open.end();
  }

  private bodies(): ExchangeBodies {
    const { requestBody: request, isOwnRequest, secrets } = this;
    const response = this.hasEnded && this.body !== '' ? this.kept(this.body) : undefined;
    return { request, response, isOwnRequest, secrets };
  }

  private kept(body: string | undefined): string | undefined {
    return body === undefined || this.bodyLimit === 0 ? undefined : beginningOf(body, this.bodyLimit);
  }

  private elapsedMs(): number {
    return Math.round(this.clock.monotonic() - this.began);
  }
}

/** A copy: a slice would keep the whole text in memory, possibly for long while the disk is slow. */
function beginningOf(text: string, characters: number): string {
  return text.length <= characters ? text : Buffer.from(text.slice(0, characters)).toString();
}
