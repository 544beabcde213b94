import { fileURLToPath } from 'node:url';
import { processEnvironment } from './lib/process-environment.mjs';
import { become, fail, root } from './lib/processes.mjs';
import { ensureRuntime, followParent } from './lib/runtime.mjs';

/* `npm start`: installs what is missing, then becomes the gateway. */
if (process.stderr.isTTY) {
  console.error('Starting …');
}
try {
  await ensureRuntime();
  const { prepareToServe } = await import('./build/prepare.mjs');
  const environment = await prepareToServe();
  const main = new URL('../dist/main.js', import.meta.url);
  process.chdir(root);
  await become(process.execPath, [...followParent(), fileURLToPath(main), ...process.argv.slice(2)], {
    ...process.env,
    ...environment,
    ...processEnvironment(),
  });
} catch (error) {
  fail(error);
}
