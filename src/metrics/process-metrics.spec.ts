import { expect, it } from '@jest/globals';
import { processMetrics } from './process-metrics.js';

it('names no gauge as a counter', async () => {
  const metrics = await processMetrics().getMetricsAsJSON();
  const types = metrics.filter(({ name }) => name.endsWith('_total')).map(({ type }) => String(type));
  expect(new Set(types)).toEqual(new Set(['counter']));
  expect(metrics.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['nodejs_active_handles', 'nodejs_active_requests', 'nodejs_active_resources']),
  );
});
