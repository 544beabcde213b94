import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/**
 * Memory, CPU, garbage collection and event loop lag. They belong to the process, not to one gateway in it, and watch
 * it until it ends; so there is one set of them, however many gateways the process makes.
 */
export function processMetrics(): Registry {
  if (!registry) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
