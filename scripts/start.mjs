import { fileURLToPath } from 'node:url';
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
  // The embedded store is a part of Node that still announces itself as new.
  const flags = ['--disable-warning=ExperimentalWarning', ...followParent()];
  const main = new URL('../dist/main.js', import.meta.url);
  process.chdir(root);
  await become(process.execPath, [...flags, fileURLToPath(main), ...process.argv.slice(2)], {
    ...process.env,
    ...environment,
  });
} catch (error) {
  fail(error);
}
