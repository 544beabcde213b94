import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './packages.mjs';
import { become, root, run, SetupError } from './processes.mjs';

const OLDEST_NODE = 24;

const FOLLOW_PARENT = new URL('follow-parent.mjs', import.meta.url).href;

/**
 * Installs the packages and makes sure that this Node can run the gateway; else the script restarts in the Node that
 * the packages bring along. All code loaded before that must work in Node 20 without packages.
 */
export async function ensureRuntime() {
  if (process.env.npm_lifecycle_event !== undefined) {
    await import('./follow-parent.mjs');
  }
  const changed = await installPackages();
  if (changed || !isRecent(process.version)) {
    const node = await findNode();
    await become(node, [...followParent(), ...process.argv.slice(1)]);
  }
}

/** Node flags that let a program end with the shell of npm, or with the older Node, that it was started from. */
export function followParent() {
  const isNeeded =
    process.env.npm_lifecycle_event !== undefined ||
    process.execve === undefined ||
    process.execArgv.includes(FOLLOW_PARENT);
  return isNeeded ? ['--import', FOLLOW_PARENT] : [];
}

async function findNode() {
  for (const path of pinnedNodes()) {
    const { ok, output } = await run(path, ['--version'], { limitMs: 10_000 });
    if (ok && isRecent(output)) {
      return path;
    }
  }
  if (isRecent(process.version)) {
    return process.execPath;
  }
  throw new SetupError(
    `The gateway needs Node ${OLDEST_NODE}, and there is no packaged one that runs on ${process.platform} ` +
      `${process.arch}. Install Node ${OLDEST_NODE} or newer and try again; this is ${process.version}.`,
  );
}

/** The Node binaries among the optional packages; npm installs the one for this platform. */
function pinnedNodes() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  return Object.keys(optionalDependencies)
    .filter((name) => name.startsWith('node-'))
    .map((name) => join(root, 'node_modules', name, 'bin', binary))
    .filter(existsSync);
}

function isRecent(version) {
  return Number(/^v?(\d+)\./.exec(version)?.[1]) >= OLDEST_NODE;
}
