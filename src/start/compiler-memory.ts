import { setFlagsFromString } from 'node:v8';

/**
 * Has the engine free what its compilers have used as soon as code is ready. It would leave that to a task in the
 * background, which comes much later while there is more to compile: after the first thousands of requests, the process
 * would hold 65 MiB that nothing refers to, and keep them.
 *
 * To be called after the start: flags are part of what compiled code is kept for. So those of the start hold again when the
 * process exits, which is when Node keeps it.
 */
export function freeCompilerMemory(): void {
  setFlagsFromString('--no-maglev-destroy-on-background');
  process.once('exit', () => setFlagsFromString('--maglev-destroy-on-background'));
}
