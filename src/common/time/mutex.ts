import { untilAborted } from './until-aborted.js';

/** Runs one task at a time, in the order of their calls. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Rejects with the signal's reason if it aborts while the task is queued; the next task then takes its turn. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.last;
    const turn = Promise.withResolvers<void>();
    this.last = before.then(() => turn.promise);
    try {
      await (signal ? untilAborted(before, signal) : before);
      return await task();
    } finally {
      turn.resolve();
    }
  }
}
