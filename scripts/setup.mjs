import { fail } from './lib/processes.mjs';
import { ensureRuntime } from './lib/runtime.mjs';

/* `npm run setup`: the steps of `npm start` before it serves. */
try {
  await ensureRuntime();
  const { prepareToServe } = await import('./build/prepare.mjs');
  const { BROWSER_EXECUTABLE_PATH: browser } = await prepareToServe();
  console.log(`Ready: Node ${process.version}${browser ? `, ${browser}` : ''}`);
} catch (error) {
  fail(error);
}
