import { Counter, Histogram, type Registry } from 'prom-client';
import { hasReason } from '../logs/records/log-filter.js';
import { type RequestLogEntry } from '../logs/records/request-log-entry.js';
import { BoundedLabel } from './bounded-label.js';

const DURATION_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600];
const QUEUE_BUCKETS_S = [0.005, 0.05, 0.25, 1, 2.5, 5, 10, 20, 30, 60];
const FIRST_TOKEN_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The metrics in the order of their output. To add one, add a line here and count it in `count`. */
const METRICS = {
  requests: counter(
    'gateway_requests_total',
    'Completion requests that have ended, by outcome, HTTP status and model.',
    ['outcome', 'status', 'model'],
  ),
  failures: counter(
    'gateway_request_failures_total',
    'Completion requests that have failed, by reason: the word of the header x-gateway-reason.',
    ['reason'],
  ),
  duration: histogram(
    'gateway_request_duration_seconds',
    'Time from the arrival of a completion request to its end.',
    DURATION_BUCKETS_S,
    ['outcome', 'model'],
  ),
  firstToken: histogram(
    'gateway_first_token_seconds',
    'Time from the arrival of a completion request to the first piece of its answer.',
    FIRST_TOKEN_BUCKETS_S,
    ['model'],
  ),
  queued: histogram(
    'gateway_queue_seconds',
    'Time that a completion request waited for sessions.',
    QUEUE_BUCKETS_S,
  ),
  attempts: counter('gateway_upstream_attempts_total', 'Attempts at the upstream, by how they ended.', [
    'outcome',
  ]),
  promptTokens: counter('gateway_prompt_tokens_total', 'Tokens of prompts.'),
  completionTokens: counter('gateway_completion_tokens_total', 'Tokens of answers, reasoning included.'),
  reasoningTokens: counter('gateway_reasoning_tokens_total', 'Tokens of reasoning.'),
  cachedTokens: counter(
    'gateway_cached_tokens_total',
    'Tokens of prompts that the upstream had in its cache.',
  ),
  condensed: counter('gateway_condensed_tool_results_total', 'Tool results that went upstream condensed.'),
  condensedBefore: counter(
    'gateway_condensed_characters_before_total',
    'Characters of condensed tool results before.',
  ),
  condensedAfter: counter(
    'gateway_condensed_characters_after_total',
    'Characters of condensed tool results after.',
  ),
  keyRequests: counter(
    'gateway_key_requests_total',
    "Completion requests that have ended, by the name of the caller's key and outcome.",
    ['key', 'outcome'],
  ),
  keyTokens: counter(
    'gateway_key_tokens_total',
    "Tokens of prompts and answers, by the name of the caller's key.",
    ['key', 'kind'],
  ),
  corrections: counter(
    'gateway_corrections_total',
    'Answers that were given up, by cause (echo, tool_call or structured_output) and what was done.',
    ['cause', 'action'],
  ),
};

type Metrics = { readonly [Name in keyof typeof METRICS]: ReturnType<(typeof METRICS)[Name]> };

/** Counts ended requests, each once, from their log entries. Costs 1 µs a request. */
export class RequestMetrics {
  private readonly attemptOutcome = new BoundedLabel();
  private readonly keyName = new BoundedLabel();
  private readonly modelId = new BoundedLabel();
  private readonly metrics: Metrics;

  /** @param isModel whether an id is in the catalogue; all other ids share one label */
  constructor(
    registry: Registry,
    private readonly isModel: (id: string) => boolean,
  ) {
    const created = Object.entries(METRICS).map(([name, create]) => [name, create(registry)]);
    this.metrics = Object.fromEntries(created) as Metrics;
  }

  /** @param entry entry of an ended request */
  count(entry: RequestLogEntry): void {
    const { metrics } = this;
    const { outcome, status, totalMs, firstTokenMs, usage, error } = entry;
    const model = this.modelOf(entry);
    metrics.requests.inc({ outcome, status: status ?? 'none', model });
    if (error && hasReason(outcome)) {
      metrics.failures.inc({ reason: error.reason });
    }
    if (totalMs !== undefined) {
      metrics.duration.observe({ outcome, model }, totalMs / 1000);
    }
    if (firstTokenMs !== undefined) {
      metrics.firstToken.observe({ model }, firstTokenMs / 1000);
    }
    if (entry.queuedMs !== undefined) {
      metrics.queued.observe(entry.queuedMs / 1000);
    }
    for (const attempt of entry.attempts ?? []) {
      metrics.attempts.inc({ outcome: this.attemptOutcome.of(attempt.outcome) });
    }
    if (usage) {
      metrics.promptTokens.inc(usage.promptTokens);
      metrics.completionTokens.inc(usage.completionTokens);
      metrics.reasoningTokens.inc(usage.reasoningTokens);
      metrics.cachedTokens.inc(usage.cachedTokens);
    }
    this.countKey(entry);
    for (const { before, after } of entry.condensed ?? []) {
      metrics.condensed.inc();
      metrics.condensedBefore.inc(before);
      metrics.condensedAfter.inc(after);
    }
    for (const { cause, action } of entry.corrections ?? []) {
      metrics.corrections.inc({ cause, action });
    }
  }

  /** Callers may ask for any name: those that are not in the catalogue share a label, and an upstream may list thousands. */
  private modelOf({ model }: RequestLogEntry): string {
    if (model === undefined) {
      return 'none';
    }
    return this.isModel(model) ? this.modelId.of(model) : 'other';
  }

  private countKey({ key: name, outcome, usage }: RequestLogEntry): void {
    if (name === undefined) {
      return;
    }
    const { keyRequests, keyTokens } = this.metrics;
    const key = this.keyName.of(name);
    keyRequests.inc({ key, outcome });
    if (usage) {
      keyTokens.inc({ key, kind: 'prompt' }, usage.promptTokens);
      keyTokens.inc({ key, kind: 'completion' }, usage.completionTokens);
    }
  }
}

function counter<Label extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): (registry: Registry) => Counter<Label> {
  return (registry) => new Counter({ name, help, labelNames, registers: [registry] });
}

function histogram<Label extends string = never>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: readonly Label[] = [],
): (registry: Registry) => Histogram<Label> {
  return (registry) => new Histogram({ name, help, labelNames, buckets, registers: [registry] });
}
