import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const INSTALL_LIMIT_MS = 20 * 60_000;
const run = promisify(execFile);

/** Prints what a package needs, without its extras. */
const LIST_NEEDS = `import sys
from importlib.metadata import requires
print("\\n".join(need for need in requires(sys.argv[1]) or [] if "extra ==" not in need))`;

/**
 * Installs a package from PyPI, `name==version`, into an environment of its own in the user's cache folder, and keeps
 * it there for the next run. Needs `python3` with `venv`. Returns the folder of the environment's programs.
 * @param unneeded names of packages that it asks for and runs without: those of models that it could run itself
 */
export async function installPythonPackage(
  requirement: string,
  unneeded: readonly string[] = [],
): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'chat-completion-gateway', `python-${requirement.replace('==', '-')}`);
  const wanted = [requirement, ...unneeded.map((name) => `-${name}`)].join('\n');
  const record = join(folder, 'installed.txt');
  const programs = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  if ((await readFile(record, 'utf8').catch(() => '')) !== wanted) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await run(process.platform === 'win32' ? 'python' : 'python3', ['-m', 'venv', folder]);
    const python = join(programs, 'python');
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    const install = (...args: string[]): Promise<unknown> =>
      run(python, [...pip, ...args], { timeout: INSTALL_LIMIT_MS });
    if (unneeded.length === 0) {
      await install(requirement);
    } else {
      await install('--no-deps', requirement);
      const { stdout } = await run(python, ['-c', LIST_NEEDS, requirement.split('==', 1)[0] ?? '']);
      await install(
        ...stdout
          .trim()
          .split('\n')
          .filter((need) => !unneeded.includes(nameOf(need))),
      );
    }
    // Written last: what broke off is installed anew.
    await writeFile(record, wanted);
  }
  return programs;
}

/** The name in a requirement such as `httpx[http2]==0.28.1`. */
function nameOf(requirement: string): string {
  return /^[\w.-]+/.exec(requirement)?.[0] ?? '';
}
