import { objectsIn } from '../../../src/upstream/web/capture/reading/object-splitter.js';
import { createRecordDecoder } from '../../../src/upstream/web/capture/reading/record-decoder.js';
import { type NetworkRules } from '../../../src/upstream/web/recipe/capture-rules.js';

export type StreamFormat = NetworkRules['format'];

export interface StreamRecord {
  readonly data: string;
  readonly event: string;
}

const SSE_START = /^(?::[^\n]*|(?:data|event|id|retry):[^\n]*)(?:\r?\n|$)/;

/** The record format of an answer's body; undefined for pages and the like. */
export function guessFormat(contentType: string, body: string): StreamFormat | undefined {
  const type = contentType.toLowerCase();
  if (body.trim() === '' || /html|css|javascript|image|font/.test(type)) {
    return undefined;
  }
  if (type.startsWith('text/event-stream') || SSE_START.test(body.trimStart())) {
    return 'sse';
  }
  if (isJson(body)) {
    return /ndjson|jsonl/.test(type) ? 'ndjson' : 'json';
  }
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  // The last line may be cut off.
  if (lines.length > 1 && lines.slice(0, -1).every(isJson)) {
    return 'ndjson';
  }
  if (objectsIn(body).length > 1) {
    return 'objects';
  }
  return type.startsWith('text/') ? 'text' : undefined;
}

/** The records of a body, up to the first unreadable one. */
export function recordsOf(format: StreamFormat, body: string): StreamRecord[] {
  const records: StreamRecord[] = [];
  const decoder = createRecordDecoder(format, (data, event) => records.push({ data, event }));
  try {
    decoder.push(body);
    decoder.end();
  } catch {
    // The records before the error are kept.
  }
  return records;
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
