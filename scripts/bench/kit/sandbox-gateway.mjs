import 'reflect-metadata';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountCommands } from '../../../dist/accounts/registry/account-commands.js';
import { Settings } from '../../../dist/common/config/settings.js';
import { settingsFromCode } from '../../../dist/common/config/settings-loader.js';
import { createGateway } from '../../../dist/gateway.js';
import { SandboxSite } from '../../../dist/sandbox/sandbox-site.js';
import { findBrowser } from '../../lib/browser.mjs';

/**
 * The built gateway in this process, driving a sandbox site by its recipe as any other site. The site stands outside,
 * so that its records show when it wrote each piece.
 *
 * @param siteOptions of the SandboxSite
 * @param overrides settings
 */
export async function startSandboxGateway(siteOptions = {}, overrides = {}) {
  const site = new SandboxSite({ keepPieceTimes: true, ...siteOptions });
  const origin = await site.start();
  const recipe = await readFile(new URL('../../../recipes/sandbox.json', import.meta.url), 'utf8');
  const gateway = await startWebGateway(recipe, origin, site.accounts, overrides);
  return {
    site,
    origin,
    /** Asks for a streamed completion without reasoning. */
    complete: (prompt) =>
      postJson(`${gateway.origin}/v1/chat/completions`, {
        model: 'svc-max-no-thinking',
        messages: [{ role: 'user', content: prompt }],
      }),
    close: async () => {
      await gateway.close();
      await site.close();
    },
  };
}

/**
 * The built gateway in this process, driving the site at an origin.
 *
 * @param recipe text of the recipe, with `{{site.origin}}`
 * @param accounts `{ name, password }` each
 * @param overrides settings
 */
export async function startWebGateway(recipe, siteOrigin, accounts, overrides = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
  const recipeFile = join(folder, 'recipe.json');
  await writeFile(recipeFile, recipe.replaceAll('{{site.origin}}', siteOrigin));
  const settings = Object.assign(new Settings(), {
    PORT: 0,
    PROVIDER: 'web',
    SITE_RECIPE: recipeFile,
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    BROWSER_EXECUTABLE_PATH: await findBrowser({ executablePath: process.env.BROWSER_EXECUTABLE_PATH }),
    ...overrides,
  });
  const app = await createGateway(settingsFromCode(settings));
  await app.listen(0, '127.0.0.1');
  for (const { name, password } of accounts) {
    app.get(AccountCommands).add(null, name, { user: name, password });
  }
  return {
    origin: `http://127.0.0.1:${app.getHttpServer().address().port}`,
    close: async () => {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function postJson(url, body, headers = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
