import { readFile } from 'node:fs/promises';
import { type RunningProcess, runningProcesses } from '../support/browser/running-processes.js';

const PAGE_BYTES = 4096;

export interface BrowserMemory {
  readonly processes: number;
  /** Private memory of the processes (resident less shared), in MB. */
  readonly megabytes: number;
}

/** The browsers that this process has started, with all their processes; zeros off Linux, where nothing tells. */
export async function browserMemory(): Promise<BrowserMemory> {
  const all = process.platform === 'linux' ? await runningProcesses() : [];
  const roots = all.filter(
    ({ parent, command }) => parent === process.pid && command.includes('--remote-debugging-pipe'),
  );
  const pids = roots.flatMap(({ pid }) => [pid, ...descendants(pid, all)]);
  const sizes = await Promise.all(pids.map(privateBytes));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { processes: pids.length, megabytes: Math.round(bytes / 2 ** 20) };
}

function descendants(of: number, all: readonly RunningProcess[]): number[] {
  return all.filter(({ parent }) => parent === of).flatMap(({ pid }) => [pid, ...descendants(pid, all)]);
}

async function privateBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}
