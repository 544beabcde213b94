/** Longest pieces of work between two turns of the event loop, in milliseconds. */
export interface LongestTurn {
  /** CPU time of this thread, which other processes do not change. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

const TICK_MS = 5;

/** Of all running watches: ends the present turn, and starts the next one. */
const running = new Set<{ readonly end: () => void; readonly begin: () => void }>();

/** Watches the event loop of this process until `stop`. */
export function watchLoop(): { stop(): LongestTurn } {
  let cpuMs = 0;
  let wallMs = 0;
  let lastCpu = process.threadCpuUsage();
  let lastWall = performance.now();
  const begin = (): void => {
    lastCpu = process.threadCpuUsage();
    lastWall = performance.now();
  };
  const end = (): void => {
    const cpu = process.threadCpuUsage(lastCpu);
    const now = performance.now();
    cpuMs = Math.max(cpuMs, (cpu.user + cpu.system) / 1000);
    wallMs = Math.max(wallMs, now - lastWall);
  };
  const turn = { end, begin };
  running.add(turn);
  const timer = setInterval(() => {
    end();
    begin();
  }, TICK_MS);
  return {
    stop: () => {
      end();
      running.delete(turn);
      clearInterval(timer);
      return { cpuMs: Math.round(cpuMs), wallMs: Math.round(wallMs) };
    },
  };
}

/** Does a piece of the test's own work that counts for no watch. */
export function unwatched<T>(work: () => T): T {
  running.forEach(({ end }) => end());
  try {
    return work();
  } finally {
    running.forEach(({ begin }) => begin());
  }
}
