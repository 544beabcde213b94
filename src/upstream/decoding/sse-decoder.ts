import { LineSplitter, LineTooLongError, MAX_LINE_LENGTH } from './line-splitter.js';

/** Called with each event; `event` is `message` unless the upstream named it. */
export type SseListener = (data: string, event: string) => void;

/**
 * Server-Sent Events out of text that arrives in arbitrary pieces, by the WHATWG rules
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation), with two exceptions:
 * an event that the end of the stream leaves without its blank line is reported too, since many servers forget it; and
 * a field `error`, as llama.cpp sent it until September 2025, is the data of an event of that name.
 * `id` and `retry` have no use here and are ignored.
 */
export class SseDecoder {
  private readonly lines: LineSplitter;
  private data: string | undefined;
  private event = '';

  /** @param limit longest line, and longest data of one event, in UTF-16 units */
  constructor(
    private readonly onEvent: SseListener,
    private readonly limit = MAX_LINE_LENGTH,
  ) {
    this.lines = new LineSplitter((line) => this.readLine(line), limit);
  }

  /** @throws LineTooLongError; the decoder is then of no further use */
  push(text: string): void {
    this.lines.push(text);
  }

  /** The stream is over: reports the last event if its blank line is missing. */
  end(): void {
    this.lines.end();
    this.dispatch();
  }

  private readLine(line: string): void {
    if (line === '') {
      this.dispatch();
    } else if (line.startsWith('data:')) {
      this.addData(valueAfter(line, 5));
    } else if (line.startsWith('event:')) {
      this.event = valueAfter(line, 6);
    } else if (line.startsWith('error:')) {
      this.event = 'error';
      this.addData(valueAfter(line, 6));
    } else if (line === 'data') {
      this.addData('');
    } else if (line === 'event') {
      this.event = '';
    }
  }

  private addData(value: string): void {
    if (this.data === undefined) {
      this.data = value;
      return;
    }
    if (this.data.length + 1 + value.length > this.limit) {
      throw new LineTooLongError(this.limit);
    }
    this.data += '\n' + value;
  }

  private dispatch(): void {
    const { data, event } = this;
    this.data = undefined;
    this.event = '';
    if (data !== undefined) {
      this.onEvent(data, event === '' ? 'message' : event);
    }
  }
}

/** A field's value: what follows the colon, less one space. */
function valueAfter(line: string, start: number): string {
  return line.slice(line.charCodeAt(start) === 0x20 ? start + 1 : start);
}
