import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { type RequestLogEntry } from '../logs/records/request-log-entry.js';
import { RequestMetrics } from './request-metrics.js';

const BEGUN: RequestLogEntry = {
  kind: 'request',
  id: 'r',
  startedAt: 0,
  method: 'POST',
  path: '/v1/chat/completions',
  operation: 'completion',
  outcome: 'pending',
};

/** The lines with a value other than 0, buckets of histograms left out. */
async function linesAfter(...entries: Partial<RequestLogEntry>[]): Promise<string[]> {
  const registry = new Registry();
  const metrics = new RequestMetrics(registry, (id) => id.startsWith('svc-'));
  entries.forEach((entry) => metrics.count({ ...BEGUN, ...entry }));
  return (await registry.metrics())
    .split('\n')
    .filter((line) => /^[^#]/.test(line) && !/ 0$/.test(line) && !/_bucket\{/.test(line));
}

describe('RequestMetrics', () => {
  it('counts every figure of an entry once', async () => {
    const entry: Partial<RequestLogEntry> = {
      outcome: 'ok',
      status: 200,
      model: 'svc-max',
      totalMs: 2500,
      firstTokenMs: 500,
      usage: { promptTokens: 10, completionTokens: 20, reasoningTokens: 5, cachedTokens: 3 },
      attempts: [
        { startedMs: 0, durationMs: 1, outcome: 'rate_limited' },
        { startedMs: 1, durationMs: 1, outcome: 'ok' },
      ],
      condensed: [
        { message: 2, tool: 'a', rules: ['ansi'], before: 1000, after: 100 },
        { message: 4, tool: 'b', rules: ['ansi'], before: 2000, after: 200 },
      ],
      corrections: [
        { atMs: 1, cause: 'echo', action: 'regenerated', detail: '' },
        { atMs: 2, cause: 'echo', action: 'passed', detail: '' },
        { atMs: 3, cause: 'tool_call', action: 'regenerated', detail: '' },
      ],
    };
    expect(await linesAfter(entry)).toEqual([
      'gateway_requests_total{outcome="ok",status="200",model="svc-max"} 1',
      'gateway_request_duration_seconds_sum{outcome="ok",model="svc-max"} 2.5',
      'gateway_request_duration_seconds_count{outcome="ok",model="svc-max"} 1',
      'gateway_first_token_seconds_sum{model="svc-max"} 0.5',
      'gateway_first_token_seconds_count{model="svc-max"} 1',
      'gateway_upstream_attempts_total{outcome="rate_limited"} 1',
      'gateway_upstream_attempts_total{outcome="ok"} 1',
      'gateway_prompt_tokens_total 10',
      'gateway_completion_tokens_total 20',
      'gateway_reasoning_tokens_total 5',
      'gateway_cached_tokens_total 3',
      'gateway_condensed_tool_results_total 2',
      'gateway_condensed_characters_before_total 3000',
      'gateway_condensed_characters_after_total 300',
      'gateway_corrections_total{cause="echo",action="regenerated"} 1',
      'gateway_corrections_total{cause="echo",action="passed"} 1',
      'gateway_corrections_total{cause="tool_call",action="regenerated"} 1',
    ]);
  });

  it('has fixed labels for missing values and for models outside the catalogue', async () => {
    const lines = await linesAfter(
      { outcome: 'client_error', status: 401, totalMs: 0 },
      { outcome: 'cancelled', model: 'svc-plus', totalMs: 0 },
      { outcome: 'client_error', status: 404, model: 'made-up-1"}', totalMs: 0 },
      { outcome: 'client_error', status: 404, model: 'made-up-2', totalMs: 0 },
    );
    expect(lines.filter((line) => line.startsWith('gateway_requests_total'))).toEqual([
      'gateway_requests_total{outcome="client_error",status="401",model="none"} 1',
      'gateway_requests_total{outcome="cancelled",status="none",model="svc-plus"} 1',
      'gateway_requests_total{outcome="client_error",status="404",model="other"} 2',
    ]);
  });

  it('names 50 models, since an upstream may list thousands', async () => {
    const entries = Array.from({ length: 60 }, (_, at) => ({ model: `svc-${at}`, outcome: 'ok' }) as const);
    const lines = (await linesAfter(...entries)).filter((line) => line.startsWith('gateway_requests_total'));
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)).toBe('gateway_requests_total{outcome="ok",status="none",model="other"} 10');
  });

  it('counts requests and tokens by the name of the key, for 50 names', async () => {
    const usage = { promptTokens: 10, completionTokens: 20, reasoningTokens: 0, cachedTokens: 0 };
    const ann = { key: 'ann', outcome: 'ok', usage } as const;
    const others = Array.from({ length: 60 }, (_, at) => ({ key: `k${at}`, outcome: 'ok' }) as const);
    const lines = await linesAfter(ann, ann, { key: 'ann', outcome: 'rate_limited' }, ...others);
    expect(lines.filter((line) => line.includes('"ann"'))).toEqual([
      'gateway_key_requests_total{key="ann",outcome="ok"} 2',
      'gateway_key_requests_total{key="ann",outcome="rate_limited"} 1',
      'gateway_key_tokens_total{key="ann",kind="prompt"} 20',
      'gateway_key_tokens_total{key="ann",kind="completion"} 40',
    ]);
    expect(lines).toContain('gateway_key_requests_total{key="other",outcome="ok"} 11');
  });

  it('counts failures by their reason, and leaves out callers who left meanwhile', async () => {
    const error = {
      type: 'server_error',
      code: 'internal_error',
      message: '',
      reason: 'upstream_timeout',
    } as const;
    const lines = await linesAfter(
      { outcome: 'upstream_error', status: 500, error },
      { outcome: 'cancelled', error },
    );
    expect(lines.filter((line) => line.includes('failures_total'))).toEqual([
      'gateway_request_failures_total{reason="upstream_timeout"} 1',
    ]);
  });

  it('bounds the label of upstream failures', async () => {
    const attempts = Array.from({ length: 600 }, (_, status) => ({
      startedMs: 0,
      durationMs: 0,
      outcome: `upstream_status_${status}`,
    }));
    const lines = await linesAfter({ outcome: 'upstream_error', status: 500, attempts });
    expect(lines.filter((line) => line.includes('attempts_total')).length).toBe(51);
    expect(lines).toContain('gateway_upstream_attempts_total{outcome="other"} 550');
  });
});
