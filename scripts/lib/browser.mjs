import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getInstalledBrowsers } from '@puppeteer/browsers';
import { browserCacheFolders, installedBrowserPaths } from './browser-paths.mjs';
import { run, SetupError } from './processes.mjs';
import { announced } from './progress.mjs';

/** Oldest version that the gateway can drive, as in `browser-connector.ts`: a test of documents compares them. */
const OLDEST_CHROME = 149;
/** The unprivileged user that the browser runs as where the gateway is root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

const isRoot = process.getuid?.() === 0;

/**
 * Finds a browser, or installs one; the first one that runs of: the configured one, Chrome or Chromium on the machine,
 * Puppeteer's cache, a download, the system's package manager.
 * @param {object} wanted
 * @param {string} [wanted.executablePath] the configured one; no other is tried
 * @param {boolean} [wanted.noSandbox] whether root runs the browser itself
 * @param {object} [system] replaces `thisMachine()` in tests
 * @returns {Promise<string>} its path
 * @throws SetupError with the remedy if there is none
 */
export async function findBrowser({ executablePath, noSandbox = false }, system = thisMachine()) {
  const user = isRoot && !noSandbox ? NOBODY : {};
  if (executablePath) {
    const fault = await faultOf(executablePath, user);
    if (fault) {
      throw new SetupError(`BROWSER_EXECUTABLE_PATH is set to ${executablePath}, but ${fault}`);
    }
    return executablePath;
  }

  const faults = [];
  for (const look of [onMachine, inCache, byDownload, byPackageManager]) {
    for (const path of await look(system, faults)) {
      const fault = await faultOf(path, user);
      if (!fault) {
        return path;
      }
      faults.push(`${path}: ${fault}`);
    }
  }
  throw new SetupError(
    [
      `No browser was found. Install Chrome or Chromium ${OLDEST_CHROME} or newer (on Debian: ` +
        '`apt-get install chromium-headless-shell`), or set BROWSER_EXECUTABLE_PATH to one, or ' +
        'BROWSER_ENDPOINTS to remote ones. With PROVIDER=openai no browser is needed. Tried:',
      ...new Set(faults),
    ].join('\n  - '),
  );
}

/** The parts of the machine that `findBrowser` uses. */
export function thisMachine() {
  return {
    paths: installedBrowserPaths(process.platform, process.env),
    cacheFolders: browserCacheFolders(isRoot, process.env),
    downloader: fileURLToPath(new URL('download-browser.mjs', import.meta.url)),
    aptGet: isRoot ? ['apt-get'] : ['sudo', '-n', 'apt-get'],
  };
}

function onMachine({ paths }) {
  return paths.filter(existsSync);
}

async function inCache({ cacheFolders }) {
  const found = await Promise.all(cacheFolders.map((cacheDir) => getInstalledBrowsers({ cacheDir })));
  return found
    .flat()
    .filter(({ browser }) => ['chrome-headless-shell', 'chrome', 'chromium'].includes(browser))
    .sort((a, b) => rank(a) - rank(b) || b.buildId.localeCompare(a.buildId, 'en', { numeric: true }))
    .map(({ executablePath }) => executablePath)
    .filter(existsSync);
}

function rank({ browser }) {
  return browser === 'chrome-headless-shell' ? 0 : 1;
}

async function byDownload({ cacheFolders: [cacheDir], downloader }, faults) {
  let workDir;
  try {
    mkdirSync(cacheDir, { recursive: true });
    workDir = mkdtempSync(join(cacheDir, '.incoming-'));
  } catch (error) {
    faults.push(`download: ${error.message}`);
    return [];
  }
  const download = () =>
    run(process.execPath, [downloader, cacheDir, workDir], { limitMs: 5 * 60_000, silenceMs: 15_000 });
  const { ok, output } = await announced('Downloading a browser', download);
  rmSync(workDir, { recursive: true, force: true });
  if (!ok) {
    faults.push(`download: ${lastLine(output)}`);
    return [];
  }
  return inCache({ cacheFolders: [cacheDir] });
}

async function byPackageManager({ paths, aptGet: [command, ...args] }, faults) {
  const apt = (limitMs, ...more) =>
    run(command, [...args, ...more], { limitMs, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  if (!(await apt(10_000, '--version')).ok) {
    faults.push('apt-get: not there, or not allowed without a password');
    return [];
  }
  return announced('Installing a browser with apt-get', () => installByApt(apt, paths, faults));
}

async function installByApt(apt, paths, faults) {
  await apt(2 * 60_000, 'update');
  for (const name of ['chromium-headless-shell', 'chromium']) {
    // Without any font a screenshot shows no text.
    const packages = [name, 'fonts-liberation'];
    const options = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=60'];
    const { ok, output } = await apt(10 * 60_000, 'install', ...options, ...packages);
    if (ok) {
      return onMachine({ paths });
    }
    faults.push(`apt-get install ${name}: ${lastLine(output)}`);
  }
  return [];
}

/** Reason why a browser cannot be used; undefined if it can. */
async function faultOf(path, user) {
  if (!existsSync(path)) {
    return 'there is no such file.';
  }
  if (process.platform === 'win32') {
    // There Chrome opens a window when it is asked for its version.
    return undefined;
  }
  const { ok, output } = await run(path, ['--version'], { ...user, cwd: '/', limitMs: 10_000 });
  const major = Number(/Chrom\D* (\d+)\./.exec(output)?.[1]);
  if (!ok || Number.isNaN(major)) {
    return `it does not run: ${lastLine(output)}`;
  }
  return major < OLDEST_CHROME ? `it is version ${major}; the gateway needs ${OLDEST_CHROME}.` : undefined;
}

function lastLine(text) {
  return text.slice(text.lastIndexOf('\n') + 1).trim();
}
