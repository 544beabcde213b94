import { logDayOf } from '../records/log-day.js';
import { ByteQueue } from './byte-queue.js';

/** A record as it is sent. Its other columns are read from its `brief`: see `BRIEF_COLUMNS`. */
export interface SentRecord {
  readonly seq: number;
  readonly changed: number;
  readonly bytes: number;
  readonly outcome: string;
  readonly brief: string;
  readonly texts: string | null;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}

/** Its columns, and PostgreSQL's types of them. */
export const SENT_COLUMNS = [
  { name: 'seq', member: 'seq', type: 'bigint' },
  { name: 'changed', member: 'changed', type: 'bigint' },
  { name: 'bytes', member: 'bytes', type: 'bigint' },
  { name: 'outcome', member: 'outcome', type: 'text' },
  { name: 'brief', member: 'brief', type: 'json' },
  { name: 'texts', member: 'texts', type: 'text' },
  { name: 'request_body', member: 'requestBody', type: 'text' },
  { name: 'response_body', member: 'responseBody', type: 'text' },
] as const;

/** Some records among those that are encoded. */
export interface EncodedPart {
  readonly count: number;
  /** Days of the records, counted from 1970. */
  readonly days: ReadonlySet<number>;
  /** Bytes in each column. */
  readonly sizes: readonly number[];
}

/** Numbers of PostgreSQL for the types. */
const TYPE_IDS = { bigint: 20, text: 25, json: 114 };
/** Of an array: one dimension, whether it may hold null, type, length, first index. */
const HEADER_BYTES = 20;
const MAY_HOLD_NULL = 1;
const FIRST_INDEX = 1;
/** Length of an element that is null. */
const NULL = -1;
const NUMBER_BYTES = 8;
const HIGH_WORD = 2 ** 32;

/**
 * Records in the binary form in which PostgreSQL takes the elements of arrays, an array for each column; oldest first.
 * Texts become UTF-8, in which half of a pair of surrogates is U+FFFD.
 */
export class EncodedRecords {
  private readonly columns = {
    seq: new ByteQueue(),
    changed: new ByteQueue(),
    bytes: new ByteQueue(),
    outcome: new ByteQueue(),
    brief: new ByteQueue(),
    texts: new ByteQueue(),
    requestBody: new ByteQueue(),
    responseBody: new ByteQueue(),
  };

  /** Bytes of all that are encoded. */
  get bytes(): number {
    return this.sizes().reduce((sum, size) => sum + size);
  }

  add(records: readonly SentRecord[]): EncodedPart {
    const before = this.sizes();
    const { seq, changed, bytes, outcome, brief, texts, requestBody, responseBody } = this.columns;
    for (const record of records) {
      addNumber(seq, record.seq);
      addNumber(changed, record.changed);
      addNumber(bytes, record.bytes);
      outcome.text(record.outcome);
      brief.text(record.brief);
      addText(texts, record.texts);
      addText(requestBody, record.requestBody);
      addText(responseBody, record.responseBody);
    }
    return {
      count: records.length,
      days: new Set(records.map((record) => logDayOf(record.seq))),
      sizes: this.sizes().map((size, at) => size - (before[at] ?? 0)),
    };
  }

  /**
   * Takes the oldest parts out.
   * @returns an array for each column, all in one block of memory of their own, so that it can be moved to another thread
   */
  take(parts: readonly EncodedPart[]): readonly Uint8Array<ArrayBuffer>[] {
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const sizes = SENT_COLUMNS.map((_, at) => parts.reduce((sum, part) => sum + (part.sizes[at] ?? 0), 0));
    const total = sizes.reduce((sum, size) => sum + HEADER_BYTES + size, 0);
    const block = Buffer.allocUnsafeSlow(total);
    let start = 0;
    return SENT_COLUMNS.map(({ member, type }, at) => {
      let end = start;
      for (const word of [1, MAY_HOLD_NULL, TYPE_IDS[type], count, FIRST_INDEX]) {
        end = block.writeInt32BE(word, end);
      }
      const size = sizes[at] ?? 0;
      this.columns[member].moveTo(block, end, size);
      const array = block.subarray(start, end + size);
      start = end + size;
      return array;
    });
  }

  /** Gives the oldest part up. */
  drop({ sizes }: EncodedPart): void {
    SENT_COLUMNS.forEach(({ member }, at) => this.columns[member].drop(sizes[at] ?? 0));
  }

  private sizes(): number[] {
    return SENT_COLUMNS.map(({ member }) => this.columns[member].length);
  }
}

/** Arrays of records. */
export function encodeRecords(records: readonly SentRecord[]): readonly Uint8Array<ArrayBuffer>[] {
  const encoded = new EncodedRecords();
  return encoded.take([encoded.add(records)]);
}

/** The records of arrays. */
export function decodeRecords(arrays: readonly Uint8Array[]): SentRecord[] {
  const columns = SENT_COLUMNS.map(({ type }, at) => decodeArray(arrays[at] as Uint8Array, type));
  return (columns[0] ?? []).map(
    (_, row) =>
      Object.fromEntries(
        SENT_COLUMNS.map(({ member }, at) => [member, columns[at]?.[row]]),
      ) as unknown as SentRecord,
  );
}

function addNumber(column: ByteQueue, value: number): void {
  column.int32(NUMBER_BYTES);
  column.int32(Math.floor(value / HIGH_WORD));
  column.uint32(value % HIGH_WORD);
}

function addText(column: ByteQueue, value: string | null): void {
  if (value === null) {
    column.int32(NULL);
  } else {
    column.text(value);
  }
}

function decodeArray(array: Uint8Array, type: keyof typeof TYPE_IDS): (number | string | null)[] {
  const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  const values: (number | string | null)[] = [];
  for (let offset = HEADER_BYTES; offset < bytes.length;) {
    const length = bytes.readInt32BE(offset);
    offset += 4;
    if (length === NULL) {
      values.push(null);
      continue;
    }
    values.push(
      type === 'bigint'
        ? bytes.readInt32BE(offset) * HIGH_WORD + bytes.readUInt32BE(offset + 4)
        : bytes.toString('utf8', offset, offset + length),
    );
    offset += length;
  }
  return values;
}
