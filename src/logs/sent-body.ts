import { type IncomingMessage } from 'node:http';
import { unreadBodyOf } from '../common/http/body/unread-body.js';
import { redactNamed } from '../common/network/redact.js';
import { jsonBeginning } from '../common/text/json-beginning.js';
import { type LogContent, PREVIEW_CHARS } from './records/log-content.js';
import { type SentBody } from './records/request-log-entry.js';

/** Most characters that are kept. */
const KEPT_CHARS = { none: 0, preview: PREVIEW_CHARS, full: 2 ** 16 } as const satisfies Record<
  LogContent,
  number
>;
/** Read beyond them, and left out in the end: a secret that is cut off cannot be recognised. */
const MARGIN_CHARS = 4096;

/**
 * What a refused request brought, as far as the log keeps texts; undefined where no body was read.
 * @param redact takes the gateway's own keys out
 */
export function sentBody(
  request: IncomingMessage & { readonly body?: unknown },
  mode: LogContent,
  redact: (text: string) => string,
): SentBody | undefined {
  const limit = KEPT_CHARS[mode];
  const text = limit > 0 ? beginningOf(request, limit + MARGIN_CHARS) : undefined;
  if (text === undefined) {
    return undefined;
  }
  const redacted = redact(redactNamed(text));
  const isBeginning = text.length === limit + MARGIN_CHARS;
  const sure = isBeginning ? redacted.slice(0, -MARGIN_CHARS) : redacted;
  const bytes = Number(request.headers['content-length']);
  return {
    text: sure.slice(0, limit),
    ...((isBeginning || sure.length > limit) && { isCut: true }),
    ...(bytes > 0 && { bytes }),
  };
}

function beginningOf(
  request: IncomingMessage & { readonly body?: unknown },
  limit: number,
): string | undefined {
  const { body } = request;
  return body === undefined ? unreadBodyOf(request)?.slice(0, limit) : jsonBeginning(body, limit);
}
