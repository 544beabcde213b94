import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const INSTALL_LIMIT_MS = 20 * 60_000;
const run = promisify(execFile);

/**
 * Installs packages from PyPI, each as `name==version`, into an environment of their own in the user's cache folder,
 * and keeps it there for the next run. Needs `python3` with `venv`. Returns the folder of the environment's programs.
 */
export async function installPythonPackages(...requirements: readonly string[]): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const name = requirements[0]?.replace('==', '-') ?? '';
  const folder = join(cache, 'chat-completion-gateway', `python-${name}`);
  const wanted = requirements.join('\n');
  const record = join(folder, 'installed.txt');
  const programs = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  if ((await readFile(record, 'utf8').catch(() => '')) !== wanted) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await run(process.platform === 'win32' ? 'python' : 'python3', ['-m', 'venv', folder]);
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements];
    await run(join(programs, 'python'), args, { timeout: INSTALL_LIMIT_MS });
    // Written last: what broke off is installed anew.
    await writeFile(record, wanted);
  }
  return programs;
}
