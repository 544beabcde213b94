import { type Readable, type Writable } from 'node:stream';
import { type ConnectionTransport } from 'puppeteer';

/**
 * DevTools messages over a pair of pipes, each ended by a NUL byte. A browser started this way opens no port,
 * and ends by itself when this process does, however it ends.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  private unfinished: Buffer[] = [];
  private received = 0;

  constructor(
    private readonly toBrowser: Writable,
    private readonly fromBrowser: Readable,
  ) {
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
      const message = this.unfinished.length === 1 ? this.unfinished[0] : Buffer.concat(this.unfinished);
      this.unfinished = [];
      start = end + 1;
      const text = message?.toString('utf8') ?? '';
      // One message per turn: code that awaits an answer must run before the next message is delivered.
      setImmediate(() => this.onmessage?.(text));
      this.received++;
    }
    if (start < bytes.length) {
      this.unfinished.push(bytes.subarray(start));
    }
  }
}
