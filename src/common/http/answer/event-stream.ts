/** Head of an answer of server-sent events. nginx and its like would collect them without the last header. */
export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** The same for what no cache may keep: logs, and pictures of a page. */
export const PRIVATE_EVENT_STREAM_HEADERS = {
  ...EVENT_STREAM_HEADERS,
  'Cache-Control': 'no-cache, no-store, no-transform',
} as const;

/** A comment, which clients skip; keeps proxies from closing an idle stream. */
export const HEARTBEAT = ': heartbeat\n\n';

/** The data of an event, and its end. @param data one line, as JSON text is */
export function sseData(data: string): string {
  return `data: ${data}\n\n`;
}
