import { type ServerResponse } from 'node:http';
import { cutStalledCaller } from '../../../common/http/server/stalled-caller.js';
import { type FinishReason, type TokenUsage } from '../../../upstream/upstream-driver.js';
import { type Answer } from '../answer.js';
import { CollectingOutput } from './collecting-output.js';

/** Node's fetch gives up on an answer that has not begun after 300 s; white space before JSON is allowed. */
const BEGIN_AFTER_MS = 240_000;

const CONTENT_TYPE = 'application/json; charset=utf-8';

export interface JsonOutputOptions {
  /** Silence after which white space keeps the connection; a caller that takes nothing in is cut off after one to two. */
  readonly heartbeatIntervalMs: number;
  /** Default 240,000. */
  readonly beginAfterMs?: number;
}

/** The JSON body of a whole answer, in the wire format of its endpoint. */
export type ToJsonBody = (answer: Answer, reason: FinishReason, usage: TokenUsage) => object;

/** Writes a completion as one JSON body. */
export class JsonOutput extends CollectingOutput {
  private timer: NodeJS.Timeout;

  /** Timers end with the response. */
  constructor(
    private readonly response: ServerResponse,
    private readonly toBody: ToJsonBody,
    private readonly options: JsonOutputOptions,
  ) {
    super();
    this.timer = setTimeout(() => this.keepAlive(), options.beginAfterMs ?? BEGIN_AFTER_MS);
    response.on('close', () => clearTimeout(this.timer));
  }

  get isCommitted(): boolean {
    return this.response.headersSent;
  }

  begin(): void {
    // A JSON answer begins when it is complete.
  }

  finish(answer: Answer, reason: FinishReason, usage: TokenUsage): void {
    const body = JSON.stringify(this.toBody(answer, reason, usage));
    if (!this.isCommitted) {
      this.response.writeHead(200, {
        'Content-Type': CONTENT_TYPE,
        'Content-Length': Buffer.byteLength(body),
      });
    }
    cutStalledCaller(this.response, 2 * this.options.heartbeatIntervalMs);
    this.response.end(body);
  }

  override stopHeartbeats(): void {
    clearTimeout(this.timer);
  }

  drop(): void {
    this.response.destroy();
  }

  /** The 200 is out already: only a broken connection tells the caller that there is no answer. */
  fail(): void {
    this.response.destroy();
  }

  private keepAlive(): void {
    // The end may not have reached the caller yet; and one may have left before there was an output to notice it.
    if (this.response.writableEnded || this.response.destroyed) {
      return;
    }
    if (!this.isCommitted) {
      // nginx and its like would collect the white space without the last header.
      this.response.writeHead(200, { 'Content-Type': CONTENT_TYPE, 'X-Accel-Buffering': 'no' });
    }
    this.response.write('\n');
    this.timer = setTimeout(() => this.keepAlive(), this.options.heartbeatIntervalMs);
  }
}
