import {
  type AttemptRecord,
  type ConsideredRecord,
  type RequestLogEntry,
} from '../logs/records/request-log-entry.js';

type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

interface SpanEvent {
  readonly name: string;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly attributes: Attributes;
}

/** A span of a request, in terms of no library. Times are Unix milliseconds. */
export interface RequestSpan {
  readonly name: string;
  /** `server`: what the caller asked for; `client`: an attempt at the upstream. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Why it failed; missing if it did not, or by a mistake of the caller. */
  readonly error?: string;
  readonly events: readonly SpanEvent[];
  readonly children: readonly RequestSpan[];
}

/** What names in spans are made of, beside the entry. */
export interface SpanNames {
  readonly provider: string;
  /** Whether an id is in the catalogue. Callers may ask for any, and names of spans are to be few. */
  readonly isModel: (id: string) => boolean;
}

/** Outcomes of requests whose cause is the gateway or its upstream, and no mistake of the caller. */
const FAULT_OUTCOMES: ReadonlySet<string> = new Set(['upstream_error', 'shutdown', 'crashed']);

/** Outcomes of attempts that are no failures. */
const HARMLESS: ReadonlySet<string> = new Set(['ok', 'cancelled', 'running']);

/**
 * An ended completion as spans, named as OpenTelemetry's conventions for generative AI have it: the request, what came
 * before its first attempt, and every attempt. Texts are no part of it.
 */
export function toRequestSpan(entry: RequestLogEntry, { provider, isModel }: SpanNames): RequestSpan {
  const { startedAt, totalMs = 0, attempts = [], considered, corrections = [], error, model } = entry;
  const { receivedMs = 0, preparedMs = receivedMs, queuedMs = 0 } = entry;
  const leasedMs = attempts[0]?.startedMs ?? preparedMs + queuedMs;
  const waits = [
    ['receive the request', 0, receivedMs],
    ['prepare the request', receivedMs, preparedMs],
    ['wait for a session', preparedMs, leasedMs],
  ] as const;
  return {
    name: model !== undefined && isModel(model) ? `chat ${model}` : 'chat',
    kind: 'server',
    startMs: startedAt,
    endMs: startedAt + totalMs,
    attributes: requestAttributes(entry, provider),
    ...(FAULT_OUTCOMES.has(entry.outcome) && { error: error?.reason ?? entry.outcome }),
    events: [
      ...corrections.map(({ atMs, cause, action }) => ({
        name: 'gateway.correction',
        atMs: startedAt + atMs,
        attributes: { 'gateway.correction.cause': cause, 'gateway.correction.action': action },
      })),
      // No account could be chosen.
      ...choiceEvents(startedAt + totalMs, considered),
    ],
    children: [
      ...waits
        .filter(([, fromMs, untilMs]) => untilMs > fromMs)
        .map(([part, fromMs, untilMs]) => waitSpan(part, startedAt + fromMs, startedAt + untilMs)),
      ...attempts.map((attempt, at) => attemptSpan(startedAt, attempt, at + 1)),
    ],
  };
}

function requestAttributes(entry: RequestLogEntry, provider: string): Attributes {
  const { id, status, model, stream, key, client, account, usage, finishReason, firstTokenMs } = entry;
  const { error, parameters = {} } = entry;
  const { max_tokens: maxTokens } = parameters;
  return defined({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    'gen_ai.request.max_tokens': typeof maxTokens === 'number' ? maxTokens : undefined,
    'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
    'gen_ai.usage.input_tokens': usage?.promptTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedTokens,
    'gen_ai.usage.output_tokens': usage?.completionTokens,
    'http.response.status_code': status,
    'error.type': error?.reason,
    'gateway.request.id': id,
    'gateway.request.stream': stream,
    'gateway.key': key,
    'gateway.client': client,
    'gateway.account': account,
    'gateway.first_token_ms': firstTokenMs,
  });
}

function waitSpan(name: string, startMs: number, endMs: number): RequestSpan {
  return {
    name,
    kind: 'internal',
    startMs,
    endMs,
    attributes: {},
    events: [],
    children: [],
  };
}

function attemptSpan(
  startedAt: number,
  { account, sessionId, startedMs, durationMs, outcome, considered, cooldownMs }: AttemptRecord,
  number: number,
): RequestSpan {
  const hasFailed = !HARMLESS.has(outcome);
  const startMs = startedAt + startedMs;
  const endMs = startMs + durationMs;
  return {
    name: 'attempt',
    kind: 'client',
    startMs,
    endMs,
    attributes: defined({
      'gateway.attempt.number': number,
      'gateway.attempt.outcome': outcome,
      'gateway.account': account,
      'gateway.session': sessionId,
      'error.type': hasFailed ? outcome : undefined,
    }),
    ...(hasFailed && { error: outcome }),
    events: [
      ...choiceEvents(startMs, considered),
      ...(cooldownMs === undefined
        ? []
        : [{ name: 'gateway.cooldown', atMs: endMs, attributes: { 'gateway.cooldown_ms': cooldownMs } }]),
    ],
    children: [],
  };
}

/** How many accounts were considered with which outcome, such as `chosen` or `cooldown`; their names stay in the log. */
function choiceEvents(atMs: number, considered: readonly ConsideredRecord[] = []): SpanEvent[] {
  const counts: Record<string, number> = {};
  for (const { outcome, others = 1 } of considered) {
    const name = `gateway.account_choice.${outcome}`;
    counts[name] = (counts[name] ?? 0) + others;
  }
  return considered.length > 0 ? [{ name: 'gateway.account_choice', atMs, attributes: counts }] : [];
}

function defined(attributes: Readonly<Record<string, Attributes[string] | undefined>>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
