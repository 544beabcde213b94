import { join } from 'node:path';
import { become, fail, root } from './lib/processes.mjs';
import { ensureRuntime } from './lib/runtime.mjs';

/* `npm test`: installs what is missing, then becomes Jest. Arguments go to Jest: `npm test -- --selectProjects unit`. */
try {
  await ensureRuntime();
  const { prepareToTest } = await import('./lib/prepare.mjs');
  const environment = await prepareToTest();
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const reporters = ['default', './scripts/lib/total-reporter.mjs'].map((name) => `--reporters=${name}`);
  process.chdir(root);
  await become(process.execPath, [...flags, jest, ...reporters, ...process.argv.slice(2)], {
    ...process.env,
    ...environment,
  });
} catch (error) {
  fail(error);
}
