import { expect, it } from '@jest/globals';
import { processMetrics } from './process-metrics.js';

it('has sampled the delay of the event loop before it is read for the first time', async () => {
  const text = await (await processMetrics()).metrics();
  const [, least] = /^nodejs_eventloop_lag_min_seconds (\S+)$/m.exec(text) ?? [];
  expect(Number(least)).toBeGreaterThan(0);
  expect(Number(least)).toBeLessThan(60);
});

it('names no gauge as a counter', async () => {
  const metrics = await (await processMetrics()).getMetricsAsJSON();
  const types = metrics.filter(({ name }) => name.endsWith('_total')).map(({ type }) => String(type));
  expect(new Set(types)).toEqual(new Set(['counter']));
  expect(metrics.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['nodejs_active_handles', 'nodejs_active_requests', 'nodejs_active_resources']),
  );
});
