import process from 'node:process';
import PlainEnvironment from '../../../scripts/lib/plain-environment.mjs';

/**
 * Jest gives each test file a copy of `process` that is told nothing of what happens to the real one. This
 * environment, chosen by `@jest-environment ./test/support/gateway/process-environment.mjs` at the top of a file, passes
 * the events on that `invariants.ts` watches.
 */
export default class ProcessEnvironment extends PlainEnvironment {
  async setup() {
    await super.setup();
    this.global.realProcess = process;
  }
}
