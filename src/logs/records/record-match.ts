import { hasReason, type LogFilter, type LogRecord, OUTCOMES_BY_LEVEL, outcomesOf } from './log-filter.js';
import { withoutUpstream } from './own-records.js';
import { type StoredRecord, textOf } from './stored-record.js';

/** Conditions that a record meets by the same value. */
const EQUAL = ['key', 'model', 'account', 'conversation'] as const;

/** Whether a record meets the conditions of a filter, by the same rules as `toCondition`; `node` is no condition. */
export function matchesFilter(record: StoredRecord, filter: LogFilter): boolean {
  const { kind = 'request', before, level, served, operation, status, outcome, reason, client } = filter;
  return (
    record.kind === kind &&
    (before === undefined || record.seq < Number(before)) &&
    (level === undefined || OUTCOMES_BY_LEVEL[level].includes(record.outcome)) &&
    (served === undefined || record.requestId !== null) &&
    (operation === undefined || record.isCompletion === 1) &&
    EQUAL.every((name) => filter[name] === undefined || record[name] === filter[name]) &&
    (status === undefined || isWithin(record.status, status)) &&
    (outcome === undefined || outcomesOf(outcome).includes(record.outcome)) &&
    isInSpan(record, filter) &&
    (client === undefined || record.client.startsWith(client)) &&
    (reason === undefined || (record.reason === reason && hasReason(record.outcome))) &&
    // Without the text, which is made of parts, where nothing is looked for in it.
    (filter.q === undefined || hasText(textOf(record, true), filter))
  );
}

function isInSpan({ startedAt, totalMs, outcome }: StoredRecord, { from, until, lasts }: LogFilter): boolean {
  return (
    (from === undefined || startedAt >= from) &&
    (until === undefined || startedAt < until) &&
    (lasts === undefined ||
      (totalMs !== null && totalMs >= lasts.ms) ||
      (outcome === 'pending' && startedAt <= lasts.since))
  );
}

/** The full-text part of a filter. */
export type TextFilter = Pick<LogFilter, 'q' | 'isCallers'>;

/** Whether `q`, if it is given, occurs in one of the searched fields of a record, given as JSON. */
export function hasText(json: string, { q, isCallers }: TextFilter): boolean {
  if (q === undefined) {
    return true;
  }
  const wanted = q.toLowerCase();
  const record = JSON.parse(isCallers ? withoutUpstream(json) : json) as LogRecord;
  return (
    searchedTexts(record).some((text) => text?.toLowerCase().includes(wanted)) ||
    searchedWords(record).some((word) => word?.replaceAll('_', ' ').includes(wanted.replaceAll('_', ' ')))
  );
}

/** Words of the log, which pages show with spaces in place of the underscores. */
function searchedWords(record: LogRecord): readonly (string | undefined)[] {
  if (record.kind === 'network') {
    return [];
  }
  const { error, attempts = [], corrections = [], finishReason } = record;
  return [
    error?.code,
    error?.reason,
    finishReason,
    ...attempts.map(({ outcome }) => outcome),
    ...corrections.flatMap(({ cause, action }) => [cause, action]),
  ];
}

function isWithin(status: number | null, { from, to }: { from: number; to: number }): boolean {
  return status !== null && status >= from && status <= to;
}

function searchedTexts(record: LogRecord): readonly (string | undefined)[] {
  const { id, account } = record;
  if (record.kind === 'network') {
    const { requestId, url, error, requestBody, responseBody } = record;
    return [id, requestId, account, url, error, requestBody, responseBody];
  }
  const {
    key,
    model,
    client,
    error,
    content,
    sent,
    toolCalls = [],
    attempts = [],
    corrections = [],
  } = record;
  return [
    id,
    key,
    model,
    account,
    client,
    ...attempts.flatMap((attempt) => [attempt.account, attempt.detail]),
    ...corrections.map(({ detail }) => detail),
    error?.message,
    error?.cause,
    ...(content?.messages.map((message) => message.content) ?? []),
    sent?.text,
    content?.reasoning,
    content?.answer,
    ...toolCalls.flatMap((call) => [call.name, call.arguments]),
  ];
}
