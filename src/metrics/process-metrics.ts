import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** Gauges that are named as counters are, which tools find fault with: the sums of those without the ending. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** Time between samples of the delay of the event loop. */
const SAMPLE_MS = 10;

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
  collectDefaultMetrics({ register: observed, eventLoopMonitoringPrecision: SAMPLE_MS });
  for (const name of MISNAMED) {
    observed.removeSingleMetric(name);
  }
  await firstSample();
  return observed;
}

/**
 * Waits until the delay has been sampled since this call; before, its least value would be the largest of all numbers. On
 * a busy machine that takes longer than two samples should.
 */
async function firstSample(): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  while (delay.count === 0) {
    await pause(SAMPLE_MS);
  }
  delay.disable();
}
