import { processEnvironment } from './lib/process-environment.mjs';
import { become, fail, root } from './lib/processes.mjs';
import { ensureRuntime, followParent } from './lib/runtime.mjs';

/*
 * `npm run dev`: installs what is missing, then becomes `nest start --watch`, which compiles the sources and starts the
 * gateway anew at each change. Arguments go to it: `npm run dev -- --debug` opens the inspector on port 9229.
 */
try {
  await ensureRuntime();
  const { prepareToServe } = await import('./build/prepare.mjs');
  const { BUILDS, NEST } = await import('./build/build.mjs');
  const environment = await prepareToServe(BUILDS.development);
  process.chdir(root);
  // The gateway runs in this Node, not in the one on the PATH, and without a shell, which would stumble over spaces.
  const command = ['start', '--watch', '--exec', process.execPath, '--no-shell'];
  await become(process.execPath, [...followParent(), NEST, ...command, ...process.argv.slice(2)], {
    ...process.env,
    ...environment,
    ...processEnvironment(),
  });
} catch (error) {
  fail(error);
}
