import { type StreamRecord } from './stream-guess.js';

/** The mark of a kind of records: the value at a path, or the name of the server-sent event. */
export interface RecordTag {
  /** Undefined: the name of the event. */
  readonly path: string | undefined;
  readonly value: string;
}

/** The texts at one path in all records of one kind. */
export interface TextField {
  readonly path: string;
  readonly tag: RecordTag | undefined;
  readonly values: readonly string[];
  /** Whether each value begins with the one before it. */
  readonly isSnapshot: boolean;
  /** The values as one text. */
  readonly text: string;
}

const TAG_NAMES = ['type', 'event', 'kind', 'channel', 'role', 'op'];
const MAX_DEPTH = 10;

/** The parsed record; undefined if it is not an object. */
export function parseRecord(data: string): object | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

export function tagOf({ event }: StreamRecord, record: object): RecordTag | undefined {
  if (event !== 'message') {
    return { path: undefined, value: event };
  }
  const entries = record as Record<string, unknown>;
  const name = TAG_NAMES.find((key) => Object.hasOwn(entries, key) && typeof entries[key] === 'string');
  return name === undefined ? undefined : { path: name, value: entries[name] as string };
}

/** Every text in the records, by its path and the kind of its record. */
export function textFields(records: readonly StreamRecord[]): TextField[] {
  const fields = new Map<string, { path: string; tag: RecordTag | undefined; values: string[] }>();
  for (const streamed of records) {
    const record = parseRecord(streamed.data);
    const tag = record && tagOf(streamed, record);
    for (const { path, value } of record ? leaves(record) : []) {
      if (typeof value === 'string' && path !== tag?.path) {
        const key = JSON.stringify([path, tag]);
        const field = fields.get(key) ?? { path, tag, values: [] };
        field.values.push(value);
        fields.set(key, field);
      }
    }
  }
  return [...fields.values()].map((field) => {
    const isSnapshot = grows(field.values);
    return { ...field, isSnapshot, text: isSnapshot ? (field.values.at(-1) ?? '') : field.values.join('') };
  });
}

/** All scalar values within a value, with their paths in the syntax of recipes. */
export function leaves(value: unknown, path = '', depth = 0): { path: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) {
    return [{ path, value }];
  }
  if (depth === MAX_DEPTH) {
    return [];
  }
  return Object.entries(value).flatMap(([key, child]) =>
    leaves(child, join(path, key, Array.isArray(value)), depth + 1),
  );
}

function join(path: string, key: string, isIndex: boolean): string {
  if (isIndex) {
    return `${path}[${key}]`;
  }
  if (!/^[^.[\]"]+$/.test(key)) {
    return `${path}["${key}"]`;
  }
  return path === '' ? key : `${path}.${key}`;
}

function grows(values: readonly string[]): boolean {
  const [first = '', last = ''] = [values[0], values.at(-1)];
  return (
    values.length > 1 &&
    last.length > first.length &&
    values.every((value, i) => value.startsWith(values[i - 1] ?? ''))
  );
}
