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

/** JSON of a request as its caller may see it: without accounts, and without what happened behind the gateway. */
export function withoutUpstream(json: string): string {
  const entry = JSON.parse(json) as RequestLogEntry;
  const { error } = entry;
  const own = Object.fromEntries(Object.entries(entry).filter(([name]) => !OPERATORS_FIELDS.has(name)));
  const { code, reason, message } = error ?? {};
  return JSON.stringify({ ...own, ...(error && { error: { code, reason, message } }) });
}
