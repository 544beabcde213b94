import { type CDPSession, type Protocol, type WebWorker } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';
import { type PageGuard } from '../page/page-guard.js';
import { fillFrames } from '../page/socket-frames.js';
import { isLasting, type ObserveRules } from '../recipe/capture-rules.js';
import { findRefusal } from '../recipe/refusal.js';
import { type CaptureTask } from './answer-capture.js';
import { AnswerFeed } from './answer-feed.js';
import { type AnswerStream } from './answer-stream.js';
import { HttpObserver, type ResponseSink } from './http-observer.js';
import { NetworkCapture } from './network-capture.js';
import { type NetworkCaptureOptions } from './network-capture-options.js';
import { holdsPrompt } from './outgoing-prompt.js';
import { replaceInBody, withoutFrame } from './prompt-check.js';
import { CONNECT, packetTexts, readPacket, splitPayload } from './reading/engine-io.js';
import { objectsIn } from './reading/object-splitter.js';
import { createRecordDecoder } from './reading/record-decoder.js';
import { type PausedRequest } from './request-gate.js';
import { type SocketHooks, SocketObserver } from './socket-observer.js';

/** Leaves sending and reading to the page and follows its network events; for sites where replay does not work. */
export class ObserveCapture extends NetworkCapture<ObserveRules> {
  /** Observers of the responses that are read, by the ids of their requests. */
  private readonly responses = new Map<string, HttpObserver>();
  private readonly feed: AnswerFeed;
  private readonly sockets: SocketObserver | undefined;
  private stream: AnswerStream | undefined;
  /** The frame that carried the prompt. */
  private sentFrame: { readonly url: string; readonly text: string } | undefined;

  private constructor(guard: PageGuard, session: CDPSession, options: NetworkCaptureOptions<ObserveRules>) {
    super(guard, session, options);
    const { transport, request } = options.rules;
    this.feed = new AnswerFeed(this.conversation, () => this.onOwnRecord());
    if (transport === 'websocket' || transport === 'socketio') {
      const hooks: SocketHooks = {
        onOpened: (url) => this.notes.note('request', 'followed', { method: 'WebSocket', url }),
        onSent: (text, url) => this.onFrameSent(text, url),
        onReceived: (text) => this.onFrame(text),
        onLost: () => this.onSocketLost(),
        step: (work) => this.run.step(work),
      };
      this.sockets = new SocketObserver(request.url, hooks, transport === 'socketio' ? CONNECT : undefined);
    }
    guard.page.on('framenavigated', () => this.run.step(() => this.onConversation()));
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
    await Promise.all([capture.watch(session), capture.enable(), capture.fillPlaceholder()]);
    return capture;
  }

  override get findings(): string | undefined {
    const { run, sockets, notes } = this;
    if (run.isRequested || !sockets) {
      return super.findings ?? this.feed.findings;
    }
    return [
      super.findings ?? (notes.hasSource ? NO_FRAME : NO_SOCKET),
      ...(sockets.binaryCount > 0 ? [`Binary frames, which cannot be read: ${sockets.binaryCount}.`] : []),
    ].join(' ');
  }

  override get isConnected(): boolean {
    return !this.sockets?.isDisconnected;
  }

  protected override get readsResponses(): boolean {
    const { transport } = this.options.rules;
    return transport === 'polling' || transport === 'socketio';
  }

  protected isOwnRequest(): boolean {
    return false;
  }

  protected override textsOf(body: string): readonly string[] {
    return this.options.rules.transport === 'socketio' ? [body, ...packetTexts(body)] : super.textsOf(body);
  }

  /** A connection that the page opened before the prompt, or one of a transport that has lasting ones only. */
  protected override isShared(event: PausedRequest): boolean {
    const { rules } = this.options;
    const { networkId } = event;
    const isEarly = rules.promptRequest !== undefined && !this.run.isRequested;
    if (!isLasting(rules) && !isEarly) {
      return false;
    }
    this.notes.note('request', 'followed', event.request);
    if (!isLasting(rules) && networkId !== undefined) {
      this.responses.set(networkId, this.observer(networkId, this.feedSink(), true));
    }
    this.gate.letThrough(event);
    return true;
  }

  protected takeAnswer(event: PausedRequest, changed: string | undefined, task: CaptureTask): void {
    const { networkId } = event;
    if (networkId === undefined) {
      throw new UnavailableError('page_failed', 'The request of the page cannot be followed.');
    }
    const stream = this.stream ?? this.createStream(task);
    this.responses.set(networkId, this.observer(networkId, stream, false));
    this.gate.letThrough(event, changed === undefined ? undefined : Buffer.from(changed));
  }

  protected override onPromptTaken(task: CaptureTask): void {
    const { rules, traffic } = this.options;
    if (!isLasting(rules) && this.responses.size === 0) {
      return;
    }
    const { url, text } = this.sentFrame ?? { url: rules.request.url, text: '' };
    this.follow(traffic.begin('GET', url, {}, text));
    this.record.head(this.sockets ? SWITCHING_PROTOCOLS : OK, {});
    this.stream = this.createStream(task);
    this.feed.begin(this.stream);
    this.onConversation();
  }

  protected override onConversation(): void {
    this.conversation.shown(this.guard.page.url());
    this.feed.release();
  }

  /** Reads one response of long polling. */
  protected override async onResponse(event: PausedRequest): Promise<void> {
    const { signs, clock, rules } = this.options;
    const isPoll = event.request.method === rules.request.method;
    const response = isPoll ? await this.gate.response(event, true) : undefined;
    this.run.step(() => {
      if (!response) {
        return;
      }
      if (rules.transport === 'socketio') {
        splitPayload(response.body).forEach((packet) => readPacket(packet, this.push));
        return;
      }
      const error = this.feed.hasBegun ? findRefusal(response, signs, clock.now()) : undefined;
      if (error) {
        throw error;
      }
      const decoder = createRecordDecoder(rules.format, this.push);
      decoder.push(response.body);
      decoder.end();
    });
  }

  private observer(requestId: string, sink: ResponseSink, isShared: boolean): HttpObserver {
    return new HttpObserver(requestId, sink, {
      isEventSource: this.options.rules.transport === 'eventsource',
      isShared,
      run: this.run,
      onActivity: () => (isShared ? undefined : this.task?.onActivity()),
    });
  }

  /** Reads a connection whose answers are told apart record by record. */
  private feedSink(): ResponseSink {
    const decoder = createRecordDecoder(this.options.rules.format, this.push);
    return {
      head: () => undefined,
      data: (text) => decoder.push(text),
      message: this.push,
      end: () => undefined,
      isFinished: false,
    };
  }

  private readonly push = (data: string, event?: string): boolean => this.feed.push(data, event);

  /** Has the prompt put in place of its placeholder where it goes out in a frame. */
  private async fillPlaceholder(): Promise<void> {
    const { placeholder, guard } = this;
    if (this.sockets && placeholder !== undefined) {
      const fill = (frame: string): string | undefined =>
        this.task && replaceInBody(frame, placeholder, this.task.prompt);
      await fillFrames(guard.page, placeholder, fill);
    }
  }

  private async watch(session: CDPSession): Promise<void> {
    const observer = ({ requestId }: { requestId: string }): HttpObserver | undefined =>
      this.responses.get(requestId);
    session.on('Network.responseReceived', (event) => observer(event)?.onResponse(event, session));
    session.on('Network.dataReceived', (event) => observer(event)?.onData(event));
    session.on('Network.eventSourceMessageReceived', (event) => observer(event)?.onMessage(event));
    session.on('Network.loadingFinished', (event) => {
      observer(event)?.onFinished(event);
      this.responses.delete(event.requestId);
    });
    session.on('Network.loadingFailed', (event) => {
      observer(event)?.onFailed(event);
      this.responses.delete(event.requestId);
    });
    this.sockets?.watch(session);
    await session.send('Network.enable', WHOLE_BUFFERS);
  }

  private onFrame(frame: string): boolean {
    const { transport, format } = this.options.rules;
    if (transport !== 'socketio') {
      const records = format === 'objects' ? objectsIn(frame) : [frame];
      return records.map((record) => this.push(record)).includes(true);
    }
    let isOwn = false;
    readPacket(frame, (data, event) => (isOwn = this.push(data, event)));
    return isOwn;
  }

  /** Takes a frame from the page as the prompt, if it holds the prompt. */
  private onFrameSent(text: string, url: string): boolean {
    const { task } = this;
    if (!task || this.run.isRequested || (this.options.rules.promptRequest && !task.isPromptInBody)) {
      return false;
    }
    if (this.placeholder !== undefined && text.includes(this.placeholder)) {
      throw new UnavailableError('page_failed', FRAME_OF_WORKER);
    }
    const texts =
      this.options.rules.transport === 'socketio' ? packetTexts(text) : [text, withoutFrame(text)];
    if (texts.length === 0 || !holdsPrompt(texts, task, false)) {
      return false;
    }
    this.sentFrame = { url, text };
    this.notes.note('request', 'taken', { method: 'WebSocket', url });
    this.promptSent(texts.at(-1) ?? text, task);
    return true;
  }

  private onOwnRecord(): void {
    this.task?.onActivity();
    if (this.stream?.isFinished) {
      this.run.finish();
    }
  }

  private onSocketLost(): void {
    if (this.stream && !this.stream.isFinished) {
      throw new UnavailableError('stream_reset', 'The connection to the site was closed.');
    }
  }
}

const NO_SOCKET = 'The page opened no connection that fits capture.request.';
const NO_FRAME = 'No text frame that the page sent over the connection of capture.request holds the prompt.';
const FRAME_OF_WORKER =
  'The prompt leaves by a socket of a worker, where `request` cannot put it in: use fill or paste.';
const OK = 200;
/** HTTP status of a socket's handshake. */
const SWITCHING_PROTOCOLS = 101;

/** The browser must keep the bodies of refusals, which are read after their end. */
const WHOLE_BUFFERS: Protocol.Network.EnableRequest = {
  maxResourceBufferSize: 16 * 2 ** 20,
  maxTotalBufferSize: 32 * 2 ** 20,
};
