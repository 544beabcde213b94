import { type CDPSession, type Protocol } from 'puppeteer';
import { type PageGuard } from '../page/page-guard.js';
import { type Refusal } from '../recipe/refusal.js';

export type PausedRequest = Protocol.Fetch.RequestPausedEvent;

const READ_TIMEOUT_MS = 5000;
/** Far above a refusal, or a part of an answer; browser and gateway hold several copies of a body. */
const MAX_READ_BYTES = 16 * 2 ** 20;

const EVENTS_TYPE = /^text\/event-stream\b/i;

/** Actions on requests that the browser holds back. */
export class RequestGate {
  constructor(
    private readonly session: CDPSession,
    private readonly guard: PageGuard,
  ) {}

  /** Sends a message whose answer does not matter: it fails only if the page is gone, which `PageGuard` reports. */
  send(...message: Parameters<CDPSession['send']>): void {
    this.session.send(...message).catch(() => undefined);
  }

  refuse({ requestId }: PausedRequest): void {
    this.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  /** @param body in place of the page's own */
  letThrough({ requestId }: PausedRequest, body?: Buffer): void {
    const postData = body === undefined ? {} : { postData: body.toString('base64') };
    this.send('Fetch.continueRequest', { requestId, ...postData });
  }

  /**
   * A response that is held back; its body is empty if it is too long, or cannot be read in time. Undefined without a head.
   * @param readsEvents whether the body is read also where it is a stream of events, which may have no end
   */
  async response(event: PausedRequest, readsEvents: boolean): Promise<Refusal | undefined> {
    const { requestId, responseStatusCode: status, responseHeaders } = event;
    if (status === undefined) {
      return undefined;
    }
    const headers = headersOf(responseHeaders);
    const { 'content-type': type = '', 'content-length': length = '0' } = headers;
    const isRead = Number(length) <= MAX_READ_BYTES && (readsEvents || !EVENTS_TYPE.test(type));
    return { status, headers, body: isRead ? await this.bodyOfResponse(requestId) : '' };
  }

  private async bodyOfResponse(requestId: string): Promise<string> {
    const { body, base64Encoded } = await this.guard
      .run(this.session.send('Fetch.getResponseBody', { requestId }), {
        timeoutMs: READ_TIMEOUT_MS,
        what: 'read a response',
      })
      .catch(() => ({ body: '', base64Encoded: false }));
    return base64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
  }
}

/** Headers by their names in lower case. */
export function headersOf(headers: readonly Protocol.Fetch.HeaderEntry[] = []): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
}
