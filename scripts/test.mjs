import { join } from 'node:path';
import { memoryFolder } from './lib/memory-folder.mjs';
import { become, fail, root } from './lib/processes.mjs';
import { ensureRuntime } from './lib/runtime.mjs';

/** Projects of `jest.config.mjs` that run where there is no browser. */
const WITHOUT_BROWSER = ['unit', 'properties', 'rules', 'scores'];

const CACHE = join(root, 'node_modules', '.cache');

/** A flag of Node. */
const DEBUG = '--inspect-brk';

/*
 * `npm test`: installs what is missing, then becomes Jest. Arguments go to Jest: `npm test -- src/chat`. Jest compiles
 * the sources itself, so nothing but the dashboard is built here; what Node compiles for it, such as the threads that
 * tests start, is kept for the next thread and run. The slow group runs by its name only: `npm run test:faults`.
 * `npm run test:debug` waits for a debugger on port 9229; the limit of a test outlasts a long look at a breakpoint.
 */
try {
  await ensureRuntime();
  const isDebugged = process.argv.includes(DEBUG);
  const forDebugger = isDebugged ? ['--runInBand', '--testTimeout=3600000'] : [];
  const given = [...process.argv.slice(2).filter((arg) => arg !== DEBUG), ...forDebugger];
  const namesProjects = given.some((arg) => /^--(select|ignore)Projects/.test(arg));
  const args = namesProjects ? given : [...given, '--ignoreProjects', 'faults'];
  const selected = /--selectProjects[= ]((?:[a-z0-9]+ ?)+)/.exec(args.join(' '))?.[1].trim().split(' ');
  const isQuick = selected?.every((name) => WITHOUT_BROWSER.includes(name));
  const environment = isQuick ? {} : await browserEnvironment();
  const inspector = isDebugged ? [DEBUG] : [];
  const flags = [...inspector, '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const reporters = ['default', './scripts/lib/total-reporter.mjs'].map((name) => `--reporters=${name}`);
  process.chdir(root);
  const folder = process.env.TMPDIR === undefined ? memoryFolder() : undefined;
  const defaults = {
    NODE_COMPILE_CACHE: join(CACHE, 'compile'),
    ...(folder && { TMPDIR: folder }),
  };
  const env = { ...defaults, ...process.env, ...environment };
  await become(process.execPath, [...flags, jest, ...args, ...reporters], env);
} catch (error) {
  fail(error);
}

/**
 * The tests do not depend on how this copy is configured, so only the environment names a browser for them. It shows the
 * dashboard as it ships: one page of the sources is a hundred requests.
 */
async function browserEnvironment() {
  const [{ findBrowser }, { buildClientAlone }] = await Promise.all([
    import('./lib/browser.mjs'),
    import('./build/build.mjs'),
  ]);
  const { BROWSER_EXECUTABLE_PATH: executablePath, BUILT_CLIENT: client } = process.env;
  return {
    BROWSER_EXECUTABLE_PATH: await findBrowser({ executablePath }),
    BUILT_CLIENT: client ?? (await buildClientAlone(join(CACHE, 'client'))),
  };
}
