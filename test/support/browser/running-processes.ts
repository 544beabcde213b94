import { readdir, readFile } from 'node:fs/promises';

/** A process of this machine. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** One letter as `/proc` has it: `T` is stopped, `Z` a zombie. */
  readonly state: string;
  /** The program and its arguments, with a NUL behind each; empty for a zombie. */
  readonly command: string;
}

/** All processes of this machine. */
export async function runningProcesses(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return (await Promise.all(pids.map(readProcess))).filter((found) => found !== undefined);
}

/** Type of a browser's process, e.g. `renderer`; undefined for its first one, and for others. */
export function processType({ command }: RunningProcess): string | undefined {
  return /--type=([\w-]+)/.exec(command)?.[1];
}

/** Undefined if it has ended meanwhile. */
async function readProcess(pid: number): Promise<RunningProcess | undefined> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    // The name of the program, in brackets, may hold anything.
    const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), group: Number(group), state, command };
  } catch {
    return undefined;
  }
}
