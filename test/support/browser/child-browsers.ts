import { processType, type RunningProcess, runningProcesses } from './running-processes.js';

/** A process of a browser. */
export interface BrowserProcess extends RunningProcess {
  /** `browser` for the first one, else `renderer`, `zygote`, … */
  readonly type: string;
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

async function allProcesses(): Promise<BrowserProcess[]> {
  return (await runningProcesses()).map((one) => ({ ...one, type: processType(one) ?? typeOfFirst(one) }));
}

/** The browser may be started by a wrapper script, which is its parent then. */
function typeOfFirst({ command }: RunningProcess): string {
  const [program = ''] = command.split('\0');
  return /chrom[^/]*$/i.test(program) ? 'browser' : 'launcher';
}
