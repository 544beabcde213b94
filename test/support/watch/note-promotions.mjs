/*
 * Preloaded into a gateway. For each SIGUSR2 it appends a line to `PROMOTIONS_FILE`: the bytes of V8's old generation, and
 * how often that was collected so far.
 */
import { appendFileSync } from 'node:fs';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import process from 'node:process';
import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  let collections = 0;
  new PerformanceObserver((list) => {
    const full = list
      .getEntries()
      .filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
    collections += full.length;
  }).observe({ entryTypes: ['gc'] });
  process.on('SIGUSR2', () => {
    const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space');
    const line = JSON.stringify({ bytes: old.space_used_size, collections });
    appendFileSync(process.env.PROMOTIONS_FILE, `${line}\n`);
  });
}
