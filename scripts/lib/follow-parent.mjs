import { clearInterval, setInterval } from 'node:timers';

/*
 * Loaded before a program that npm started. npm runs a script in a shell; told to stop, it passes SIGTERM to that
 * shell only, which ends and leaves the program behind. So the program stops itself when its parent is gone.
 */
const parent = process.ppid;

const watch = setInterval(() => {
  if (process.ppid !== parent) {
    process.kill(process.pid, 'SIGTERM');
  }
}, 250);
watch.unref();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    // A signal to the whole group reached the shell as well: its end is no second request to stop.
    clearInterval(watch);
    if (process.listenerCount(signal) === 0) {
      process.kill(process.pid, signal);
    }
  });
}
