import { findBrowser, thisMachine } from '../lib/browser.mjs';
import { root } from '../lib/processes.mjs';
import { build, BUILDS } from './build.mjs';

/**
 * Brings the build and the browser up to date; needs `ensureRuntime` first.
 * @param [wanted] one of `BUILDS` that writes `dist`
 * @returns {Promise<Record<string, string>>} variables for the environment of the gateway
 */
export async function prepareToServe(wanted = BUILDS.gateway) {
  await build(wanted);
  const { loadSettings } = await import('../../dist/common/config/settings-loader.js');
  const settings = await loadSettings(process.env, root);
  const { isApi } = await import('../../dist/common/config/upstream-kind.js');
  const { BROWSER_EXECUTABLE_PATH, BROWSER_NO_SANDBOX } = settings;
  if (isApi(settings) || hasRemoteBrowser(settings)) {
    return {};
  }
  const path = await findBrowser({ executablePath: BROWSER_EXECUTABLE_PATH, noSandbox: BROWSER_NO_SANDBOX });
  return BROWSER_EXECUTABLE_PATH ? {} : { BROWSER_EXECUTABLE_PATH: path };
}

/**
 * The same for tools that drive a site, whatever the `PROVIDER`.
 * @param {object} options
 * @param {boolean} options.withWindow whether the browser needs a window
 * @returns {Promise<{settings: object}>} the settings, with the browser in them
 */
export async function prepareToDrive({ withWindow }) {
  await build(BUILDS.recipeTools);
  const { loadSettings } = await import('../../dist-tools/src/common/config/settings-loader.js');
  const settings = await loadSettings(process.env, root);
  const { BROWSER_EXECUTABLE_PATH, BROWSER_NO_SANDBOX } = settings;
  if (!hasRemoteBrowser(settings)) {
    const machine = thisMachine();
    const isShell = (path) => /headless[-_]shell/i.test(path);
    // The headless shell has no window: the full browser goes first.
    const paths = withWindow ? machine.paths.toSorted((a, b) => isShell(a) - isShell(b)) : machine.paths;
    settings.BROWSER_EXECUTABLE_PATH = await findBrowser(
      { executablePath: BROWSER_EXECUTABLE_PATH, noSandbox: BROWSER_NO_SANDBOX },
      { ...machine, paths },
    );
  }
  return { settings };
}

function hasRemoteBrowser({ BROWSER_ENDPOINTS, BROWSER_WS_ENDPOINT }) {
  return Boolean(BROWSER_ENDPOINTS || BROWSER_WS_ENDPOINT);
}
