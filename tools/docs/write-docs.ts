import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectFolder } from '../../src/common/files/project-folder.js';
import { recipeJsonSchema } from '../../src/upstream/web/recipe/recipe-schema.js';
import { describeApi } from '../openapi/describe-api.js';
import { failureTable } from './failure-docs.js';
import { metricTable } from './metrics-docs.js';
import { dotEnvExample, jsonExample, settingTable } from './settings-docs.js';

/* `npm run docs`: writes what the code itself says of its settings, metrics, failures, recipes and endpoints. */
writeFileSync(join(projectFolder(), '.env.example'), dotEnvExample());
await write('config.example.json', () => jsonExample());
await write('docs/settings.md', (text) => withTable(text, 'settings', settingTable()));
await write('docs/metrics.md', (text) => withTable(text, 'metrics', metricTable()));
const failures = await failureTable(read('docs/failures.md'));
await write('docs/failures.md', (text) => withTable(text, 'reasons', failures));
await write('docs/site-recipe.schema.json', () => JSON.stringify(recipeJsonSchema()));
const api = await describeApi();
await write('client/openapi.json', () => JSON.stringify(api));

function read(name: string): string {
  return readFileSync(join(projectFolder(), name), 'utf8');
}

async function write(name: string, change: (text: string) => string): Promise<void> {
  const path = join(projectFolder(), name);
  const text = change(read(name));
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}

/** @param place name of the comments that the table stands between */
function withTable(text: string, place: string, table: string): string {
  const between = new RegExp(`(?<=<!-- ${place} -->\\n)[^]*?(?=<!-- /${place} -->)`);
  return text.replace(between, () => `\n${table}\n`);
}
