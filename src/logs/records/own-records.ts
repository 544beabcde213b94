import { type LogRecord } from './log-filter.js';
import { type RequestLogEntry } from './request-log-entry.js';

/** Fields about accounts, which are the operator's. */
const OPERATORS_FIELDS: ReadonlySet<string> = new Set<keyof RequestLogEntry>([
  'account',
  'sessionId',
  'attempts',
  'considered',
  'node',
]);

/** Whether a record belongs to the holder of a key. Network records belong to nobody: they show the accounts. */
export function isOwn(record: LogRecord, owner: string): boolean {
  return record.kind === 'request' && record.key === owner;
}

/** A request as its caller may see it: without accounts, and without what happened behind the gateway. */
export function toOwnEntry(entry: RequestLogEntry): object {
  const { error } = entry;
  const own = Object.fromEntries(Object.entries(entry).filter(([name]) => !OPERATORS_FIELDS.has(name)));
  const { code, reason, message } = error ?? {};
  return { ...own, ...(error && { error: { code, reason, message } }) };
}

/** `toOwnEntry` of JSON, as JSON. */
export function withoutUpstream(json: string): string {
  return JSON.stringify(toOwnEntry(JSON.parse(json) as RequestLogEntry));
}
