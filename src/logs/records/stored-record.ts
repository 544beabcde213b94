import { CANCELLED } from '../../common/network/network-log.js';
import { type ExchangeBodies, redactedBodies } from './exchange-bodies.js';
import { type LogKind, type LogOutcome, type LogRecord } from './log-filter.js';
import { type NetworkRecord } from './network-record.js';
import { type RequestLogEntry } from './request-log-entry.js';
import { type UpstreamRecording } from './upstream-recording.js';
import { type UsageFigures, usageOf } from './usage.js';

/** A record in the form of the store: the columns for search, and its JSON with and without texts. */
export interface StoredRecord {
  /** Number of the record, drawn at its beginning; close to its time in microseconds, and never below. */
  readonly seq: number;
  /** Number of the record's latest change, drawn from the same sequence. */
  readonly changed: number;
  readonly kind: LogKind;
  readonly id: string;
  readonly requestId: string | null;
  readonly startedAt: number;
  readonly outcome: LogOutcome;
  readonly status: number | null;
  /** Name of the caller's key. */
  readonly key: string | null;
  readonly model: string | null;
  /** Whether the catalogue has it: a refused request may name any. */
  readonly isModelKnown: boolean;
  readonly account: string | null;
  readonly conversation: string | null;
  /** Client of the caller; empty without one. */
  readonly client: string;
  /** Why the request failed; empty if it did not. */
  readonly reason: string;
  /** Characters that condensing left out. */
  readonly savedCharacters: number;
  readonly isCompletion: 0 | 1;
  readonly isStranger: 0 | 1;
  readonly totalMs: number | null;
  readonly firstTokenMs: number | null;
  /** Milliseconds spent waiting for sessions; null if none was asked for. */
  readonly queuedMs: number | null;
  readonly promptTokens: number;
  /** Tokens of the prompt that the upstream had cached. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** Contribution to the usage of a key; null for a record that has none, or has not ended. */
  readonly usage: UsageFigures | null;
  /** JSON without the texts of prompts, answers and bodies. */
  readonly brief: string;
  /**
   * JSON of the texts of a request; null without texts. Either the tail `,"content":…}` that replaces the closing brace
   * of `brief`, or, if it begins with `{`, the whole entry.
   */
  readonly texts: string | null;
  /** Bodies of an exchange. Stored unquoted: quoting takes 3 ns a character, and few bodies are ever read. */
  readonly bodies: ExchangeBodies | null;
  /** Recording of the upstream, if it is to be kept. */
  readonly recording: UpstreamRecording | null;
}

/** The parts of a record's JSON. */
export type RecordTexts = Pick<StoredRecord, 'brief' | 'texts' | 'bodies'> &
  Partial<Pick<StoredRecord, 'recording'>>;

/** See `StoredRecord`. */
export interface RecordNumbers {
  readonly seq: number;
  readonly changed: number;
}

/** @param bodies bodies of an exchange; null for a request */
export function toStoredRecord(
  record: LogRecord,
  { seq, changed }: RecordNumbers,
  bodies: ExchangeBodies | null = null,
): StoredRecord {
  return record.kind === 'request'
    ? storedRequest(record, seq, changed)
    : storedExchange(record, seq, changed, bodies);
}

/** JSON of the record, with or without its texts. */
export function textOf({ brief, texts, bodies }: RecordTexts, withTexts: boolean): string {
  return withTexts ? storedText({ brief, texts, ...redactedBodies(bodies) }) : brief;
}

/** The whole JSON of a record, from the parts that are stored. */
export function storedText({
  brief,
  texts,
  requestBody,
  responseBody,
}: {
  readonly brief: string;
  readonly texts: string | null;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}): string {
  if (texts?.startsWith('{')) {
    return texts;
  }
  const rest = texts ?? `${member('requestBody', requestBody)}${member('responseBody', responseBody)}}`;
  return brief.slice(0, -1) + rest;
}

/** Size of a record in characters. */
export function lengthOf({ brief, texts, bodies, recording }: RecordTexts): number {
  const { request = '', response = '' } = bodies ?? {};
  const others = (texts?.length ?? 0) + (recording?.json.length ?? 0);
  return brief.length + others + request.length + response.length;
}

/** Outcome for an HTTP status. */
export function outcomeOfStatus(status: number): 'ok' | 'rate_limited' | 'client_error' | 'upstream_error' {
  if (status < 400) {
    return 'ok';
  }
  if (status === 429) {
    return 'rate_limited';
  }
  return status < 500 ? 'client_error' : 'upstream_error';
}

function outcomeOf({ totalMs, status, error }: NetworkRecord): LogOutcome {
  if (totalMs === undefined) {
    return 'pending';
  }
  if (error === CANCELLED) {
    return 'cancelled';
  }
  return error !== undefined || status === undefined ? 'upstream_error' : outcomeOfStatus(status);
}

function storedRequest(entry: RequestLogEntry, seq: number, changed: number): StoredRecord {
  const { content, condensed, toolCalls } = entry;
  // Without a rest pattern, which would cost 8 µs.
  const brief = JSON.stringify({
    ...entry,
    content: undefined,
    sent: undefined,
    condensed: condensed?.map((record) => ({ ...record, content: undefined })),
    toolCalls: toolCalls?.map((record) => ({ ...record, arguments: undefined })),
  });
  const hasMore =
    entry.sent !== undefined ||
    (condensed?.some((record) => record.content) ?? false) ||
    (toolCalls?.some((call) => call.arguments !== undefined) ?? false);
  return {
    seq,
    changed,
    kind: 'request',
    id: entry.id,
    requestId: null,
    startedAt: entry.startedAt,
    outcome: entry.outcome,
    status: entry.status ?? null,
    key: entry.key ?? null,
    model: entry.model ?? null,
    isModelKnown: entry.receivedMs !== undefined,
    account: entry.account ?? null,
    conversation: entry.conversation ?? null,
    client: entry.client ?? '',
    reason: entry.error?.reason ?? '',
    savedCharacters: condensed?.reduce((sum, { before, after }) => sum + before - after, 0) ?? 0,
    isCompletion: entry.operation === 'completion' ? 1 : 0,
    isStranger: entry.isStranger ? 1 : 0,
    totalMs: entry.totalMs ?? null,
    firstTokenMs: entry.firstTokenMs ?? null,
    queuedMs: entry.queuedMs ?? null,
    promptTokens: entry.usage?.promptTokens ?? 0,
    cachedTokens: entry.usage?.cachedTokens ?? 0,
    completionTokens: entry.usage?.completionTokens ?? 0,
    usage: usageOf(entry),
    brief,
    texts: hasMore ? JSON.stringify(entry) : content ? `${member('content', content)}}` : null,
    bodies: null,
    recording: null,
  };
}

function storedExchange(
  record: NetworkRecord,
  seq: number,
  changed: number,
  bodies: ExchangeBodies | null,
): StoredRecord {
  return {
    seq,
    changed,
    kind: 'network',
    id: record.id,
    requestId: record.requestId ?? null,
    startedAt: record.startedAt,
    outcome: outcomeOf(record),
    status: record.status ?? null,
    key: null,
    model: null,
    isModelKnown: false,
    account: record.account ?? null,
    conversation: null,
    client: '',
    reason: '',
    savedCharacters: 0,
    isCompletion: 0,
    isStranger: 0,
    totalMs: record.totalMs ?? null,
    firstTokenMs: null,
    queuedMs: null,
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
    usage: null,
    brief: JSON.stringify(record),
    texts: null,
    bodies,
    recording: null,
  };
}

/** `,"name":value` for an object with members before it; empty for null. */
function member(name: string, value: unknown): string {
  return value === null ? '' : `,"${name}":${JSON.stringify(value)}`;
}
