import { logDayOf } from '../records/log-day.js';

/** A record as it is sent. Its other columns are told by its `brief`: see `TOLD_COLUMNS`. */
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

/** Records in the binary form in which PostgreSQL takes the elements of arrays. */
export interface EncodedRecords {
  readonly count: number;
  /** Days of the records, counted from 1970. */
  readonly days: ReadonlySet<number>;
  /** One for each of `SENT_COLUMNS`, in its order. */
  readonly columns: readonly Buffer[];
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

/** Of a unit of a text. */
const MAX_UTF8_BYTES = 3;
/** Here texts are encoded, since to count their bytes before takes as long as to write them. */
let scratch = Buffer.allocUnsafeSlow(2 ** 16);

/** Texts become UTF-8, in which half of a pair of surrogates is U+FFFD. */
export function encodeRecords(records: readonly SentRecord[]): EncodedRecords {
  return {
    count: records.length,
    days: new Set(records.map(({ seq }) => logDayOf(seq))),
    columns: SENT_COLUMNS.map(({ member, type }) =>
      type === 'bigint'
        ? encodeNumbers(records.map((record) => record[member]))
        : encodeTexts(records.map((record) => record[member])),
    ),
  };
}

/** An array for each column, all in one block of memory of their own, so that it can be moved to another thread. */
export function joinRecords(parts: readonly EncodedRecords[]): readonly Uint8Array<ArrayBuffer>[] {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const sizes = SENT_COLUMNS.map((_, at) =>
    parts.reduce((sum, { columns }) => sum + (columns[at]?.length ?? 0), HEADER_BYTES),
  );
  const block = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size)).buffer;
  let end = 0;
  return SENT_COLUMNS.map(({ type }, at) => {
    const array = Buffer.from(block, end, sizes[at]);
    end += array.length;
    let offset = 0;
    for (const word of [1, MAY_HOLD_NULL, TYPE_IDS[type], count, FIRST_INDEX]) {
      offset = array.writeInt32BE(word, offset);
    }
    for (const { columns } of parts) {
      offset += columns[at]?.copy(array, offset) ?? 0;
    }
    return array;
  });
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

function encodeNumbers(values: readonly number[]): Buffer {
  const column = Buffer.allocUnsafe(values.length * (4 + NUMBER_BYTES));
  let offset = 0;
  for (const value of values) {
    offset = column.writeInt32BE(NUMBER_BYTES, offset);
    offset = column.writeInt32BE(Math.floor(value / HIGH_WORD), offset);
    offset = column.writeUInt32BE(value % HIGH_WORD, offset);
  }
  return column;
}

function encodeTexts(values: readonly (string | null)[]): Buffer {
  let end = 0;
  for (const value of values) {
    end = value === null ? writeNull(end) : writeText(value, end);
  }
  return Buffer.from(scratch.subarray(0, end));
}

function writeNull(offset: number): number {
  reserve(offset + 4);
  return scratch.writeInt32BE(NULL, offset);
}

function writeText(text: string, offset: number): number {
  reserve(offset + 4 + text.length * MAX_UTF8_BYTES);
  const length = scratch.write(text, offset + 4);
  return scratch.writeInt32BE(length, offset) + length;
}

function reserve(size: number): void {
  if (scratch.length < size) {
    const larger = Buffer.allocUnsafeSlow(size * 2);
    scratch.copy(larger);
    scratch = larger;
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
