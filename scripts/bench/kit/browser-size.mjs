import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const PAGE_BYTES = 4096;
const SETTLE_LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 250;
/** A browser lets a process that is to end linger for up to two seconds. */
const QUIET_LOOKS = 12;

/**
 * Number and private memory of the processes of this process's browser, as soon as they have been the same for three
 * seconds (Linux only).
 */
export async function settledBrowserSize() {
  const limit = performance.now() + SETTLE_LIMIT_MS;
  let pids = await browserPids();
  for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < limit; quiet++) {
    await pause(LOOK_EVERY_MS);
    const now = await browserPids();
    quiet = now.join() === pids.join() ? quiet : 0;
    pids = now;
  }
  const sizes = await Promise.all(pids.map(privateBytes));
  return { processes: pids.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Processes of the browser that this process has started: they form a group. */
async function browserPids() {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')),
  );
  const processes = stats.filter(Boolean).map((stat) => {
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(stat.split(' ', 1)[0]), parent: Number(parent), group };
  });
  const groups = new Set(processes.filter(({ parent }) => parent === process.pid).map(({ group }) => group));
  return processes.filter(({ group }) => groups.has(group)).map(({ pid }) => pid);
}

async function privateBytes(pid) {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0 0');
  const [, resident, shared] = statm.split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}
