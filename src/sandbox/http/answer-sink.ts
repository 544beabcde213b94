import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { type ChatEvent } from '../model/sandbox-events.js';
import { type FixedResponse } from './sandbox-refusal.js';

/** Where an answer goes: an HTTP response, or a WebSocket. */
export interface AnswerSink {
  /** Sends the headers of a stream. */
  open(): void;
  /** False once the reader has fallen behind; wait for `drained` then. */
  send(events: readonly ChatEvent[]): boolean;
  drained(signal: AbortSignal): Promise<void>;
  /** Sends a whole response in place of a stream. */
  refuse(response: FixedResponse): void;
  /** Ends the answer. */
  end(): void;
  /** Ends it in good order too, but so that no further event can be hoped for. */
  breakOff(): void;
  /** Cuts the connection as it is. */
  destroy(): void;
}

/** Server-sent events over an HTTP response. */
export class HttpSink implements AnswerSink {
  constructor(private readonly response: ServerResponse) {}

  open(): void {
    this.response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
    });
    this.response.flushHeaders();
  }

  send(events: readonly ChatEvent[]): boolean {
    if (!this.response.headersSent) {
      this.open();
    }
    let text = '';
    for (const event of events) {
      text += `data: ${JSON.stringify(event)}\n\n`;
    }
    return text === '' || this.response.write(text);
  }

  async drained(signal: AbortSignal): Promise<void> {
    await once(this.response, 'drain', { signal });
  }

  refuse(fixed: FixedResponse): void {
    sendFixed(this.response, fixed);
  }

  end(): void {
    this.response.end();
  }

  breakOff(): void {
    this.response.end();
  }

  destroy(): void {
    this.response.destroy();
  }
}

export function sendFixed(response: ServerResponse, { status, headers, body }: FixedResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
