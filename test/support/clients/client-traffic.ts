import { type ClientTraffic } from '../../../src/dashboard/client-findings/client-finding.js';
import { type RequestError, type RequestLogEntry } from '../../../src/logs/records/request-log-entry.js';

const STARTED_AT = 1_700_000_000_000;

/** Entries of requests of one client, a minute apart, which took a second. */
export function requestsOf(
  count: number,
  details: Partial<RequestLogEntry> | ((index: number) => Partial<RequestLogEntry>) = {},
): RequestLogEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'request',
    id: `req_${index}`,
    startedAt: STARTED_AT + index * 60_000,
    method: 'POST',
    path: '/v1/chat/completions',
    operation: 'completion',
    client: 'agent/1',
    key: 'ci',
    model: 'svc-max',
    outcome: 'ok',
    status: 200,
    totalMs: 1000,
    ...(typeof details === 'function' ? details(index) : details),
  }));
}

/** Entries of requests that were refused, as `requestsOf`. */
export function refusalsOf(
  count: number,
  error: Pick<RequestError, 'reason'> & Partial<RequestError>,
  details: Parameters<typeof requestsOf>[1] = {},
): RequestLogEntry[] {
  return requestsOf(count, (index) => ({
    outcome: 'client_error',
    status: 400,
    error: { code: 'invalid_request', ...error },
    ...(typeof details === 'function' ? details(index) : details),
  }));
}

/** What a rule is asked of. */
export function trafficOf(
  failed: readonly RequestLogEntry[],
  answered: readonly RequestLogEntry[] = [],
): ClientTraffic {
  return { failed, answered, answeredSince: 0 };
}

/** A client that asks for a path which is not served. */
export function askingFor(path: string, count = 2): ClientTraffic {
  return trafficOf(refusalsOf(count, { reason: 'not_found' }, { path }));
}
