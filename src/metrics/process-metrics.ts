import { collectDefaultMetrics, Registry } from 'prom-client';

/** Gauges that are named as counters are, which tools find fault with: the sums of those without the ending. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

let registry: Registry | undefined;

/**
 * Memory, CPU, garbage collection and event loop lag. A singleton: the collectors observe the process and cannot be
 * stopped, and tests create many gateways in one process.
 */
export function processMetrics(): Registry {
  if (!registry) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
    for (const name of MISNAMED) {
      registry.removeSingleMetric(name);
    }
  }
  return registry;
}
