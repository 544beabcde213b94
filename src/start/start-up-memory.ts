import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Long enough for the start's own work, e.g. the upstream's list of models; short enough to come before most callers. */
const QUIET_MS = 2000;

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void;

/**
 * Returns the memory to the system that only the start has needed, once, after 2 s: the engine grows its young generation
 * by what loading modules leaves, and would keep it (30 MiB). The collection takes about 0.1 s, so it waits for a moment
 * without completions.
 * @param isIdle whether nobody would notice
 */
export function releaseStartUpMemory(isIdle: () => boolean): void {
  const timer = setInterval(() => {
    if (isIdle()) {
      clearInterval(timer);
      engineCollector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    }
  }, QUIET_MS).unref();
}

/** The function of Node's `--expose-gc`, without that flag for the process, in which any code could then call it. */
export function engineCollector(): Collect {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc') as Collect;
  } finally {
    // Flags are part of what compiled code is kept for: those of the start must hold again.
    setFlagsFromString('--no-expose-gc');
  }
}
