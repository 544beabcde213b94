import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { findBrowser } from './browser.mjs';
import { browserCacheFolders, installedBrowserPaths } from './browser-paths.mjs';

describe('findBrowser', () => {
  let folder;
  let system;
  let announced;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'browser-'));
    // Where the tests run as root, the unprivileged user of the browser must get in.
    chmodSync(folder, 0o755);
    announced = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    system = {
      paths: [at('bin/shell'), at('bin/chromium')],
      cacheFolders: [at('cache'), at('own-cache')],
      downloader: at('downloader.mjs'),
      aptGet: [at('apt-get')],
    };
    writeFileSync(
      system.downloader,
      'console.error("failed:\\n - ENOTFOUND downloads.example"); process.exit(1);',
    );
  });

  afterEach(() => {
    announced.mockRestore();
    rmSync(folder, { recursive: true });
  });

  const at = (name) => join(folder, name);

  /** A program that calls itself a browser. */
  function place(name, text = 'Chromium 156.0.1.2 built on Debian', code = 0) {
    mkdirSync(dirname(at(name)), { recursive: true, mode: 0o755 });
    writeFileSync(at(name), `#!/bin/sh\necho "${text}"\nexit ${code}\n`);
    chmodSync(at(name), 0o755);
    return at(name);
  }

  function placeAptGet(body) {
    writeFileSync(system.aptGet[0], `#!/bin/sh\necho "$@" >> "${at('apt.log')}"\n${body}\n`);
    chmodSync(system.aptGet[0], 0o755);
  }

  const cached = (cache, browser, version) => {
    const binary = browser === 'chrome' ? 'chrome-linux64/chrome' : `${browser}-linux64/${browser}`;
    return `${cache}/${browser}/linux-${version}/${binary}`;
  };

  it('takes the configured one, even if there are others', async () => {
    place('bin/shell');
    const configured = place('mine', 'Google Chrome 149.0.7000.1 ');
    await expect(findBrowser({ executablePath: configured }, system)).resolves.toBe(configured);
  });

  it.each([
    ['is missing', () => undefined, 'there is no such file.'],
    [
      'does not run',
      () => place('mine', 'libnss3.so: cannot open shared object file', 127),
      /it does not run: .*nss3/,
    ],
    [
      'is something else',
      () => place('mine', 'Mozilla Firefox 150.0'),
      'it does not run: Mozilla Firefox 150.0',
    ],
    ['is too old', () => place('mine', 'Chromium 148.0.1.2'), 'it is version 148; the gateway needs 149.'],
  ])('takes no other if the configured one %s', async (_what, prepare, message) => {
    place('bin/shell');
    prepare();
    const found = findBrowser({ executablePath: at('mine') }, system);
    await expect(found).rejects.toThrow(`BROWSER_EXECUTABLE_PATH is set to ${at('mine')}, but `);
    await expect(found).rejects.toThrow(message);
  });

  it('takes the best one of the machine that runs', async () => {
    place('bin/shell', 'Chromium 156.0.1.2', 1);
    const chromium = place('bin/chromium');
    await expect(findBrowser({}, system)).resolves.toBe(chromium);
    const shell = place('bin/shell');
    await expect(findBrowser({}, system)).resolves.toBe(shell);
  });

  it('wants one that the user of the browser can run', async () => {
    const closed = place('closed/chromium');
    chmodSync(at('closed'), 0o700);
    const open = place('bin/chromium');
    system.paths = [closed, open];
    const isRoot = process.getuid?.() === 0;
    await expect(findBrowser({}, system)).resolves.toBe(isRoot ? open : closed);
    await expect(findBrowser({ noSandbox: true }, system)).resolves.toBe(closed);
  });

  it('looks into the caches, a headless shell first, then the newest', async () => {
    place(cached('cache', 'chrome', '156.0.2.0'));
    const newer = place(cached('own-cache', 'chrome', '156.0.10.0'));
    await expect(findBrowser({}, system)).resolves.toBe(newer);
    const shell = place(cached('cache', 'chrome-headless-shell', '150.0.1.0'), 'HeadlessChrome 150.0.1.0');
    await expect(findBrowser({}, system)).resolves.toBe(shell);
    expect(announced).not.toHaveBeenCalled();
  });

  it('downloads one, and leaves nothing half done behind', async () => {
    const path = cached('cache', 'chrome-headless-shell', '156.0.3.0');
    writeFileSync(
      system.downloader,
      `import { mkdirSync, writeFileSync } from 'node:fs';
       const [cache, work] = process.argv.slice(2);
       writeFileSync(work + '/archive.zip', '');
       mkdirSync(${JSON.stringify(dirname(at(path)))}, { recursive: true });
       writeFileSync(${JSON.stringify(at(path))}, '#!/bin/sh\\necho Google Chrome for Testing 156.0.3.0', { mode: 0o755 });`,
    );
    await expect(findBrowser({}, system)).resolves.toBe(at(path));
    expect(readdirSync(at('cache'))).toEqual(['chrome-headless-shell']);
    expect(announced.mock.calls).toEqual([['Downloading a browser …']]);
  });

  it('installs the headless shell with apt-get after an update', async () => {
    const chromium = at('bin/chromium');
    placeAptGet(`case "$*" in *install*headless-shell*) mkdir -p "${at('bin')}"; chmod 755 "${at('bin')}"
      printf '#!/bin/sh\\necho Chromium 156.0.0.0\\n' > "${chromium}"; chmod 755 "${chromium}";; esac`);
    await expect(findBrowser({}, system)).resolves.toBe(chromium);
    expect(linesOf('apt.log')).toEqual([
      '--version',
      'update',
      'install -y --no-install-recommends -o DPkg::Lock::Timeout=60 chromium-headless-shell fonts-liberation',
    ]);
    expect(announced.mock.calls).toEqual([
      ['Downloading a browser …'],
      ['Installing a browser with apt-get …'],
    ]);
  });

  it('says all that it tried, and what to do', async () => {
    place('bin/shell', 'no display', 1);
    placeAptGet('case "$*" in *install*) echo "E: Unable to locate package" >&2; exit 100;; esac');
    await expect(findBrowser({}, system)).rejects.toThrow(
      [
        'No browser was found. Install Chrome or Chromium 149 or newer (on Debian: ' +
          '`apt-get install chromium-headless-shell`), or set BROWSER_EXECUTABLE_PATH to one, or ' +
          'BROWSER_ENDPOINTS to remote ones. With PROVIDER=openai no browser is needed. Tried:',
        `${at('bin/shell')}: it does not run: no display`,
        'download: - ENOTFOUND downloads.example',
        'apt-get install chromium-headless-shell: E: Unable to locate package',
        'apt-get install chromium: E: Unable to locate package',
      ].join('\n  - '),
    );
    expect(existsSync(at('cache'))).toBe(true);
    expect(readdirSync(at('cache'))).toEqual([]);
  });

  it('does without apt-get where there is none', async () => {
    await expect(findBrowser({}, system)).rejects.toThrow(
      'apt-get: not there, or not allowed without a password',
    );
  });

  function linesOf(name) {
    return readFileSync(at(name), 'utf8').trim().split('\n');
  }
});

describe('installedBrowserPaths', () => {
  it('puts headless shells first, in the folders of the PATH and the usual ones', () => {
    const paths = installedBrowserPaths('linux', { PATH: '/home/me/bin:node_modules/.bin::/usr/bin' });
    expect(paths.slice(0, 6)).toEqual([
      '/usr/lib/chromium/chromium-headless-shell',
      '/home/me/bin/chromium-headless-shell',
      '/usr/bin/chromium-headless-shell',
      '/usr/local/bin/chromium-headless-shell',
      '/opt/google/chrome/chromium-headless-shell',
      '/snap/bin/chromium-headless-shell',
    ]);
    expect(paths.indexOf('/usr/bin/chromium')).toBeLessThan(paths.indexOf('/usr/bin/google-chrome'));
    expect(paths).toContain('/opt/google/chrome/chrome');
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('knows where macOS and Windows keep them', () => {
    expect(installedBrowserPaths('darwin', {})[0]).toBe(
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    );
    const env = { PROGRAMFILES: 'C:\\Program Files', LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' };
    expect(installedBrowserPaths('win32', env)).toEqual([
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Program Files\\Chromium\\Application\\chrome.exe',
      'C:\\Users\\me\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Users\\me\\AppData\\Local\\Chromium\\Application\\chrome.exe',
    ]);
  });
});

describe('browserCacheFolders', () => {
  it('downloads where the browser can be run from', () => {
    const own = expect.stringMatching(/[\\/]\.cache[\\/]puppeteer$/);
    expect(browserCacheFolders(false, {})).toEqual([own]);
    expect(browserCacheFolders(true, {})).toEqual(['/var/cache/puppeteer', own]);
    expect(browserCacheFolders(true, { PUPPETEER_CACHE_DIR: '/c' })).toEqual([
      '/c',
      '/var/cache/puppeteer',
      own,
    ]);
  });
});
