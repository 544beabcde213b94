import { randomBytes } from 'node:crypto';

/** Place of a request in a distributed trace (W3C Trace Context). Ids are lower-case hex. */
export interface TraceContext {
  readonly traceId: string;
  /** Span of the caller; missing if the trace begins here. */
  readonly parentId?: string;
  /** Span of the request itself; missing unless traces are exported. */
  readonly spanId?: string;
  /** Two hex digits; the last bit says whether the caller records the trace. */
  readonly flags: string;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/;
const SAMPLED = '01';

/**
 * The place that a request takes; undefined if its caller names none and none is exported.
 * @param header `traceparent` of the caller; one that is not valid counts as none
 * @param isExported whether the request gets a span of its own
 */
export function traceContext(header: unknown, isExported: boolean): TraceContext | undefined {
  const [, traceId, parentId, flags = SAMPLED] =
    (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  if (traceId === undefined && !isExported) {
    return undefined;
  }
  return {
    traceId: traceId ?? randomBytes(16).toString('hex'),
    parentId,
    spanId: isExported ? newSpanId() : undefined,
    flags,
  };
}

/** The header for the upstream: with the request's own span, or with the caller's where it has none. */
export function toTraceparent({ traceId, parentId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId ?? parentId}-${flags}`;
}

/** The place of another request beside one, of the same caller. */
export function besideTrace(trace: TraceContext): TraceContext {
  return trace.spanId === undefined ? trace : { ...trace, spanId: newSpanId() };
}

function newSpanId(): string {
  return randomBytes(8).toString('hex');
}
