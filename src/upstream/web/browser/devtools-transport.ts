import { type ConnectionTransport } from 'puppeteer';

/** Whole pages travel as one message. */
export const MAX_MESSAGE_BYTES = 256 * 2 ** 20;

/** The connection over which a browser is controlled. What cannot be handled costs that browser, and not the process. */
export abstract class DevToolsTransport implements ConnectionTransport {
  /** Set by Puppeteer, whose function rejects with what a listener to an event throws. */
  onmessage?: (message: string) => unknown;
  onclose?: () => void;
  private error: unknown;

  /** Why the connection was closed from here; undefined if it was not for a failure. */
  get failure(): unknown {
    return this.error;
  }

  abstract send(message: string): void;

  abstract close(): void;

  protected async deliver(message: string): Promise<void> {
    try {
      await this.onmessage?.(message);
    } catch (error) {
      this.fail(error);
    }
  }

  protected fail(error: unknown): void {
    this.error ??= error;
    this.close();
  }
}
