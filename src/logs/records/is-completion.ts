import { type RequestLogEntry } from './request-log-entry.js';

/** As routes match: in any case, with or without a slash at the end. */
const COMPLETIONS = /^\/v1\/chat\/completions\/?$/i;

/** Whether a logged request asks for a completion; other calls to the API are in the log as well. */
export function isCompletion({ method, path }: Pick<RequestLogEntry, 'method' | 'path'>): boolean {
  return method === 'POST' && COMPLETIONS.test(path);
}
