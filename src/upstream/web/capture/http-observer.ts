import { type CDPSession, type Protocol } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';
import { type RunControl } from './answer-capture.js';
import { type AnswerStream } from './answer-stream.js';
import { bytesOfText } from './text-bytes.js';

/** Receiver of a response. */
export type ResponseSink = Pick<AnswerStream, 'head' | 'data' | 'message' | 'end' | 'isFinished'>;

export interface HttpObserverOptions {
  readonly isEventSource: boolean;
  readonly run: Pick<RunControl, 'step' | 'finish'>;
  /** Whether the connection is not this answer's alone, so that its end is not the end of the answer. */
  readonly isShared?: boolean;
  readonly onActivity: () => void;
}

/** Follows one response to the page by the browser's network events. */
export class HttpObserver {
  private readonly decoder = new TextDecoder();
  /** Events held back until the part of the body is read that came before its streaming began. */
  private waiting: (() => void)[] | undefined;

  /** @param requestId as the network events name it */
  constructor(
    private readonly requestId: string,
    private readonly stream: ResponseSink,
    private readonly options: HttpObserverOptions,
  ) {}

  onResponse({ requestId, response }: Protocol.Network.ResponseReceivedEvent, session: CDPSession): void {
    if (requestId !== this.requestId) {
      return;
    }
    this.step(() => this.stream.head(response.status, lowerCased(response.headers)));
    if (!this.options.isEventSource || (response.status !== 200 && !this.options.isShared)) {
      this.waiting = [];
      void this.readStart(session);
    }
  }

  onData({ requestId, data }: Protocol.Network.DataReceivedEvent): void {
    if (requestId === this.requestId && data !== undefined) {
      this.inOrder(() => this.read(data));
    }
  }

  onMessage({ requestId, eventName, data }: Protocol.Network.EventSourceMessageReceivedEvent): void {
    if (requestId === this.requestId) {
      this.inOrder(() => this.stream.message(data, eventName || 'message'));
    }
  }

  onFinished({ requestId }: Protocol.Network.LoadingFinishedEvent): void {
    if (requestId === this.requestId && !this.options.isShared) {
      this.inOrder(() => {
        this.stream.end();
        this.options.run.finish();
      });
    }
  }

  onFailed({ requestId, errorText }: Protocol.Network.LoadingFailedEvent): void {
    if (requestId === this.requestId && !this.options.isShared) {
      this.inOrder(() => {
        throw new UnavailableError('stream_reset', `The connection to the site failed: ${errorText}`);
      });
    }
  }

  /** Requests the stream of the body, with its part so far; a short body may be complete already. */
  private async readStart(session: CDPSession): Promise<void> {
    const { requestId } = this;
    const start = await session
      .send('Network.streamResourceContent', { requestId })
      .then(({ bufferedData }) => bufferedData)
      .catch(() => wholeBody(session, requestId));
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    if (start !== '') {
      this.step(() => this.read(start));
    }
    waiting.forEach((work) => this.step(work));
  }

  private read(base64: string): void {
    this.stream.data(this.decoder.decode(Buffer.from(base64, 'base64'), { stream: true }));
  }

  private inOrder(work: () => void): void {
    if (this.waiting) {
      this.waiting.push(work);
    } else {
      this.step(work);
    }
  }

  private step(work: () => void): void {
    const { run, onActivity } = this.options;
    run.step(() => {
      onActivity();
      work();
      if (this.stream.isFinished) {
        run.finish();
      }
    });
  }
}

async function wholeBody(session: CDPSession, requestId: string): Promise<string> {
  try {
    const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId });
    return base64Encoded ? body : bytesOfText(body).toString('base64');
  } catch {
    return '';
  }
}

function lowerCased(headers: Protocol.Network.Headers): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
