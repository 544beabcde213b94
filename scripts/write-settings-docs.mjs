import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './lib/processes.mjs';
import { ensureRuntime } from './lib/runtime.mjs';

/*
 * `npm run docs:settings`: writes the descriptions of the settings into `.env.example`, `config.example.json` and
 * `docs/settings.md`.
 */
try {
  await ensureRuntime();
  const { build } = await import('./build/build.mjs');
  await build();
  const { Settings } = await import('../dist/common/config/settings.js');
  const { settingInfos } = await import('../dist/common/config/setting.decorators.js');
  const { dotEnvExample, jsonExample, markdownTable } = await import('./lib/settings-docs.mjs');

  const defaults = new Settings();
  const settings = settingInfos().map((info) => ({ ...info, default: defaults[info.name] }));
  writeFileSync(join(root, '.env.example'), dotEnvExample(settings));
  await writeFormatted('config.example.json', () => jsonExample(settings));
  await writeFormatted('docs/settings.md', (text) =>
    text.replace(/(?<=<!-- settings -->\n)[^]*?(?=<!-- \/settings -->)/, `\n${markdownTable(settings)}\n`),
  );
} catch (error) {
  fail(error);
}

async function writeFormatted(name, change) {
  const { format, resolveConfig } = await import('prettier');
  const path = join(root, name);
  const text = change(readFileSync(path, 'utf8'));
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}
