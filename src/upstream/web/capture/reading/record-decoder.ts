import { LineSplitter } from '../../../decoding/line-splitter.js';
import { SseDecoder } from '../../../decoding/sse-decoder.js';
import { type NetworkRules } from '../../recipe/capture-rules.js';

/** Default limit of a record, and thus of an answer in one JSON text, in UTF-16 units: 8 Mi. */
const MAX_BODY_LENGTH = 8 * 1024 * 1024;

/** Receives each record; `event` is the name of a server-sent event, and `message` for all other formats. */
export type RecordListener = (data: string, event: string) => void;

/** Cuts the text of a response into records. */
export interface RecordDecoder {
  push(text: string): void;
  end(): void;
}

/** `limit` is the longest record in UTF-16 units; a longer one makes `push` throw. */
export function createRecordDecoder(
  format: NetworkRules['format'],
  onRecord: RecordListener,
  limit = MAX_BODY_LENGTH,
): RecordDecoder {
  const onData = (data: string): void => onRecord(data, 'message');
  switch (format) {
    case 'sse':
      return new SseDecoder(onRecord, limit);
    case 'ndjson':
      return new LineSplitter((line) => {
        if (line.trim() !== '') {
          onData(line);
        }
      }, limit);
    case 'text':
      return { push: onData, end: () => undefined };
    case 'json':
      return new WholeBody(onData, limit);
  }
}

class WholeBody implements RecordDecoder {
  private body = '';

  constructor(
    private readonly onData: (data: string) => void,
    private readonly limit: number,
  ) {}

  push(text: string): void {
    if (this.body.length + text.length > this.limit) {
      throw new Error(`The body is longer than ${this.limit} characters.`);
    }
    this.body += text;
  }

  end(): void {
    this.onData(this.body);
  }
}
