import { type CDPSession, type Protocol } from 'puppeteer';
import { compileUrlPattern } from '../recipe/url-pattern.js';

export interface SocketHooks {
  /** The page opened a socket that is followed. */
  onOpened(url: string): void;
  /** The page sent a text frame. Returns whether it is the prompt. */
  onSent(text: string, url: string): boolean;
  /** A text frame came. Returns whether it is of the answer. */
  onReceived(text: string): boolean;
  /** A socket closed that had carried the prompt or a part of the answer. */
  onLost(): void;
  /** Runs a step of reading; its errors end the answer. */
  step(work: () => void): void;
}

interface Socket {
  readonly url: string;
  isInUse: boolean;
  isOpen: boolean;
}

/** Opcode of a text frame. */
export const TEXT_FRAME = 1;
export const BINARY_FRAME = 2;

/** The text of a frame. Most binary ones hold texts as they are, among other bytes. */
export function frameText({ opcode, payloadData }: Protocol.Network.WebSocketFrame): string {
  return opcode === TEXT_FRAME ? payloadData : Buffer.from(payloadData, 'base64').toString('utf8');
}

/** Follows the text frames of the page's sockets. */
export class SocketObserver {
  private readonly matchesUrl: (url: string) => boolean;
  /** The open sockets, by request id. */
  private readonly sockets = new Map<string, Socket>();
  private binaryFrames = 0;
  private wasConnected = false;

  /**
   * @param url pattern with the scheme of sockets or of HTTP
   * @param greeting prefix of the frame that makes a socket a connection; without one, its handshake does
   */
  constructor(
    url: string,
    private readonly hooks: SocketHooks,
    private readonly greeting?: string,
  ) {
    this.matchesUrl = compileUrlPattern(url.replace(/^http/, 'ws'));
  }

  /** Number of the binary frames, which are skipped. */
  get binaryCount(): number {
    return this.binaryFrames;
  }

  /** Whether the page had a connection and has none now, so that answers would miss their beginning. */
  get isDisconnected(): boolean {
    return this.wasConnected && ![...this.sockets.values()].some(({ isOpen }) => isOpen);
  }

  watch(session: CDPSession): void {
    session.on('Network.webSocketCreated', ({ requestId, url }) => {
      if (this.matchesUrl(url)) {
        this.sockets.set(requestId, { url, isInUse: false, isOpen: false });
        this.hooks.onOpened(url);
      }
    });
    session.on('Network.webSocketHandshakeResponseReceived', ({ requestId }) => {
      if (this.greeting === undefined) {
        this.connected(this.sockets.get(requestId));
      }
    });
    session.on('Network.webSocketFrameSent', ({ requestId, response: { opcode, payloadData } }) =>
      this.onFrame(requestId, opcode, ({ url }) => this.hooks.onSent(payloadData, url)),
    );
    session.on('Network.webSocketFrameReceived', ({ requestId, response: { opcode, payloadData } }) =>
      this.onFrame(requestId, opcode, (socket) => {
        if (!socket.isOpen && this.greeting !== undefined && payloadData.startsWith(this.greeting)) {
          this.connected(socket);
        }
        return this.hooks.onReceived(payloadData);
      }),
    );
    session.on('Network.webSocketClosed', ({ requestId }) => {
      const socket = this.sockets.get(requestId);
      this.sockets.delete(requestId);
      if (socket?.isInUse) {
        this.hooks.step(() => this.hooks.onLost());
      }
    });
  }

  private connected(socket: Socket | undefined): void {
    if (socket) {
      socket.isOpen = true;
      this.wasConnected = true;
    }
  }

  private onFrame(requestId: string, opcode: number, read: (socket: Socket) => boolean): void {
    const socket = this.sockets.get(requestId);
    if (socket && opcode === BINARY_FRAME) {
      this.binaryFrames++;
    }
    if (socket && opcode === TEXT_FRAME) {
      this.hooks.step(() => {
        if (read(socket)) {
          socket.isInUse = true;
        }
      });
    }
  }
}
