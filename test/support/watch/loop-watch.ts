/** Longest pieces of work between two turns of the event loop, in milliseconds. */
export interface LongestTurn {
  /** CPU time of this thread, which other processes do not change. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

const TICK_MS = 5;

/** Watches the event loop of this process until `stop`. */
export function watchLoop(): { stop(): LongestTurn } {
  let cpuMs = 0;
  let wallMs = 0;
  let lastCpu = process.threadCpuUsage();
  let lastWall = performance.now();
  const look = (): void => {
    const cpu = process.threadCpuUsage(lastCpu);
    const now = performance.now();
    cpuMs = Math.max(cpuMs, (cpu.user + cpu.system) / 1000);
    wallMs = Math.max(wallMs, now - lastWall);
    lastCpu = process.threadCpuUsage();
    lastWall = now;
  };
  const timer = setInterval(look, TICK_MS);
  return {
    stop: () => {
      look();
      clearInterval(timer);
      return { cpuMs: Math.round(cpuMs), wallMs: Math.round(wallMs) };
    },
  };
}
