import { readdir, readFile } from 'node:fs/promises';

const PAGE_BYTES = 4096;

interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

export interface BrowserMemory {
  readonly processes: number;
  /** Private memory of the processes (resident less shared), in MB. */
  readonly megabytes: number;
}

/** The browsers that this process has started, with all their processes; zeros off Linux, where nothing tells. */
export async function browserMemory(): Promise<BrowserMemory> {
  const all = process.platform === 'linux' ? await listProcesses() : [];
  const roots = all.filter(
    ({ parent, command }) => parent === process.pid && command.includes('--remote-debugging-pipe'),
  );
  const pids = roots.flatMap(({ pid }) => [pid, ...descendants(pid, all)]);
  const sizes = await Promise.all(pids.map(privateBytes));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { processes: pids.length, megabytes: Math.round(bytes / 2 ** 20) };
}

function descendants(of: number, all: readonly ProcessInfo[]): number[] {
  return all.filter(({ parent }) => parent === of).flatMap(({ pid }) => [pid, ...descendants(pid, all)]);
}

async function listProcesses(): Promise<ProcessInfo[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(readProcess));
  return found.filter((entry) => entry !== undefined);
}

async function readProcess(pid: number): Promise<ProcessInfo | undefined> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    // The name, in parentheses, may hold anything.
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), command };
  } catch {
    return undefined;
  }
}

async function privateBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}
