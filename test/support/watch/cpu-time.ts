/** CPU time that a piece of work costs this thread, in milliseconds; hardly changed by what else the machine does. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
