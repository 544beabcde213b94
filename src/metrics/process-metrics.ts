import { setTimeout as pause } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** Gauges that are named as counters are, which tools find fault with: the sums of those without the ending. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** Until the delay of the event loop has been sampled; before, its least value would be the largest of all numbers. */
const FIRST_SAMPLE_MS = 25;

let registry: Promise<Registry> | undefined;

/**
 * Memory, CPU, garbage collection and event loop lag, observed from the first call on: the samples of the lag wake a
 * process at rest a hundred times a second. A singleton: the collectors observe the process and cannot be stopped, and
 * tests create many gateways in one process.
 */
export function processMetrics(): Promise<Registry> {
  return (registry ??= observeProcess());
}

async function observeProcess(): Promise<Registry> {
  const observed = new Registry();
  collectDefaultMetrics({ register: observed });
  for (const name of MISNAMED) {
    observed.removeSingleMetric(name);
  }
  await pause(FIRST_SAMPLE_MS);
  return observed;
}
