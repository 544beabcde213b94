import { readdir, readFile } from 'node:fs/promises';

/** A process of a browser. */
export interface BrowserProcess {
  readonly pid: number;
  /** `browser` for the first one, else `renderer`, `zygote`, … */
  readonly type: string;
  /** One letter as `/proc` has it: `T` is stopped, `Z` a zombie. */
  readonly state: string;
}

/** Browsers started by a process. */
export interface ChildBrowsers {
  readonly processes: readonly BrowserProcess[];
  readonly profiles: readonly string[];
}

export async function childBrowsers(parent: number): Promise<ChildBrowsers> {
  const all = await allProcesses();
  const roots = all.filter((one) => one.parent === parent && one.command.includes('--remote-debugging-pipe'));
  const groups = new Set(roots.map(({ group }) => group));
  return {
    processes: [...groups].flatMap((group) => all.filter((one) => one.group === group)),
    profiles: roots.flatMap(({ command }) => /--user-data-dir=([^\0]+)/.exec(command)?.[1] ?? []),
  };
}

/** The processes that still exist; a zombie counts if it is a child of this process. */
export async function survivors(pids: readonly number[]): Promise<BrowserProcess[]> {
  const left = (await allProcesses()).filter(({ pid }) => pids.includes(pid));
  return left.filter(({ state, parent }) => state !== 'Z' || parent === process.pid);
}

interface ProcessInfo extends BrowserProcess {
  readonly parent: number;
  readonly group: number;
  readonly command: string;
}

async function allProcesses(): Promise<ProcessInfo[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return (await Promise.all(pids.map(readProcess))).filter((info) => info !== undefined);
}

/** Undefined if it has ended meanwhile. */
async function readProcess(pid: number): Promise<ProcessInfo | undefined> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [program = ''] = command.split('\0');
    // The browser may be started by a wrapper script, which is its parent then.
    const first = /chrom[^/]*$/i.test(program) ? 'browser' : 'launcher';
    const type = /--type=([\w-]+)/.exec(command)?.[1] ?? first;
    return { pid, type, state, parent: Number(parent), group: Number(group), command };
  } catch {
    return undefined;
  }
}
