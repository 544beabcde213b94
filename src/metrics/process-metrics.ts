import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/**
 * Memory, CPU, garbage collection and event loop lag. A singleton: the collectors observe the process and cannot be
 * stopped, and tests create many gateways in one process.
 */
export function processMetrics(): Registry {
  if (!registry) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
