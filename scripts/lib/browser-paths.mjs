import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, win32 } from 'node:path';

/** Lighter first: an empty headless shell takes half the memory of the full browser, a page in it a quarter. */
const COMMANDS = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];
/** The program itself, where `/usr/bin` holds a wrapper script: the gateway must be the parent of the browser. */
const DEBIAN_SHELL = '/usr/lib/chromium/chromium-headless-shell';
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/google/chrome', '/snap/bin'];

/**
 * Paths of installed Chrome and Chromium, best first.
 * @param {NodeJS.Platform} platform
 * @param {Record<string, string | undefined>} env
 */
export function installedBrowserPaths(platform, env) {
  switch (platform) {
    case 'darwin':
      return ['/', homedir()].flatMap((base) =>
        ['Google Chrome', 'Chromium'].map((name) =>
          join(base, 'Applications', `${name}.app`, 'Contents', 'MacOS', name),
        ),
      );
    case 'win32':
      return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
        .filter(Boolean)
        .flatMap((base) =>
          [['Google', 'Chrome'], ['Chromium']].map((name) =>
            win32.join(base, ...name, 'Application', 'chrome.exe'),
          ),
        );
    default: {
      const folders = new Set([...(env.PATH ?? '').split(delimiter).filter(isAbsolute), ...USUAL_FOLDERS]);
      return [DEBIAN_SHELL, ...COMMANDS.flatMap((name) => [...folders].map((folder) => join(folder, name)))];
    }
  }
}

/**
 * Folders in which Puppeteer keeps browsers; a download goes to the first. Root's own home is closed to the
 * unprivileged user that the browser runs as under root.
 */
export function browserCacheFolders(isRoot, env) {
  const ownCache = join(homedir(), '.cache', 'puppeteer');
  return [
    ...(env.PUPPETEER_CACHE_DIR ? [env.PUPPETEER_CACHE_DIR] : []),
    ...(isRoot ? ['/var/cache/puppeteer'] : []),
    ownCache,
  ];
}
