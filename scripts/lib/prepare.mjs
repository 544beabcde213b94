import { root } from './processes.mjs';
import { build } from './build.mjs';
import { findBrowser } from './browser.mjs';

/**
 * Brings the build and the browser up to date; needs `ensureRuntime` first.
 * @returns {Promise<Record<string, string>>} what to add to the environment of the gateway
 */
export async function prepareToServe() {
  await build();
  const { loadSettings } = await import('../../dist/common/config/settings.loader.js');
  const settings = loadSettings(process.env, root);
  const { PROVIDER, BROWSER_WS_ENDPOINT, BROWSER_EXECUTABLE_PATH, BROWSER_NO_SANDBOX } = settings;
  if (PROVIDER === 'openai' || BROWSER_WS_ENDPOINT) {
    return {};
  }
  const path = await findBrowser({ executablePath: BROWSER_EXECUTABLE_PATH, noSandbox: BROWSER_NO_SANDBOX });
  return BROWSER_EXECUTABLE_PATH ? {} : { BROWSER_EXECUTABLE_PATH: path };
}

/** The same for the tests, which do not depend on how this copy is configured. */
export async function prepareToTest() {
  await build();
  return {
    BROWSER_EXECUTABLE_PATH: await findBrowser({ executablePath: process.env.BROWSER_EXECUTABLE_PATH }),
  };
}
