import { createRequire } from 'node:module';

const { default: TestRunner } = createRequire(import.meta.url)('jest-runner');

/** What jest-worker says of a process that a crash has ended; `SIGKILL`, which is how memory runs out, is none. */
const CRASH = /was terminated by another process: signal=SIG(?:SEGV|BUS|ILL|ABRT|TRAP)/;

/**
 * Jest's runner, which runs a file once more if Node itself crashed with it (decision 275). jest-worker does so for a
 * process that exits with an error, but not for one that a signal ends.
 */
export default class CrashRunner extends TestRunner {
  /** @type {import('jest-runner').Test[]} */
  crashed = [];
  isAgain = false;

  on(name, listener) {
    if (name !== 'test-file-failure') {
      return super.on(name, listener);
    }
    return super.on(name, ([test, error]) => {
      if (this.isAgain || !CRASH.test(error.message)) {
        return listener([test, error]);
      }
      this.crashed.push(test);
      return undefined;
    });
  }

  async runTests(tests, watcher, options) {
    await super.runTests(tests, watcher, options);
    const { crashed } = this;
    if (crashed.length === 0 || watcher.isInterrupted()) {
      return;
    }
    const names = crashed.map(({ path }) => path).join(', ');
    process.stderr.write(`Node crashed with ${names}: once more.\n`);
    this.isAgain = true;
    await super.runTests(crashed, watcher, { ...options, serial: false });
  }
}
