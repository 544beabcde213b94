import { type CDPSession } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';
import { compileUrlPattern } from '../recipe/url-pattern.js';
import { type AnswerStream } from './answer-stream.js';

export interface SocketHooks {
  /** The page sent a text frame. */
  onSent(text: string, url: string): void;
  onClosed(): void;
  /** Runs a step of reading; its errors end the answer. */
  step(work: () => void): void;
}

const TEXT_FRAME = 1;

/** Follows the text frames of the page's sockets; each is one record. */
export class SocketObserver {
  private readonly matchesUrl: (url: string) => boolean;
  /** URLs of the open sockets, by request id. */
  private readonly sockets = new Map<string, string>();
  private stream: AnswerStream | undefined;
  private onRecord: () => void = () => undefined;
  private isAccepted = false;

  constructor(
    url: string,
    private readonly hooks: SocketHooks,
  ) {
    this.matchesUrl = compileUrlPattern(url);
  }

  get isFinished(): boolean {
    return this.stream?.isFinished ?? false;
  }

  watch(session: CDPSession): void {
    session.on('Network.webSocketCreated', ({ requestId, url }) => {
      if (this.matchesUrl(url)) {
        this.sockets.set(requestId, url);
      }
    });
    session.on('Network.webSocketFrameSent', ({ requestId, response }) => {
      const url = this.sockets.get(requestId);
      if (url !== undefined && response.opcode === TEXT_FRAME) {
        this.hooks.step(() => this.hooks.onSent(response.payloadData, url));
      }
    });
    session.on('Network.webSocketFrameReceived', ({ requestId, response }) => {
      if (this.sockets.has(requestId) && response.opcode === TEXT_FRAME) {
        this.hooks.step(() => this.read(response.payloadData));
      }
    });
    session.on('Network.webSocketClosed', ({ requestId }) => {
      if (this.sockets.delete(requestId)) {
        this.hooks.onClosed();
      }
    });
  }

  /** Reads the frames from now on, after the prompt, as the answer. */
  begin(stream: AnswerStream, onRecord: () => void): void {
    this.stream = stream;
    this.onRecord = onRecord;
  }

  /** Handles the close of the socket; throws UnavailableError within an answer. */
  end(): void {
    if (this.stream && !this.stream.isFinished) {
      throw new UnavailableError('stream_reset', 'The connection to the site was closed.');
    }
  }

  private read(frame: string): void {
    const { stream } = this;
    if (!stream) {
      return;
    }
    if (!this.isAccepted) {
      this.isAccepted = true;
      stream.accept();
    }
    stream.message(frame);
    this.onRecord();
  }
}
