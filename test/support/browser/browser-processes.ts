import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

export interface BrowserProcessInfo {
  readonly pid: number;
  /** `browser`, `renderer`, `zygote`, … */
  readonly type: string;
}

/** Processes of the browsers with a profile in a folder; the main process of each has the type `browser`. */
export async function browserProcesses(folder: string): Promise<BrowserProcessInfo[]> {
  const all = await Promise.all(
    (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map((name) => readProcess(Number(name))),
  );
  const known = all.filter((entry) => entry !== undefined);
  const roots = known.filter(
    ({ command }) => command.includes(folder) && command.includes('--user-data-dir'),
  );
  const groups = new Set(roots.map(({ group }) => group));
  return known
    .filter(({ group, command }) => groups.has(group) && /chrom/i.test(command))
    .map(({ pid, command }) => ({ pid, type: /--type=([\w-]+)/.exec(command)?.[1] ?? 'browser' }));
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

async function readProcess(
  pid: number,
): Promise<{ pid: number; group: number; command: string } | undefined> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : { pid, group: Number(group), command };
  } catch {
    return undefined;
  }
}
