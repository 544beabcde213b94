import { type CDPSession, type Protocol, type WebWorker } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';
import { type PageGuard } from '../page/page-guard.js';
import { type ObserveRules } from '../recipe/capture-rules.js';
import { type CaptureTask } from './capture.js';
import { HttpObserver } from './http-observer.js';
import { NetworkCapture, type NetworkCaptureOptions, type PausedRequest } from './network-capture.js';
import { SocketObserver } from './socket-observer.js';

/** Leaves sending and reading to the page and follows its network events; for sites where replay does not work. */
export class ObserveCapture extends NetworkCapture<ObserveRules> {
  private http: HttpObserver | undefined;
  private readonly sockets: SocketObserver | undefined;

  private constructor(guard: PageGuard, session: CDPSession, options: NetworkCaptureOptions<ObserveRules>) {
    super(guard, session, options);
    if (options.rules.transport === 'websocket') {
      this.sockets = new SocketObserver(options.rules.request.url, {
        onSent: (text, url) => this.onFrameSent(text, url),
        onClosed: () => this.run.step(() => this.sockets?.end()),
        step: (work) => this.run.step(work),
      });
    }
  }

  static async attach(
    guard: PageGuard,
    options: NetworkCaptureOptions<ObserveRules>,
  ): Promise<ObserveCapture> {
    const session = await guard.page.createCDPSession();
    const capture = new ObserveCapture(guard, session, options);
    const watchWorker = ({ client }: WebWorker): void => void capture.watch(client).catch(() => undefined);
    guard.page.workers().forEach(watchWorker);
    // A worker's requests are reported in a session of its own.
    guard.page.on('workercreated', watchWorker);
    await Promise.all([capture.watch(session), capture.enable()]);
    return capture;
  }

  protected isOwnRequest(): boolean {
    return false;
  }

  protected takeAnswer(event: PausedRequest, body: string, task: CaptureTask): void {
    const { networkId } = event;
    if (networkId === undefined) {
      throw new UnavailableError('page_failed', 'The request of the page cannot be followed.');
    }
    this.http = new HttpObserver(networkId, this.createStream(task), {
      isEventSource: this.options.rules.transport === 'eventsource',
      run: this.run,
      onActivity: task.onActivity,
    });
    this.letThrough(event, event.request.method === 'GET' ? undefined : body);
  }

  private async watch(session: CDPSession): Promise<void> {
    session.on('Network.responseReceived', (event) => this.http?.onResponse(event, session));
    session.on('Network.dataReceived', (event) => this.http?.onData(event));
    session.on('Network.eventSourceMessageReceived', (event) => this.http?.onMessage(event));
    session.on('Network.loadingFinished', (event) => this.http?.onFinished(event));
    session.on('Network.loadingFailed', (event) => this.http?.onFailed(event));
    this.sockets?.watch(session);
    await session.send('Network.enable', WHOLE_BUFFERS);
  }

  /** Takes a frame from the page as the prompt, if it holds the prompt. */
  private onFrameSent(text: string, url: string): void {
    const { task } = this;
    if (!task || this.run.isRequested) {
      return;
    }
    try {
      this.takePrompt(text, task);
    } catch (error) {
      if (error instanceof UnavailableError) {
        return;
      }
      throw error;
    }
    this.follow(this.options.traffic.begin('GET', url, {}, text));
    this.record.head(SWITCHING_PROTOCOLS, {});
    this.sockets?.begin(this.createStream(task), () => {
      task.onActivity();
      if (this.sockets?.isFinished) {
        this.run.finish();
      }
    });
  }
}

/** HTTP status of a socket's handshake. */
const SWITCHING_PROTOCOLS = 101;

/** The browser must keep the bodies of refusals, which are read after their end. */
const WHOLE_BUFFERS: Protocol.Network.EnableRequest = {
  maxResourceBufferSize: 16 * 2 ** 20,
  maxTotalBufferSize: 32 * 2 ** 20,
};
