import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cpuMs } from './cpu-time.js';

const run = promisify(execFile);

/** Largest stretch of a time that a test chooses by the pace. */
const MAX_FACTOR = 10;
/**
 * Least and largest stretch of a limit that was exceeded. The pace is measured after the work: a host that took the
 * processor away for half a second in the middle of it may have given it back by then. What such a limit is to find
 * (a wait for a time-out, a blocked event loop) takes longer by orders of magnitude.
 */
const PAST_FACTOR = 5;
const MAX_PAST_FACTOR = 20;
/** The pace of one moment and the next differ by as much where other processes come and go. */
const PACE_VARIATION = 2;
/** Runs of the reference work per measurement; the middle one counts. */
const RUNS = 3;
/** Times that work which can be repeated gets to stay within its limit. */
const ATTEMPTS = 3;

/**
 * Present pace of this machine, by a fixed piece of work. Limits in tests are written for one quiet machine with two
 * cores; on another one, or a busy one, they are stretched by as much as the work takes longer.
 *
 *     await processPace.expectWithin(endedAt - leftAt, 300);
 *
 * A limit that is kept costs no measurement. One that is exceeded is judged by twice the pace measured right then, or
 * earlier in the same file if the machine was slower at that time.
 */
export class MachinePace {
  private slowestMs = 0;
  private known: Promise<number> | undefined;

  /**
   * @param work the piece of work, as a failure names it
   * @param referenceMs its cost on the machine for which the limits are written
   * @param costMs does the work once and resolves with its cost
   */
  constructor(
    private readonly work: string,
    private readonly referenceMs: number,
    private readonly costMs: () => number | Promise<number>,
  ) {}

  /** The factor by which limits are stretched, 1 to 10, for times that a test chooses itself. Measured once a file. */
  factor(): Promise<number> {
    return (this.known ??= this.measure());
  }

  private async measure(): Promise<number> {
    const costs: number[] = [];
    for (let done = 0; done < RUNS; done++) {
      costs.push(await this.costMs());
    }
    const median = costs.sort((a, b) => a - b)[RUNS >> 1] ?? 0;
    this.slowestMs = Math.max(this.slowestMs, median);
    return Math.min(MAX_FACTOR, Math.max(1, this.slowestMs / this.referenceMs));
  }

  /**
   * Rejects if a piece of work never stays within its limit, stretched by the pace. It is done up to three times:
   * collections, and a host that takes the processor away, only ever add to the cost.
   * @param work does the work once and returns its cost in milliseconds
   * @param limitMs exclusive
   */
  async expectOnceWithin(work: () => number | Promise<number>, limitMs: number): Promise<void> {
    let leastMs = Infinity;
    for (let done = 0; done < ATTEMPTS && !(leastMs < limitMs); done++) {
      leastMs = Math.min(leastMs, await work());
    }
    await this.expectWithin(leastMs, limitMs);
  }

  /**
   * Rejects if something took as long as its limit or longer, stretched by the pace: fivefold at least, twentyfold at most.
   * Both in milliseconds.
   */
  async expectWithin(tookMs: number, limitMs: number): Promise<void> {
    if (tookMs < limitMs) {
      return;
    }
    const pace = await (this.known = this.measure());
    const factor = Math.min(MAX_PAST_FACTOR, Math.max(PAST_FACTOR, pace * PACE_VARIATION));
    // Also where one of the times is not a number.
    if (!(tookMs < limitMs * factor)) {
      throw new Error(
        `Took ${Math.round(tookMs)} ms. The limit is ${limitMs} ms × ${factor.toFixed(1)}: ` +
          `${this.work} takes ${Math.round(this.slowestMs)} ms here, ${this.referenceMs} ms where limits are written.`,
      );
    }
  }
}

/** For work between processes: requests over loopback, signals, files. */
export const processPace = new MachinePace('a child of Node', 45, () =>
  wallMs(() => run(process.execPath, ['-e', '0'])),
);

/** For browsers and their pages. The work uses none of the gateway's code, whose slowness is to be noticed. */
export const browserPace = new MachinePace('a browser that shows one page', 350, async () => {
  const profile = await mkdtemp(join(tmpdir(), 'machine-pace-'));
  try {
    const options = ['--headless', '--no-sandbox', `--user-data-dir=${profile}`, '--dump-dom'];
    return await wallMs(() =>
      run(process.env.BROWSER_EXECUTABLE_PATH ?? '', [...options, 'data:text/html,<p>page']),
    );
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** For CPU time of this thread, which a busy machine hardly changes but a slower one does. */
export const cpuPace = new MachinePace('a loop of three million steps', 30, () => cpuMs(countSteps));

async function wallMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function countSteps(): number {
  let hash = 0;
  for (let step = 0; step < 3_000_000; step++) {
    hash = (hash * 31 + step) | 0;
  }
  return hash;
}
