import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, SetupError } from './processes.mjs';
import { announced } from './progress.mjs';

const INSTALL_LIMIT_MS = 15 * 60_000;

/**
 * Installs the packages of `package-lock.json`, unless they are installed already.
 * @returns {Promise<boolean>} whether it installed anything
 */
export async function installPackages() {
  if (packagesAreCurrent(root)) {
    return false;
  }
  // Development packages are needed to build, the optional ones hold the runtime; nothing may run code.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--loglevel=error'];
  const count = Object.keys(readPackages(join(root, 'package-lock.json')) ?? {}).length;
  const { ok, output } = await announced(`Installing ${count} packages (about a minute)`, () => npm(args));
  if (!ok) {
    throw new SetupError(`The packages could not be installed.\n${output}`);
  }
  return true;
}

/** Whether the packages that npm recorded in `node_modules` are those of the lock file. */
export function packagesAreCurrent(folder) {
  const wanted = readPackages(join(folder, 'package-lock.json'));
  const installed = readPackages(join(folder, 'node_modules', '.package-lock.json'));
  return (
    wanted !== undefined &&
    installed !== undefined &&
    Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
      const found = installed[path];
      // Optional ones are left out where they do not fit the platform.
      return found
        ? found.version === version && found.integrity === integrity
        : path === '' || optional === true || devOptional === true;
    })
  );
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** The npm that started this script, else the one on the PATH. */
function npm(args) {
  const { npm_execpath: script = '', npm_node_execpath: node = process.execPath } = process.env;
  return script.endsWith('.js')
    ? run(node, [script, ...args], { limitMs: INSTALL_LIMIT_MS })
    : run('npm', args, { limitMs: INSTALL_LIMIT_MS, shell: process.platform === 'win32' });
}
