import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const INSTALL_LIMIT_MS = 10 * 60_000;

/**
 * Installs one version of a package from the npm registry into the user's cache folder, without running any of its
 * scripts, and keeps it there for the next run. Returns the package's own folder.
 */
export async function installPackage(name: string, version: string): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'chat-completion-gateway', `${name}-${version}`);
  if (!(await isInstalled(folder, name, version))) {
    await mkdir(folder, { recursive: true });
    // Without one, npm would install into the next folder above that has one.
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const args = [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--save-exact',
      `${name}@${version}`,
    ];
    await promisify(execFile)('npm', args, {
      cwd: folder,
      env: withThisNode(process.env),
      timeout: INSTALL_LIMIT_MS,
      shell: process.platform === 'win32',
    });
  }
  return join(folder, 'node_modules', name);
}

/** The environment with the Node that runs this first on the PATH. */
export function withThisNode(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, PATH: `${dirname(process.execPath)}${delimiter}${env.PATH ?? ''}` };
}

/** npm writes its record of the tree when all of it is there. */
async function isInstalled(folder: string, name: string, version: string): Promise<boolean> {
  try {
    const record = await readFile(join(folder, 'node_modules', '.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(record) as { packages: Record<string, { version?: string }> };
    return packages[`node_modules/${name}`]?.version === version;
  } catch {
    return false;
  }
}
