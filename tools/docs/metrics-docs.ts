import { Registry } from 'prom-client';
import { addGauges, addInfo, type GaugeSources } from '../../src/metrics/gateway-gauges.js';
import { RequestMetrics } from '../../src/metrics/request-metrics.js';

/** A table of all metrics, as they explain themselves. */
export function metricTable(): string {
  const registry = new Registry();
  addInfo(registry, { version: '', provider: '' });
  addGauges(registry, {} as GaugeSources);
  new RequestMetrics(registry, () => true);
  const rows = registry.getMetricsAsArray().map((metric) => {
    const { name, help, labelNames } = metric as unknown as Record<'name' | 'help', string> & {
      readonly labelNames: readonly string[];
    };
    const labels = labelNames.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${metric.constructor.name.toLowerCase()} | ${labels} | ${help} |`;
  });
  return ['| metric | type | labels | what it says |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
