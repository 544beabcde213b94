import { setTimeout as pause } from 'node:timers/promises';
import { processType, runningProcesses } from './running-processes.js';

export interface BrowserProcessInfo {
  readonly pid: number;
  /** `browser`, `renderer`, `zygote`, … */
  readonly type: string;
}

/** Processes of the browsers with a profile in a folder; the main process of each has the type `browser`. */
export async function browserProcesses(folder: string): Promise<BrowserProcessInfo[]> {
  const alive = (await runningProcesses()).filter(({ state }) => state !== 'Z');
  const roots = alive.filter(
    ({ command }) => command.includes(folder) && command.includes('--user-data-dir'),
  );
  const groups = new Set(roots.map(({ group }) => group));
  return alive
    .filter(({ group, command }) => groups.has(group) && /chrom/i.test(command))
    .map((one) => ({ pid: one.pid, type: processType(one) ?? 'browser' }));
}

/** Waits (at most 5 s) until no process of a browser in this folder is left. */
export async function noBrowserLeft(folder: string): Promise<boolean> {
  const deadline = performance.now() + 5000;
  while (performance.now() < deadline) {
    if ((await browserProcesses(folder)).length === 0) {
      return true;
    }
    await pause(20);
  }
  return false;
}

/** Sends a signal to all processes of one type. */
export async function signalBrowser(folder: string, type: string, signal: NodeJS.Signals): Promise<number> {
  const chosen = (await browserProcesses(folder)).filter((entry) => entry.type === type);
  for (const { pid } of chosen) {
    process.kill(pid, signal);
  }
  return chosen.length;
}
