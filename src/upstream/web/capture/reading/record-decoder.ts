import { LineSplitter } from '../../../decoding/line-splitter.js';
import { SseDecoder } from '../../../decoding/sse-decoder.js';
import { type NetworkRules } from '../../recipe/capture-rules.js';
import { ObjectSplitter } from './object-splitter.js';

/** Longest record, and thus longest answer in one JSON text, in UTF-16 units: 8 Mi. */
const MAX_RECORD_LENGTH = 8 * 1024 * 1024;

/** Receives each record; `event` is the name of a server-sent event, and `message` for all other formats. */
export type RecordListener = (data: string, event: string) => void;

/** Cuts the text of a response into records. */
export interface RecordDecoder {
  push(text: string): void;
  end(): void;
}

/** `push` throws at a record of more than 8 Mi UTF-16 units. */
export function createRecordDecoder(format: NetworkRules['format'], onRecord: RecordListener): RecordDecoder {
  const onData = (data: string): void => onRecord(data, 'message');
  switch (format) {
    case 'sse':
    case 'sse-text':
      return new SseDecoder(onRecord, MAX_RECORD_LENGTH);
    case 'ndjson':
      return new LineSplitter((line) => {
        if (line.trim() !== '') {
          onData(line);
        }
      }, MAX_RECORD_LENGTH);
    case 'objects':
      return new ObjectSplitter(onData, MAX_RECORD_LENGTH);
    case 'text':
      return { push: onData, end: () => undefined };
    case 'json':
      return new WholeBody(onData);
  }
}

class WholeBody implements RecordDecoder {
  private body = '';

  constructor(private readonly onData: (data: string) => void) {}

  push(text: string): void {
    if (this.body.length + text.length > MAX_RECORD_LENGTH) {
      throw new Error(`The body is longer than ${MAX_RECORD_LENGTH} characters.`);
    }
    this.body += text;
  }

  end(): void {
    this.onData(this.body);
  }
}
