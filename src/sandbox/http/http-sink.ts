import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { type ChatEvent } from '../model/event-writer.js';
import { type FixedResponse } from './sandbox-refusal.js';
import { type SandboxSink } from './sandbox-sink.js';

/** Server-sent events over an HTTP response. */
export class HttpSink implements SandboxSink {
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

/** Sends a whole response. */
export function sendFixed(response: ServerResponse, { status, headers, body }: FixedResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
