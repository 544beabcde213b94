import { Counter, Histogram, type Registry } from 'prom-client';
import { type RequestLogEntry, type TokenCounts } from '../logs/records/request-log-entry.js';
import { BoundedLabel } from './bounded-label.js';

const DURATION_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600];
const FIRST_TOKEN_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What requests add to the metrics: each is counted once, when it has ended, which takes 1 µs. */
export class RequestMetrics {
  private readonly attemptOutcome = new BoundedLabel();
  private readonly requests: Counter<'outcome' | 'status' | 'model'>;
  private readonly duration: Histogram<'outcome'>;
  private readonly firstToken: Histogram;
  private readonly attempts: Counter<'outcome'>;
  private readonly tokens: readonly { readonly kind: keyof TokenCounts; readonly counter: Counter }[];
  private readonly condensed: Counter;
  private readonly condensedBefore: Counter;
  private readonly condensedAfter: Counter;
  private readonly corrections: Counter<'cause' | 'action'>;

  /** @param isModel whether an id is one of the models that callers may ask for; others share one label */
  constructor(
    registry: Registry,
    private readonly isModel: (id: string) => boolean,
  ) {
    const registers = [registry];
    const plain = (name: string, help: string): Counter => new Counter({ name, help, registers });
    this.requests = new Counter({
      name: 'gateway_requests_total',
      help: 'Completion requests that have ended, by outcome, HTTP status and model.',
      labelNames: ['outcome', 'status', 'model'],
      registers,
    });
    this.duration = new Histogram({
      name: 'gateway_request_duration_seconds',
      help: 'Time from the arrival of a completion request to its end.',
      labelNames: ['outcome'],
      buckets: DURATION_BUCKETS_S,
      registers,
    });
    this.firstToken = new Histogram({
      name: 'gateway_first_token_seconds',
      help: 'Time from the arrival of a completion request to the first piece of its answer.',
      buckets: FIRST_TOKEN_BUCKETS_S,
      registers,
    });
    this.attempts = new Counter({
      name: 'gateway_upstream_attempts_total',
      help: 'Tries at the upstream, by how they ended.',
      labelNames: ['outcome'],
      registers,
    });
    this.tokens = [
      { kind: 'promptTokens', counter: plain('gateway_prompt_tokens_total', 'Tokens of prompts.') },
      {
        kind: 'completionTokens',
        counter: plain('gateway_completion_tokens_total', 'Tokens of answers, reasoning included.'),
      },
      { kind: 'reasoningTokens', counter: plain('gateway_reasoning_tokens_total', 'Tokens of reasoning.') },
      {
        kind: 'cachedTokens',
        counter: plain(
          'gateway_cached_tokens_total',
          'Tokens of prompts that the upstream had in its cache.',
        ),
      },
    ];
    this.condensed = plain(
      'gateway_condensed_tool_results_total',
      'Tool results that went upstream condensed.',
    );
    this.condensedBefore = plain(
      'gateway_condensed_characters_before_total',
      'Characters of condensed tool results before.',
    );
    this.condensedAfter = plain(
      'gateway_condensed_characters_after_total',
      'Characters of condensed tool results after.',
    );
    this.corrections = new Counter({
      name: 'gateway_corrections_total',
      help: 'Answers that were given up, by cause (echo or tool_call) and what was done.',
      labelNames: ['cause', 'action'],
      registers,
    });
  }

  /** Counts a request that has ended. */
  count(entry: RequestLogEntry): void {
    const { outcome, status, model, totalMs, firstTokenMs, usage } = entry;
    this.requests.inc({
      outcome,
      status: status ?? 'none',
      model: model === undefined ? 'none' : this.isModel(model) ? model : 'other',
    });
    if (totalMs !== undefined) {
      this.duration.observe({ outcome }, totalMs / 1000);
    }
    if (firstTokenMs !== undefined) {
      this.firstToken.observe(firstTokenMs / 1000);
    }
    for (const attempt of entry.attempts ?? []) {
      this.attempts.inc({ outcome: this.attemptOutcome.of(attempt.outcome) });
    }
    if (usage) {
      this.tokens.forEach(({ kind, counter }) => counter.inc(usage[kind]));
    }
    for (const { before, after } of entry.condensed ?? []) {
      this.condensed.inc();
      this.condensedBefore.inc(before);
      this.condensedAfter.inc(after);
    }
    for (const { cause, action } of entry.corrections ?? []) {
      this.corrections.inc({ cause, action });
    }
  }
}
