import { type CDPSession, type Page, type Protocol, type WebWorker } from 'puppeteer';
import { RunControl } from '../../src/upstream/web/capture/answer-capture.js';
import { HttpObserver } from '../../src/upstream/web/capture/http-observer.js';
import { BINARY_FRAME, frameText, TEXT_FRAME } from '../../src/upstream/web/capture/socket-observer.js';
import { WatchedRequest } from './watched-request.js';

/** Resource types that are followed; pictures, styles and the like are left out. */
const WATCHED_TYPES: ReadonlySet<string> = new Set([
  'Document',
  'XHR',
  'Fetch',
  'EventSource',
  'Other',
  'Ping',
]);
const READ_TYPES: ReadonlySet<string> = new Set(['XHR', 'Fetch', 'EventSource']);
const MAX_POST_DATA = 1024 * 1024;

export interface NetworkWatchOptions {
  /** Whether the bodies of responses are read. */
  readonly readsAnswers: boolean;
  readonly onRequest?: (request: WatchedRequest) => void;
  readonly onFailed?: (request: WatchedRequest) => void;
}

/** Follows the requests of pages and their workers, and their responses. */
export class NetworkWatch {
  /** All requests so far, in the order in which they were sent. */
  readonly requests: WatchedRequest[] = [];
  private readonly observers = new Map<string, HttpObserver>();
  private readonly byId = new Map<string, WatchedRequest>();

  constructor(private readonly options: NetworkWatchOptions) {}

  async attach(page: Page): Promise<void> {
    const watchWorker = ({ client }: WebWorker): void => void this.watch(client, true).catch(() => undefined);
    page.on('workercreated', watchWorker);
    page.workers().forEach(watchWorker);
    await this.watch(await page.createCDPSession(), false);
  }

  private async watch(session: CDPSession, isWorker: boolean): Promise<void> {
    session.on('Network.requestWillBeSent', (event) => this.onRequest(event, isWorker));
    session.on('Network.responseReceived', (event) => this.onResponse(event, session));
    session.on('Network.dataReceived', (event) => this.observers.get(event.requestId)?.onData(event));
    session.on('Network.eventSourceMessageReceived', (event) =>
      this.observers.get(event.requestId)?.onMessage(event),
    );
    session.on('Network.loadingFinished', (event) => {
      const observer = this.observers.get(event.requestId);
      // An observer may still have to read a part of the body.
      if (observer) {
        observer.onFinished(event);
      } else {
        this.byId.get(event.requestId)?.close();
      }
    });
    session.on('Network.loadingFailed', (event) => {
      const request = this.byId.get(event.requestId);
      request?.fail(event.errorText);
      if (request) {
        this.options.onFailed?.(request);
      }
    });
    this.watchSockets(session, isWorker);
    await session.send('Network.enable', { maxPostDataSize: MAX_POST_DATA });
  }

  private watchSockets(session: CDPSession, isWorker: boolean): void {
    session.on('Network.webSocketCreated', ({ requestId, url }) => {
      this.add(requestId, new WatchedRequest({ method: 'GET', url, type: 'WebSocket', isWorker }));
    });
    session.on('Network.webSocketFrameSent', ({ requestId, response }) => {
      this.byId.get(requestId)?.sent(frameText(response));
    });
    session.on('Network.webSocketFrameReceived', ({ requestId, response }) => {
      if (response.opcode === TEXT_FRAME) {
        this.byId.get(requestId)?.message(response.payloadData);
      } else if (response.opcode === BINARY_FRAME) {
        this.byId.get(requestId)?.binaryMessage();
      }
    });
    session.on('Network.webSocketClosed', ({ requestId }) => this.byId.get(requestId)?.close());
  }

  private onRequest(
    { requestId, request, type }: Protocol.Network.RequestWillBeSentEvent,
    isWorker: boolean,
  ): void {
    const { method, urlFragment = '', postData } = request;
    const url = request.url + urlFragment;
    if (!WATCHED_TYPES.has(type ?? 'Other') || !/^https?:/.test(url)) {
      return;
    }
    this.add(requestId, new WatchedRequest({ method, url, type: type ?? 'Other', isWorker, body: postData }));
  }

  private add(requestId: string, request: WatchedRequest): void {
    this.byId.set(requestId, request);
    this.requests.push(request);
    this.options.onRequest?.(request);
  }

  private onResponse(event: Protocol.Network.ResponseReceivedEvent, session: CDPSession): void {
    const request = this.byId.get(event.requestId);
    if (!request) {
      return;
    }
    if (!this.options.readsAnswers || !READ_TYPES.has(event.type)) {
      request.head(event.response.status, { 'content-type': event.response.mimeType });
      return;
    }
    const observer = new HttpObserver(event.requestId, request, {
      isEventSource: event.type === 'EventSource',
      run: new RunControl(),
      onActivity: () => undefined,
    });
    this.observers.set(event.requestId, observer);
    observer.onResponse(event, session);
  }
}
