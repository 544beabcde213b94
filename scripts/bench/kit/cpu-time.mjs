import { readdirSync, readFileSync } from 'node:fs';

/** Nanoseconds of processor time that a process has used so far, all its threads together (Linux only). */
export function cpuTime(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + threadTime(pid, thread), 0);
}

/** The same of its main thread alone, which is its event loop. */
export function loopTime(pid) {
  return threadTime(pid, pid);
}

function threadTime(pid, thread) {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
}
