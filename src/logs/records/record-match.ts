import { type LogFilter, type LogRecord, OUTCOMES_BY_LEVEL } from './log-filter.js';
import { type RequestLogEntry } from './request-log-entry.js';
import { type StoredRecord, textOf } from './stored-record.js';

/** Whether a record meets the conditions of a filter, by the same rules as `RecordSearch.page`. Ignores `limit`. */
export function matchesFilter(record: StoredRecord, filter: LogFilter): boolean {
  const { kind = 'request', before, level, key, model, account, status, outcome, reason, q } = filter;
  return (
    record.kind === kind &&
    (before === undefined || record.seq < Number(before)) &&
    (level === undefined || OUTCOMES_BY_LEVEL[level].includes(record.outcome)) &&
    (key === undefined || record.key === key) &&
    (model === undefined || record.model === model) &&
    (account === undefined || record.account === account) &&
    (status === undefined || isWithin(record.status, status)) &&
    (outcome === undefined || record.outcome === outcome) &&
    (reason === undefined || reasonOfRecord(record) === reason) &&
    (q === undefined || hasText(textOf(record, true), q))
  );
}

/** Whether `q` occurs in one of the searched fields of a record, given as JSON. */
export function hasText(json: string, q: string): boolean {
  const wanted = q.toLowerCase();
  return searchedTexts(JSON.parse(json) as LogRecord).some((text) => text?.toLowerCase().includes(wanted));
}

function reasonOfRecord({ kind, brief }: StoredRecord): string | undefined {
  return kind === 'request' ? (JSON.parse(brief) as RequestLogEntry).error?.reason : undefined;
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
  const { key, model, error, content, toolCalls = [] } = record;
  return [
    id,
    key,
    model,
    account,
    error?.code,
    error?.reason,
    error?.message,
    error?.cause,
    ...(content?.messages.map((message) => message.content) ?? []),
    content?.reasoning,
    content?.answer,
    ...toolCalls.flatMap((call) => [call.name, call.arguments]),
  ];
}
