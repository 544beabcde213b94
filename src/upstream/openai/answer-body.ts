import { isStructure } from '../../common/text/json-object.js';
import { LineTooLongError, MAX_LINE_LENGTH } from '../decoding/line-splitter.js';
import { SseDecoder } from '../decoding/sse-decoder.js';
import { UnavailableError } from '../upstream.errors.js';
import { type UpstreamBatch } from '../upstream-driver.js';
import { ChunkReader, type ErrorReader } from './chunk-reader.js';
import { type ReasoningName } from './request/earlier-reasoning.js';
import { headerText, type ResponseHeaders } from './retry-after.js';

const NOTHING: UpstreamBatch = [];

/** Characters that are kept of a stream without events, which may be the JSON of an error. */
const MAX_BARE_CHARS = 2048;

/** Reader of a successful response's text, in arbitrary pieces. Methods throw the classes of `upstream.errors.ts`. */
export abstract class AnswerBody {
  protected readonly reader: ChunkReader;
  protected isDone = false;

  constructor(readError: ErrorReader) {
    this.reader = new ChunkReader(readError);
  }

  /** Whether `done` is among the events; the rest of the body is then ignored. */
  get isComplete(): boolean {
    return this.isDone;
  }

  /** Whether a finish reason was read. */
  get isFinished(): boolean {
    return this.isDone || this.reader.isFinished;
  }

  /** Whether at most the usage can follow. */
  get isFinal(): boolean {
    return this.isDone || this.reader.isFinal;
  }

  /** See `ChunkReader.reasoningName`. */
  get reasoningName(): ReasoningName | undefined {
    return this.reader.reasoningName;
  }

  /** Emits `accepted`, unless an answer has done so already. */
  accept(): void {
    this.reader.accept();
  }

  /** The events since the last call. */
  take(): UpstreamBatch {
    const { events } = this.reader;
    if (events.length === 0) {
      return NOTHING;
    }
    this.reader.events = [];
    return events;
  }

  abstract push(text: string): void;

  /** Reads the end of the body. The answer was cut off if `isComplete` is false afterwards. */
  abstract end(): void;

  protected complete(): void {
    if (!this.isDone) {
      this.isDone = true;
      this.reader.complete();
    }
  }
}

/** An answer as server-sent events. */
export class SseAnswer extends AnswerBody {
  private readonly decoder: SseDecoder;
  private isEnding = false;
  /** The beginning, until an event was read. */
  private beginning = '';

  constructor(readError: ErrorReader, limit = MAX_LINE_LENGTH) {
    super(readError);
    this.decoder = new SseDecoder((data, event) => this.readEvent(data, event), limit);
  }

  push(text: string): void {
    if (!this.reader.hasRead && this.beginning.length < MAX_BARE_CHARS) {
      this.beginning += text;
    }
    try {
      this.decoder.push(text);
    } catch (error) {
      throw error instanceof LineTooLongError
        ? new UnavailableError('line_too_long', 'The upstream sent an event that is too long.', {
            cause: error,
          })
        : error;
    }
  }

  end(): void {
    this.isEnding = true;
    this.decoder.end();
    if (this.reader.isFinished) {
      this.complete();
    }
    if (!this.reader.hasRead) {
      this.readBareError();
      throw new UnavailableError('empty_response', 'The upstream sent an empty answer.');
    }
    if (!this.isDone) {
      this.reader.releaseHeld();
    }
  }

  private readEvent(data: string, event: string): void {
    if (this.isDone || data === '') {
      return;
    }
    if (data.trim() === '[DONE]') {
      // With nothing before it there was no answer, which `end` reports.
      if (this.reader.hasRead) {
        this.complete();
      }
      return;
    }
    const value = this.parse(data);
    if (event === 'error') {
      this.reader.fail(isStructure(value) ? (value.error ?? value) : value);
    } else if (isStructure(value) || (value !== undefined && !this.reader.isFinished)) {
      this.reader.read(value);
    }
  }

  /** Some servers send an error as plain JSON under the content type of a stream. */
  private readBareError(): void {
    const value = withoutArray(this.parse(this.beginning));
    if (isStructure(value) && value.error) {
      this.reader.read(value);
    }
  }

  /** The event's JSON; undefined for one that the end of the stream cut in two, or that comes after a finish reason. */
  private parse(data: string): unknown {
    try {
      return JSON.parse(data);
    } catch (error) {
      if (this.isEnding || this.reader.isFinished) {
        return undefined;
      }
      throw new UnavailableError('malformed_event', 'The upstream sent an event that is not JSON.', {
        cause: error,
      });
    }
  }
}

/** An answer in one JSON body, from servers that do not stream. */
export class JsonAnswer extends AnswerBody {
  private text = '';

  constructor(
    readError: ErrorReader,
    private readonly limit = MAX_LINE_LENGTH,
  ) {
    super(readError);
  }

  push(text: string): void {
    this.text += text;
    if (this.text.length > this.limit) {
      throw new UnavailableError('line_too_long', 'The upstream sent an answer that is too long.');
    }
  }

  end(): void {
    const value = withoutArray(this.parse());
    if (isStructure(value) && !value.error && !hasChoice(value)) {
      throw new UnavailableError('malformed_body', 'The upstream sent JSON that is not an answer.');
    }
    this.reader.read(value);
    this.complete();
  }

  private parse(): unknown {
    const text = this.text.replace(/^\uFEFF/, '').trim();
    this.text = '';
    if (text === '') {
      throw new UnavailableError('empty_response', 'The upstream sent an empty answer.');
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new UnavailableError('malformed_body', 'The upstream sent a body that is not JSON.', {
        cause: error,
      });
    }
  }
}

function hasChoice({ choices }: { readonly choices?: unknown }): boolean {
  return Array.isArray(choices) && isStructure(choices[0]);
}

/** The first item of an array, in which Gemini wraps its errors; any other value as it is. */
function withoutArray(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

/** The reader for a response's content type; undefined for a response that is no answer. */
export function answerBodyFor(headers: ResponseHeaders, readError: ErrorReader): AnswerBody | undefined {
  const encoding = headerText(headers, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    return undefined;
  }
  const type = headerText(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'text/event-stream') {
    return new SseAnswer(readError);
  }
  return type === 'application/json' ? new JsonAnswer(readError) : undefined;
}

/** Content type and encoding, for people. */
export function contentForm(headers: ResponseHeaders): string {
  const type = headerText(headers, 'content-type') ?? 'no content type';
  const encoding = headerText(headers, 'content-encoding');
  return encoding === undefined ? type : `${type}, encoded as ${encoding}`;
}
