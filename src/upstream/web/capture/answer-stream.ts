import { type NetworkExchange } from '../../../common/network/network-log.js';
import { redactNamed } from '../../../common/network/redact.js';
import { FillerCounter } from '../../answer-progress.js';
import { UnavailableError, UpstreamError } from '../../upstream.errors.js';
import { type UpstreamBatch, type UpstreamEvent } from '../../upstream-driver.js';
import { type WorkbenchObserver } from '../page/workbench-observer.js';
import { type NetworkRules } from '../recipe/capture-rules.js';
import { type Signs } from '../recipe/recipe-signs.js';
import { type Refusal, refusalError } from '../recipe/refusal.js';
import { createRecordDecoder, type RecordDecoder } from './reading/record-decoder.js';
import { readingRules, type RecordMeaning, RecordReader } from './reading/record-reader.js';

/** Characters of a refusal's body that are read. */
const MAX_REFUSAL_LENGTH = 65_536;
/** Characters of an error record that the operator is shown. */
const MAX_EXCERPT_LENGTH = 200;

const CONTENT_TYPES: Readonly<Record<NetworkRules['format'], readonly string[]>> = {
  sse: ['text/event-stream'],
  'sse-text': ['text/event-stream'],
  ndjson: [
    'application/x-ndjson',
    'application/ndjson',
    'application/jsonl',
    'application/json',
    'text/plain',
  ],
  json: ['application/json'],
  objects: ['application/', 'multipart/', 'text/plain'],
  text: ['text/plain', 'text/markdown'],
};

export interface AnswerContext {
  /** Receives the events of one read; never an empty batch. */
  readonly emit: (batch: UpstreamBatch) => void;
  readonly signs: Signs;
  /** Id of the answer's conversation; undefined while it is not known. */
  readonly conversationId?: () => string | undefined;
  /** Wall-clock ms. */
  readonly now: () => number;
  readonly workbench?: WorkbenchObserver;
  /** Most bytes without a piece of the answer; unlimited by default. */
  readonly maxFillerBytes?: () => number;
  /** Log entry of the response. */
  readonly record?: NetworkExchange;
}

/**
 * Reads one response, from its head to its end and over any transport, into upstream events; throws the typed error that
 * a refusal stands for.
 */
export class AnswerStream {
  private readonly decoder: RecordDecoder;
  private readonly reader: RecordReader;
  private readonly filler: FillerCounter;
  private batch: UpstreamEvent[] = [];
  private refusal: Refusal | undefined;
  private isComplete = false;
  private isOver = false;
  private wasAccepted = false;

  constructor(
    private readonly rules: NetworkRules,
    private readonly context: AnswerContext,
  ) {
    this.reader = new RecordReader(readingRules(rules), context.conversationId);
    this.filler = new FillerCounter(context.maxFillerBytes ?? (() => Infinity));
    this.decoder = createRecordDecoder(rules.format, (data, event) => void this.record(data, event));
  }

  /** Whether the rest of the response can be ignored. */
  get isFinished(): boolean {
    return this.isOver;
  }

  /** @param headers names in lower case */
  head(status: number, headers: Readonly<Record<string, string>>): void {
    const isAnswer = status >= 200 && status < 300 && this.hasExpectedType(headers);
    this.context.workbench?.answerHead(status, headers, isAnswer);
    this.context.record?.head(status, headers);
    if (isAnswer) {
      this.accept();
    } else {
      this.refusal = { status, headers, body: '' };
    }
  }

  /** Reports that the prompt was taken; for transports without a head. */
  accept(): void {
    this.wasAccepted = true;
    this.context.emit([{ type: 'accepted' }]);
  }

  data(text: string): void {
    if (this.isOver) {
      return;
    }
    const bytes = Buffer.byteLength(text);
    this.context.record?.data(bytes, text);
    if (this.refusal) {
      this.refusal = { ...this.refusal, body: this.refusal.body + text };
      if (this.refusal.body.length >= MAX_REFUSAL_LENGTH) {
        throw this.refused(this.refusal);
      }
      return;
    }
    this.guarded(() => {
      this.filler.add(bytes);
      this.decoder.push(text);
    });
    this.flush();
  }

  /** Reads one whole record, from transports that deliver records instead of bytes. */
  message(data: string, event = 'message'): void {
    const bytes = Buffer.byteLength(data);
    this.context.record?.data(bytes, `${data}\n`);
    this.guarded(() => {
      this.filler.add(bytes);
      this.record(data, event);
    });
    this.flush();
  }

  /**
   * Reads one record of a connection that carries others, too, and tells whether it was one of this answer. The first
   * one that a rule of the recipe fits shows that the prompt was taken.
   */
  shared(data: string, event: string): Pick<RecordMeaning, 'isOwn' | 'isUsed'> {
    const result = { isOwn: false, isUsed: false };
    this.guarded(() => {
      const meaning = this.isOver ? undefined : this.record(data, event);
      if (meaning?.isOwn) {
        const bytes = Buffer.byteLength(data);
        this.context.record?.data(bytes, `${data}\n`);
        this.filler.add(bytes);
        Object.assign(result, meaning);
      }
    });
    if (result.isUsed && !this.wasAccepted) {
      this.accept();
    }
    this.flush();
    return result;
  }

  /** Reads the end of the response. */
  end(): void {
    if (this.isOver) {
      return;
    }
    if (this.refusal) {
      throw this.refused(this.refusal);
    }
    this.guarded(() => this.decoder.end());
    if (!this.isFinished) {
      this.isComplete = !this.reader.hasDoneRule;
      this.finish();
    }
    this.flush();
  }

  private record(data: string, event: string): RecordMeaning | undefined {
    if (this.isOver) {
      return undefined;
    }
    const meaning = this.read(data, event);
    if (meaning.isError) {
      throw this.errorRecord(data);
    }
    this.batch.push(...meaning.events);
    if (meaning.isDone) {
      this.isComplete = true;
      this.finish();
    }
    return meaning;
  }

  private read(data: string, event: string): RecordMeaning {
    const { workbench } = this.context;
    let meaning: RecordMeaning | undefined;
    try {
      meaning = this.reader.read(data, event);
      return meaning;
    } finally {
      workbench?.answerRecord(data, event, meaning?.isOwn ?? true);
    }
  }

  /** Emits the events since the last call as one batch. */
  private flush(): void {
    if (this.batch.length > 0) {
      const { batch } = this;
      this.batch = [];
      this.filler.take(batch);
      this.context.emit(batch);
    }
  }

  private finish(): void {
    this.isOver = true;
    this.batch.push(...this.reader.finishEvents(this.isComplete));
  }

  /** Emits the events before a bad record, then throws. */
  private guarded(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.flush();
      throw error instanceof UpstreamError
        ? error
        : new UnavailableError('garbled_answer', 'The answer of the site cannot be read.', { cause: error });
    }
  }

  private refused(refusal: Refusal): Error {
    this.context.workbench?.answerRefused(refusal);
    return refusalError(refusal, this.context.signs, this.context.now());
  }

  private errorRecord(data: string): Error {
    // No sign that asks for a status fits the status 0.
    const error = refusalError(
      { status: 0, headers: {}, body: data },
      this.context.signs,
      this.context.now(),
    );
    return error instanceof UnavailableError && error.fault === 'upstream_status_0'
      ? new UnavailableError('upstream_error', 'The site reported an error within its answer.', {
          cause: new Error(redactNamed(data).slice(0, MAX_EXCERPT_LENGTH)),
        })
      : error;
  }

  /** A missing type is accepted: proxies of a model's stream often send none, while pages and refusals have one. */
  private hasExpectedType(headers: Readonly<Record<string, string>>): boolean {
    const type = headers['content-type']?.toLowerCase();
    if (type === undefined) {
      return true;
    }
    const expected = this.rules.contentType
      ? [this.rules.contentType.toLowerCase()]
      : CONTENT_TYPES[this.rules.format];
    return expected.some((name) => type.startsWith(name));
  }
}
