import { type ResponseStatus } from '../interfaces/response-object.js';

/** A response as it is stored. Texts, since they are long and pass between threads. */
export interface ResponseRecord {
  readonly id: string;
  /** Name of the key that the response was made with. */
  readonly owner: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Id of the response that this one goes on from. */
  readonly previous: string | null;
  readonly status: ResponseStatus;
  /** JSON of the response. */
  readonly body: string;
  /** JSON of the items of its own request. */
  readonly input: string;
  /** All events so far; null unless it was made in the background. */
  readonly events: string | null;
}

/** A long text of a response. */
export type TextColumn = 'body' | 'input' | 'events';

/** Argument of reads of one text of a response. */
export interface TextKey extends ResponseKey {
  readonly column: TextColumn;
  /** A longer text is not read. */
  readonly maxLength: number;
}

/** What is found of a response: one of its texts. */
export interface StoredText {
  readonly status: ResponseStatus;
  /** Whether it was made in the background, and so has events. */
  readonly hasEvents: boolean;
  /** Whether a gateway, this or another one, makes it now; missing where the store cannot know. */
  readonly isHeld?: boolean;
  /** Of the text, in about bytes; 0 if there is none. */
  readonly length: number;
  /** Null if it is longer than was asked for, or there is none. */
  readonly text: string | null;
}

/** Limits of the store. */
export interface ResponseLimits {
  /** Texts of all responses together. */
  readonly maxBytes: number;
  /** Responses made before so many days are deleted. */
  readonly keepDays: number;
}

/** Limits of a store in a file. */
export interface FileLimits extends Pick<ResponseLimits, 'maxBytes'> {
  /** Unix milliseconds; responses made earlier are deleted. */
  readonly keepFrom: number;
}

/** Argument of `put`. */
export interface PutOrder {
  readonly record: ResponseRecord;
  readonly limits: FileLimits;
}

/** Argument of reads of one response. */
export interface ResponseKey {
  readonly id: string;
  readonly owner: string;
}

/** Argument of reads of a conversation. */
export interface ChainKey extends ResponseKey {
  /** Characters of texts after which no response further back is read. */
  readonly maxLength: number;
}

/** One response of a conversation. */
export type ConversationStep = Pick<ResponseRecord, 'id' | 'status' | 'body' | 'input' | 'previous'>;

/** One text of a response that is in memory. */
export function storedTextOf(record: ResponseRecord, column: TextColumn, maxLength: number): StoredText {
  const { status, events } = record;
  const text = record[column];
  const length = text?.length ?? 0;
  return { status, hasEvents: events !== null, length, text: length <= maxLength ? text : null };
}

/** Size of the texts of a response in UTF-16 units; the rest of it is small. */
export function bytesOf({ body, input, events }: Pick<ResponseRecord, 'body' | 'input' | 'events'>): number {
  return body.length + input.length + (events?.length ?? 0);
}
