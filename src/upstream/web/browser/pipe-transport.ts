import { type Readable, type Writable } from 'node:stream';
import { DevToolsTransport, MAX_MESSAGE_BYTES } from './devtools-transport.js';

/** Texts on a page's console, which nobody reads here; objects among them are named by short messages, to be released. */
const CONSOLE_EVENT = Buffer.from('{"method":"Runtime.consoleAPICalled"');
const MAX_CONSOLE_BYTES = 64 * 1024;

/**
 * DevTools messages over a pair of pipes, each ended by a NUL byte. A browser started this way opens no port,
 * and ends by itself when this process does, however it ends.
 */
export class PipeTransport extends DevToolsTransport {
  private unfinished: Buffer[] = [];
  private unfinishedBytes = 0;
  private received = 0;

  constructor(
    private readonly toBrowser: Writable,
    private readonly fromBrowser: Readable,
  ) {
    super();
    fromBrowser.on('data', (bytes: Buffer) => this.read(bytes));
    fromBrowser.on('close', () => this.onclose?.());
    // A broken pipe is reported by `close`; without listeners its error would end this process.
    fromBrowser.on('error', () => undefined);
    toBrowser.on('error', () => undefined);
  }

  /** Number of messages received so far. */
  get messageCount(): number {
    return this.received;
  }

  send(message: string): void {
    this.toBrowser.write(message + '\0');
  }

  close(): void {
    this.toBrowser.destroy();
    this.fromBrowser.destroy();
  }

  private read(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      this.unfinished.push(bytes.subarray(start, end));
      start = end + 1;
      this.take(this.unfinished);
      this.unfinished = [];
      this.unfinishedBytes = 0;
    }
    if (start < bytes.length) {
      this.unfinished.push(bytes.subarray(start));
      this.unfinishedBytes += bytes.length - start;
    }
    if (this.unfinishedBytes > MAX_MESSAGE_BYTES) {
      this.unfinished = [];
      this.fail(new Error('The browser sent a message that is too long.'));
    }
  }

  private take(parts: readonly Buffer[]): void {
    this.received++;
    const [first = Buffer.alloc(0)] = parts;
    const message = parts.length === 1 ? first : Buffer.concat(parts);
    if (
      message.length > MAX_CONSOLE_BYTES &&
      message.subarray(0, CONSOLE_EVENT.length).equals(CONSOLE_EVENT)
    ) {
      return;
    }
    const text = message.toString('utf8');
    // One message per turn: code that awaits an answer must run before the next message is delivered.
    setImmediate(() => void this.deliver(text));
  }
}
