import { readdirSync, readFileSync } from 'node:fs';

/** Nanoseconds of processor time that a process has used so far, all its threads together (Linux only). */
export function cpuTime(pid) {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).reduce(
    (sum, thread) => sum + Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]),
    0,
  );
}
