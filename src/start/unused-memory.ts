import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type RunningCompletions } from '../chat/running-completions.js';

/** Long enough for the start's own work, e.g. the upstream's list of models; short enough to come before most callers. */
const CHECK_MS = 2000;
/** Checks in a row without completions after which callers are taken to have gone. */
const QUIET_CHECKS = 5;
/**
 * Growth of the process that is worth a collection. The engine drops compiled code with the garbage: what a load of small
 * requests leaves, mostly that code and a young generation, is worth less than the time in which it would be made again.
 */
const GROWN_BYTES = 128 * 2 ** 20;

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void;

/**
 * Returns memory to the system that is not in use any more: 2 s after the start what modules have left, unless
 * completions have begun by then, and later what a heavy load has left, once there were no completions for 10 s. The
 * engine would keep most of it. A collection takes about 0.1 s, so it waits for a moment without completions.
 */
export function releaseUnusedMemory(completions: Pick<RunningCompletions, 'isIdle' | 'begun'>): void {
  let begun = 0;
  let quietChecks = 0;
  /** Memory of the process at rest; none before the first check. */
  let restBytes: number | undefined;
  setInterval(() => {
    const isQuiet = completions.isIdle && completions.begun === begun;
    quietChecks = isQuiet ? quietChecks + 1 : 0;
    begun = completions.begun;
    const bytes = residentBytes();
    if (bytes === undefined) {
      return;
    }
    const isDue =
      restBytes === undefined ? isQuiet : quietChecks >= QUIET_CHECKS && bytes - restBytes >= GROWN_BYTES;
    if (isDue) {
      engineCollector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      restBytes = residentBytes() ?? bytes;
    }
    restBytes ??= bytes;
  }, CHECK_MS).unref();
}

/** Memory of the process. The system tells it by a file: undefined where no descriptor is left. */
function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
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
